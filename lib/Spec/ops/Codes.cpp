// Codes.cpp - see Codes.h.
#include "lib/Spec/ops/Codes.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>

namespace labgen {

bool contains(const Formats &formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

Formats activationFormats() { return {Format::F32, Format::BF16, Format::F16}; }
Formats scaleFormats() {
  return {Format::F32, Format::F16, Format::BF16, Format::F8E8M0FNU,
          Format::F8E4M3FN};
}
Formats zeroFormats() {
  return {Format::I8, Format::U8, Format::I4, Format::U4};
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static Status checkScale(const KernelSpec &spec, Format code) {
  if (!spec.isQuantized() || !spec.scale) {
    std::string key = spec.isQuantized() ? "scale" : "group";
    return Status::badInput("missing key '" + key + "' for " +
                            text(name(spec.op)) + " with " + formatText(code) +
                            " codes; add " + key +
                            (spec.isQuantized() ? "=f32" : "=32"));
  }
  if (spec.group.kind == Group::Size && spec.group.size < 1)
    return Status::badInput("group=" + spec.group.str() +
                            " is not a group; the nearest legal one is 1");
  Format scale = *spec.scale;
  Formats legal = {Format::F32, Format::F16, Format::BF16};
  if (!isInteger(code))
    legal.push_back(Format::F8E8M0FNU);
  if (code == Format::F4E2M1FN || code == Format::F8E4M3FN)
    legal.push_back(Format::F8E4M3FN);
  if (!contains(legal, scale))
    return Status::badInput("scale=" + formatText(scale) +
                            " does not go with " + formatText(code) +
                            " codes; use " + orList(names(legal)));
  if (scale == Format::F8E8M0FNU && !(spec.group == Group{Group::Size, 32}))
    return Status::badInput("scale=f8E8M0FNU needs group=32; use group=32 or "
                            "scale=f32");
  return Status::ok();
}

static Status checkZero(const KernelSpec &spec, Format code) {
  if (spec.zero && !isInteger(code))
    return Status::badInput("zero=" + formatText(*spec.zero) +
                            " goes with integer codes only, not " +
                            formatText(code) + "; use zero=none");
  if (spec.zero && *spec.zero != code)
    return Status::badInput(
        "zero=" + formatText(*spec.zero) +
        " does not match the codes; use zero=" + formatText(code) +
        (info(code).kind == FormatKind::SignedInt ? " or zero=none" : ""));
  if (!spec.zero && info(code).kind == FormatKind::UnsignedInt)
    return Status::badInput(
        formatText(code) +
        " codes need a zero point; add zero=" + formatText(code));
  return Status::ok();
}

Status checkCodes(const KernelSpec &spec, Format code) {
  if (Status status = checkScale(spec, code); !status)
    return status;
  return checkZero(spec, code);
}

//===----------------------------------------------------------------------===//
// Arguments and data
//===----------------------------------------------------------------------===//

void addScales(const KernelSpec &spec, const std::string &prefix, Role role,
               std::vector<Argument> &out) {
  using Kind = ArgumentKind;
  std::vector<int64_t> shape = {spec.scaleRows(), spec.scaleCols()};
  if (spec.scale)
    out.push_back({prefix + "scale", role, *spec.scale, shape, Kind::Scale});
  if (spec.zero)
    out.push_back({prefix + "zero", role, *spec.zero, shape, Kind::ZeroPoint});
  if (spec.hasGlobal())
    out.push_back({prefix + "global", role, Format::F32, {1}, Kind::Global});
}

TieGrid quantizeTies(const KernelSpec &spec, Format code) {
  TieGrid grid;
  grid.kind = TieGrid::Quantize;
  grid.format = code;
  grid.group = spec.group;
  grid.asymmetric = spec.zero.has_value();
  grid.full = spec.range == IntRange::Full;
  return grid;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string groupWords(const KernelSpec &s) {
  switch (s.group.kind) {
  case Group::Size:
    return "each run of " + s.group.str() + " neighbours along K" +
           (s.k % s.group.size ? " (the last of a row is shorter)" : "");
  case Group::Channel:
    return "each row";
  case Group::Tensor:
    return "the whole tensor";
  case Group::None:
    break;
  }
  return "nothing";
}

std::string scaleWords(const KernelSpec &s) {
  const FormatInfo &code = info(s.out);
  if (s.scale == Format::F8E8M0FNU) {
    std::string top = std::to_string(std::ilogb(code.max));
    switch (s.rule) {
    case ScaleRule::Floor:
      return "2^(floor(log2 absmax) - " + top + "): the largest may clip";
    case ScaleRule::RCeil:
      return "2^ceil(log2(absmax / " + numberText(code.max) + ")): none clips";
    case ScaleRule::Ceil:
      return "2^(ceil(log2 absmax) - " + top + "): none clips";
    case ScaleRule::Even:
      return "2^(floor(log2(absmax + half an ulp of " + text(code.name) +
             ")) - " + top + "): the largest may clip";
    }
  }
  std::string steps = numberText(codeGrid(s).steps);
  if (!s.zero)
    return "absmax / " + steps;
  return "(max - min) / " + steps + ", where min <= 0 <= max; both ends and " +
         steps + " are halved first where max - min is beyond f32";
}

std::string decodeWords(const KernelSpec &s) {
  std::string scale = s.hasGlobal() ? "(scale * global)" : "scale";
  return s.zero ? "(code - zero) * " + scale + ", the difference exact"
                : "code * " + scale;
}

} // namespace labgen
