// Dequantize.cpp - dequantize: codes and their scales to y [m,k].
#include "lib/Spec/ops/Codes.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"

namespace labgen {
namespace {

class Dequantize final : public OpInfo {
public:
  Dequantize()
      : OpInfo(Op::Dequantize,
               {"m", "k", "in", "out", "group", "scale", "zero"},
               {"m", "k", "in", "out", "group", "scale"}) {}

  Formats formats(std::string_view key) const override {
    return key == "scale"  ? scaleFormats()
           : key == "zero" ? zeroFormats()
           : key == "in"   ? formatsThat(isCode)
                           : activationFormats();
  }

  Status check(const KernelSpec &s) const override {
    return checkCodes(s, s.in);
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    std::vector<Argument> out = {
        {"q", Role::Input, s.in, {s.m, s.k}, ArgumentKind::Codes}};
    addScales(s, "", Role::Input, out);
    out.push_back({"y", Role::Output, s.out, {s.m, s.k}});
    return out;
  }

  std::optional<CodeMatrix> codes(const KernelSpec &s) const override {
    return CodeMatrix{s.in, s.m, s.k};
  }

  CheckedCount flops(const KernelSpec &s) const override {
    return CheckedCount(s.m) * s.k * (s.zero ? 2 : 1); // subtract, multiply
  }

  UnitNeeds units(const KernelSpec &) const override {
    return vectorUnits(false);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {gamma(2, unitRoundoff(Format::F32)) + unitRoundoff(s.out),
            "the exact value"};
  }
  std::string boundWords(const KernelSpec &s) const override {
    return text(s.hasGlobal() ? "two products" : "one product") +
           " in f32, one rounding into " + formatText(s.out);
  }

  TieGrid ties(const KernelSpec &s, const Argument &) const override {
    return quantizeTies(s, s.in);
  }

  std::string formatsText(const KernelSpec &s) const override {
    return conversionText(s);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.m) + "x" + std::to_string(s.k);
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    return {
        {"computes", "y = " + decodeWords(s)},
        {"scale", groupWords(s) + " shares one, " + formatText(*s.scale) +
                      (s.zero ? ", and a zero point" : "")},
        {"rounds",
         text(s.hasGlobal() ? "scale * global in f32; " : "") +
             "the product in f32" +
             (s.out == Format::F32 ? "" : "; once into " + formatText(s.out))},
        {"group of zeros", "a scale of 0 gives zeros"},
        {"NaN", "a NaN scale makes its whole group NaN"}};
  }
};

} // namespace

const OpInfo &opDequantize() {
  static const Dequantize op;
  return op;
}

} // namespace labgen
