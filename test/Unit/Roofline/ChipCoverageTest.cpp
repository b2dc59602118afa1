// ChipCoverageTest.cpp - no lab is without a prediction on a default chip, and
// no figure of its hardware is missing in silence.
#include "lib/Roofline/chips/Chip.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace labgen;

namespace {

/// Of the products that stand for one.
std::multiset<std::string> gpuTargets() {
  std::multiset<std::string> targets;
  for (const Chip &chip : builtInChips())
    if (chip.byDefault)
      targets.insert(chip.target);
  return targets;
}

Chip defaultChip(const std::string &target) {
  Result<Chip> chip = ChipTable().find(std::string(defaultProduct(target)));
  EXPECT_TRUE(chip) << target;
  return chip ? *chip : Chip();
}

TEST(ChipCoverage, OneProductStandsForEachGpuTarget) {
  std::multiset<std::string> targets = gpuTargets();
  for (const Chip &chip : builtInChips())
    if (chip.unit != "core")
      EXPECT_EQ(targets.count(chip.target), 1u) << chip.name;
}

/// Every op with every combination of formats that is a lab.
std::vector<KernelSpec> labs() {
  std::vector<std::string> texts;
  for (Format one : allFormats()) {
    std::string a(name(one));
    for (const char *acc : {"", ",acc=f64", ",acc=bf16", ",acc=f16"}) {
      texts.push_back("axpy:n=4096,type=" + a + acc);
      for (const char *kind : {"sum", "dot", "max", "absmax", "sumsq"})
        texts.push_back("reduce:n=4096,type=" + a + ",kind=" + kind + acc);
    }
    for (Format two : allFormats()) {
      std::string b(name(two));
      texts.push_back("cast:n=4096,in=" + a + ",out=" + b);
      texts.push_back("exp:n=4096,in=" + a + ",out=" + b);
      for (const char *scale : {"f32", "f8E8M0FNU"})
        for (const char *zero : {"", "i8", "u8", "i4", "u4"}) {
          std::string group = std::string(",group=32,scale=") + scale +
                              (*zero ? std::string(",zero=") + zero : "");
          std::string types = ",in=" + a + ",out=" + b + group;
          texts.push_back("quantize:m=64,k=64" + types);
          texts.push_back("dequantize:m=64,k=64" + types);
          std::string gemm = "gemm:m=64,n=64,k=64,a=" + a + ",b=" + b + group;
          texts.push_back(gemm);
          texts.push_back(gemm + ",compute=i8");
        }
      for (const char *acc : {"", ",acc=f64", ",acc=bf16", ",acc=f16"})
        texts.push_back("gemm:m=64,n=64,k=64,a=" + a + ",b=" + b + acc);
    }
  }
  std::vector<KernelSpec> legal;
  for (const std::string &text : texts)
    if (Result<KernelSpec> spec = KernelSpec::parse(text))
      legal.push_back(*spec);
  return legal;
}

TEST(ChipCoverage, EveryLabHasATimeAndTwoRoofsOnEveryDefaultChip) {
  std::vector<KernelSpec> all = labs();
  std::set<Op> ops;
  for (const KernelSpec &spec : all)
    ops.insert(spec.op);
  EXPECT_EQ(ops.size(), 7u);
  EXPECT_GT(all.size(), 800u);
  for (const std::string &target : gpuTargets()) {
    Chip chip = defaultChip(target);
    std::string vectors = target[0] == 'n' ? "simt" : "valu";
    for (const KernelSpec &spec : all) {
      ChipPrediction p = predictOn(spec, chip);
      ASSERT_TRUE(p.datasheet && p.achievable) << chip.name << spec.str();
      EXPECT_GT(p.achievable->seconds, p.datasheet->seconds) << spec.str();
      EXPECT_GT(p.datasheet->gflops, 0);
      std::optional<RowRoof> roof = datasheetRoof(spec, chip, {vectors});
      ASSERT_TRUE(roof && roof->gflops && roof->codeGflops)
          << chip.name << " " << spec.str();
      EXPECT_EQ(roof->codeIsa, vectors);
      EXPECT_LE(*roof->codeGflops, *roof->gflops);
      EXPECT_FALSE(roof->isa.empty());
    }
  }
}

/// The operand types of each chip's matrix instructions, by the vendors'
/// documents of instructions (PTX ISA: mma, wgmma, tcgen05; AMD's ISA guides).
/// f8, f6: both kinds.
const std::map<std::string, std::vector<Format>> matrixTypes = {
    {"nvvm:sm_80",
     {Format::F64, Format::TF32, Format::BF16, Format::F16, Format::I8,
      Format::I4}},
    // Its f64 instruction runs at the pace of the few f64 lanes; not printed.
    {"nvvm:sm_89",
     {Format::TF32, Format::BF16, Format::F16, Format::F8E4M3FN, Format::F8E5M2,
      Format::I8, Format::I4}},
    {"nvvm:sm_90a",
     {Format::F64, Format::TF32, Format::BF16, Format::F16, Format::F8E4M3FN,
      Format::F8E5M2, Format::I8}},
    {"nvvm:sm_100a",
     {Format::F64, Format::TF32, Format::BF16, Format::F16, Format::F8E4M3FN,
      Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN, Format::F4E2M1FN,
      Format::I8}},
    {"nvvm:sm_120a",
     {Format::TF32, Format::BF16, Format::F16, Format::F8E4M3FN, Format::F8E5M2,
      Format::F6E2M3FN, Format::F6E3M2FN, Format::F4E2M1FN, Format::I8}},
    {"rocdl:gfx90a",
     {Format::F64, Format::F32, Format::BF16, Format::F16, Format::I8}},
    {"rocdl:gfx942",
     {Format::F64, Format::F32, Format::TF32, Format::BF16, Format::F16,
      Format::F8E4M3FNUZ, Format::F8E5M2FNUZ, Format::I8}},
    {"rocdl:gfx950",
     {Format::F64, Format::F32, Format::BF16, Format::F16, Format::F8E4M3FN,
      Format::F8E5M2, Format::F6E2M3FN, Format::F6E3M2FN, Format::F4E2M1FN,
      Format::I8}},
    {"rocdl:gfx1100", {Format::BF16, Format::F16, Format::I8, Format::I4}},
    {"rocdl:gfx1201",
     {Format::BF16, Format::F16, Format::F8E4M3FN, Format::F8E5M2, Format::I8,
      Format::I4}}};

TEST(ChipCoverage, EachTypeOfAMatrixInstructionHasAFigure) {
  for (const std::string &target : gpuTargets()) {
    auto types = matrixTypes.find(target);
    ASSERT_NE(types, matrixTypes.end()) << target;
    for (const Chip &chip : builtInChips()) {
      bool named = chip.name == defaultProduct(target) ||
                   (chip.target == target && chip.name != "L4" &&
                    chip.name != "RTX 4090");
      if (!named)
        continue;
      for (Format format : allFormats()) {
        bool listed = std::any_of(chip.peaks.begin(), chip.peaks.end(),
                                  [&](const ChipPeak &peak) {
                                    return peak.format == format && peak.matrix;
                                  });
        bool has =
            std::count(types->second.begin(), types->second.end(), format);
        EXPECT_EQ(listed, has) << chip.name << " " << name(format);
      }
    }
  }
}

/// Values the vendors print.
TEST(ChipCoverage, PublishedFigures) {
  auto tera = [](const char *chip, Format format, bool matrix) {
    Result<Chip> found = ChipTable().find(chip);
    double best = 0;
    if (found)
      for (const ChipPeak &peak : found->peaks)
        if (peak.format == format && peak.matrix == matrix)
          best = std::max(best, peak.tera);
    return best;
  };
  EXPECT_EQ(tera("B200", Format::F32, false), 75);
  EXPECT_EQ(tera("B200", Format::F64, false), 37);
  EXPECT_EQ(tera("B200", Format::F64, true), 37);
  EXPECT_EQ(tera("B200", Format::F6E2M3FN, true), 4500);
  EXPECT_EQ(tera("GB200", Format::F32, false), 80);
  EXPECT_EQ(tera("GB200", Format::F64, false), 40);
  EXPECT_EQ(tera("GB200", Format::F6E3M2FN, true), 5000);
  EXPECT_EQ(tera("MI300X", Format::F32, true), 163.4);
  EXPECT_EQ(tera("MI325X", Format::F32, true), 163.4);
  EXPECT_EQ(tera("MI350X", Format::F32, true), 144.2);
  EXPECT_EQ(tera("MI350X", Format::BF16, true), 2306.9);
  EXPECT_EQ(tera("MI350X", Format::F6E3M2FN, true), 9227);
  EXPECT_EQ(tera("MI355X", Format::F32, true), 157.3);
}

} // namespace
