// CodeFacts.cpp - labgen explain of quantize, dequantize and gemm.
//
// Numbers come from the format table and the code grid; what becomes of groups
// of zeros or NaN is asked of the oracle itself.
#include "tools/labgen/explain/Facts.h"

#include "lib/Spec/Convert.h"
#include "runtime/check/GemmRows.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/report/SpecParts.h"
#include "runtime/report/Units.h"

#include <cmath>
#include <limits>

namespace labgen {

namespace {

std::string number(double value) {
  double magnitude = std::fabs(value);
  return magnitude != 0 && (magnitude >= 1e7 || magnitude < 1e-3)
             ? scientific(value)
             : shortest(value, 6);
}

/// What the oracle stores of a group that begins with `x`.
struct Stored {
  std::string scale, zero, code, value;
};
Stored store(const KernelSpec &like, float x) {
  KernelSpec spec = like;
  spec.m = 1;
  spec.k = 1;
  Tensors tensors;
  for (const Argument &argument : arguments(spec))
    if (Result<Tensor> tensor = Tensor::allocate(argument))
      tensors.push_back(*tensor);
  oracle::FloatSource source = [&](int64_t, int64_t, int64_t count,
                                   float *out) {
    std::fill(out, out + count, x);
  };
  Tensor *q = find(tensors, "q"), *scale = find(tensors, "scale"),
         *zero = find(tensors, "zero"), *global = find(tensors, "global");
  if (!q || !scale)
    return {};
  oracle::quantize(spec, 1, 1, source, {q, scale, zero, global},
                   [](int64_t n, const auto &body) { body(0, n); });
  float value;
  oracle::Dequantizer(spec.group, 1, *q, *scale, zero, global)
      .floats(0, 0, 1, &value);
  std::string bits = std::to_string(scale->bits(0, 0));
  return {spec.scale == Format::F8E8M0FNU ? "byte " + bits
                                          : number(scale->value(0, 0)),
          zero ? number(zero->value(0, 0)) : "", number(q->value(0, 0)),
          number(double(value))};
}

std::string storedWords(const KernelSpec &s, float x) {
  Stored stored = store(s, x);
  return "scale " + stored.scale +
         (s.zero ? ", zero point " + stored.zero : "") + ", codes " +
         stored.code + "; all of it dequantizes to " + stored.value;
}

/// How the scale of a group is made.
std::string scaleWords(const KernelSpec &s) {
  const FormatInfo &code = info(s.out);
  if (s.scale == Format::F8E8M0FNU) {
    std::string top = std::to_string(std::ilogb(code.max));
    switch (s.rule) {
    case ScaleRule::Floor:
      return "2^(floor(log2 absmax) - " + top + "): the largest may clip";
    case ScaleRule::RCeil:
      return "2^ceil(log2(absmax / " + number(code.max) + ")): none clips";
    case ScaleRule::Ceil:
      return "2^(ceil(log2 absmax) - " + top + "): none clips";
    case ScaleRule::Even:
      return "2^(floor(log2(absmax + half an ulp of " + text(code.name) +
             ")) - " + top + "): the largest may clip";
    }
  }
  std::string steps = number(codeGrid(s).steps);
  if (!s.zero)
    return "absmax / " + steps;
  return "(max - min) / " + steps + ", where min <= 0 <= max; both ends and " +
         steps + " are halved first where max - min is beyond f32";
}

Facts quantizeFacts(const KernelSpec &s) {
  const FormatInfo &scale = info(*s.scale);
  CodeGrid grid = codeGrid(s);
  std::string low = number(grid.lowest), high = number(grid.highest);
  std::string divisor = s.divisor == Divisor::Stored
                            ? "the scale as stored"
                            : "the scale before it is stored";
  bool divides = s.inverse == Inverse::Divide;
  // (The reciprocal of a power of two in E8M0 is in f32.)
  std::string unless =
      s.scale == Format::F8E8M0FNU ? "" : ", x / d where 1 / d is beyond f32";
  Facts facts = {{"scale", groupWords(s) + " has one, stored as " +
                               text(scale.name) + ": " + scaleWords(s)}};
  bool relative = s.hasGlobal();
  if (relative)
    facts.push_back(
        {"global", "one f32 for the tensor, its largest finite magnitude / (" +
                       number(info(s.out).max) + " * " + number(scale.max) +
                       "); scales are relative to it"});
  if (s.zero)
    facts.push_back({"zero point", "stored as " + text(name(*s.zero)) +
                                       ": clamp(rne(" + low + " - min / d), " +
                                       low + ", " + high + ")"});
  facts.push_back({"code", "clamp(round(" +
                               text(divides ? "x / d" : "x * (1 / d)") + ")" +
                               (s.zero ? " + zero" : "") + ", " + low + ", " +
                               high + "), d " + divisor});
  facts.push_back(
      {"rounds", text(s.scale == Format::F8E8M0FNU
                          ? "no scale (a power of two)"
                          : "the scale in f32" +
                                (s.scale == Format::F32
                                     ? ""
                                     : ", then to " + text(scale.name))) +
                     "; " +
                     (divides ? "x / d in f32, as one division"
                              : "1 / d and x * (1 / d) in f32" + unless) +
                     "; the code (" + roundingWords(s.round) + ")"});
  std::string whose = relative ? "a relative scale" : "a scale";
  std::string saturates = "codes beyond " + low + " and " + high;
  // (The others have f32's exponents, and a scale is far below absmax.)
  bool mayOverflow = s.scale == Format::F16 || s.hasGlobal();
  if (mayOverflow)
    saturates += "; " + whose + " beyond " + number(scale.max) +
                 " is stored as that, counted as sat";
  facts.push_back({"saturates", saturates});
  if (s.scale != Format::F8E8M0FNU)
    facts.push_back({"flushes", whose + " of at most " +
                                    scientific(scale.minSubnormal / 2) +
                                    " is stored as 0 and its codes as those "
                                    "of zeros, counted as flush" +
                                    (relative ? "; so is every one where "
                                                "global rounds to 0"
                                              : "")});
  facts.push_back(
      {"group of zeros", storedWords(s, 0) + "; counted in the row"});
  facts.push_back({"NaN or Inf in a group",
                   storedWords(s, std::numeric_limits<float>::quiet_NaN()) +
                       "; counted in the row"});
  return facts;
}

std::string packingWords(Format code) {
  int bits = info(code).storageBits;
  return (bits == 8   ? "one code a byte"
          : bits == 4 ? "two codes a byte, the first in the low bits"
                      : "four codes in three bytes, low bits first") +
         text(bits == 8 ? "" : "; each row starts on a byte, pad bits are 0");
}

/// The weight a code stands for, and what is rounded on the way to it.
std::string decodeWords(const KernelSpec &s) {
  std::string scale = s.hasGlobal() ? "(scale * global)" : "scale";
  return s.zero ? "(code - zero) * " + scale + ", the difference exact"
                : "code * " + scale;
}

Facts dequantizeFacts(const KernelSpec &s) {
  return {
      {"computes", "y = " + decodeWords(s)},
      {"scale", groupWords(s) + " shares one, " + text(name(*s.scale)) +
                    (s.zero ? ", and a zero point" : "")},
      {"rounds",
       text(s.hasGlobal() ? "scale * global in f32; " : "") +
           "the product in f32" +
           (s.out == Format::F32 ? "" : "; once into " + text(name(s.out)))},
      {"group of zeros", "a scale of 0 gives zeros"},
      {"NaN", "a NaN scale makes its whole group NaN"}};
}

Facts gemmFacts(const KernelSpec &s) {
  std::string acc = text(name(s.acc));
  Facts facts = {{"computes", "C[m,n] " + text(s.accumulate ? "+" : "") +
                                  "= sum over k of A[m,k] B[n,k], in " + acc}};
  auto add = [&](std::string label, std::string words) {
    facts.push_back({std::move(label), std::move(words)});
  };
  if (s.isQuantized())
    add("B", "codes of " + text(name(s.b)) + "; " + groupWords(s) +
                 " shares a scale" + (s.zero ? " and a zero point" : "") +
                 "; a weight is " + decodeWords(s));
  std::string end = s.out == s.acc ? "" : "; once into " + text(name(s.out));
  if (s.quantizesA()) {
    KernelSpec a;
    a.op = Op::Quantize;
    a.in = s.a;
    a.out = Format::I8;
    a.group = s.group;
    a.scale = Format::F32;
    add("A", "quantized on the fly to i8 in the same groups, scale " +
                 scaleWords(a) + " in f32, codes to nearest, ties to even");
    add("sums",
        "a group's products are exact integers in i32" +
            text(s.zero ? ", less zero times the sum of A's codes" : "") +
            "; then times both scales, in f32 across groups");
    add("rounds", "A's scale and codes; the product of scales, each group's "
                  "fused multiply-add" +
                      end);
    add("group of zeros in A", storedWords(a, 0));
    add("NaN or Inf in A",
        storedWords(a, std::numeric_limits<float>::quiet_NaN()));
  } else if (isInteger(s.acc)) {
    add("rounds", "nowhere: integers are exact, and a K whose sum could leave "
                  "i32 is refused");
  } else {
    add("rounds", text(s.isQuantized() ? "the weight in f32; " : "") +
                      "each fused multiply-add, in an order that is free" +
                      end);
  }
  if (s.isQuantized())
    add("NaN", "a NaN scale makes every sum that meets its group NaN");
  if (isSampled(s))
    add("check", std::to_string(sampledRows) +
                     " rows exactly, at tile edges and by chance; all rows by "
                     "Freivalds' test");
  return facts;
}

} // namespace

Facts codeFacts(const KernelSpec &s) {
  Facts facts = s.op == Op::Quantize     ? quantizeFacts(s)
                : s.op == Op::Dequantize ? dequantizeFacts(s)
                                         : gemmFacts(s);
  if (s.isQuantized())
    facts.push_back({"packing", packingWords(s.op == Op::Quantize ? s.out
                                             : s.op == Op::Gemm   ? s.b
                                                                  : s.in)});
  return facts;
}

} // namespace labgen
