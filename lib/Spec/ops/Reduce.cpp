// Reduce.cpp - reduce: the sum, dot product or extreme of n elements.
#include "lib/Spec/ops/Reduce.h"
#include "lib/Spec/ops/Sums.h"
#include "lib/Spec/ops/Words.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace labgen {

//===----------------------------------------------------------------------===//
// Bound
//===----------------------------------------------------------------------===//

/// Relative growth of a compensated sum. Kahan: the sum of (1 + e_i) x_i with
/// |e_i| <= 2u + O(n u^2) (Higham 4.8). Per level there are two such sums, of
/// each accumulator and of the fold; O(n u^2) is taken as 8 n u^2 with n
/// counting the 256 numbers folded.
static double compensatedGrowth(const KernelSpec &spec, double u) {
  double growth = 1, block = double(spec.block);
  for (double left = double(spec.n); left > 1; left = std::ceil(left / block)) {
    double taken = std::ceil(std::min(left, block) / 128);
    growth *= 1 + 4 * u + 8 * (taken + 256) * u * u;
  }
  return growth - 1;
}

double reduceBound(const KernelSpec &spec, double magnitudeSum, double exact) {
  bool hasProducts = addsProducts(spec.kind);
  if (isInteger(spec.type) || !isSum(spec.kind) || spec.n == 0)
    return 0;
  if (std::isnan(magnitudeSum) || std::isnan(exact))
    return std::numeric_limits<double>::quiet_NaN();
  double u = unitRoundoff(spec.acc);
  // A fused multiply-add rounds once per term, the first one too; compensated
  // sums round the product first: one more either way.
  double growth =
      spec.order == SumOrder::Compensated
          ? compensatedGrowth(spec, u)
          : gamma(sumDepth(spec.order, spec.n, spec.block) + hasProducts, u);
  if (spec.order == SumOrder::Compensated && hasProducts)
    growth = (1 + growth) * (1 + u) - 1;
  // What partial sums may reach; beyond the largest number they are Inf.
  double reach = std::max(magnitudeSum, std::fabs(exact)) * (1 + growth);
  if (reach > info(spec.acc).max)
    return std::numeric_limits<double>::infinity();
  double underflow =
      hasProducts
          ? double(spec.n) * info(spec.acc).minSubnormal / 2 * (1 + growth)
          : 0;
  return growth * magnitudeSum + underflow;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static std::string orderWords(const KernelSpec &s) {
  std::string block = std::to_string(s.block);
  switch (s.order) {
  case SumOrder::Sequential:
    return "by index";
  case SumOrder::Blocked:
    return blockedWords(s.block);
  case SumOrder::Pairwise:
    return "runs of " + block +
           " in order, then neighbours pairwise, an odd last one moves up";
  case SumOrder::Compensated:
    return "per block of " + block +
           " elements 128 Kahan pairs, folded in order with compensation (a "
           "correction that is not finite is dropped); block results by the "
           "same rule";
  }
  return "";
}

static Facts extremeFacts(const KernelSpec &s) {
  Facts facts = {{"rounds", "nowhere: exact"}};
  if (!isInteger(s.type))
    facts.push_back({"NaN", "propagates; -0 < +0"});
  facts.push_back({"no elements", s.kind != ReduceKind::Max ? "0"
                                  : isInteger(s.type)       ? "the lowest value"
                                                            : "-Inf"});
  return facts;
}

static Facts sumFacts(const KernelSpec &s) {
  std::string acc = formatText(s.acc);
  if (isInteger(s.type))
    return {
        {"rounds", "nowhere: integers are exact in any order"},
        {"overflow", "none: an n whose sum could leave " + acc + " is refused"},
        {"no elements", "0"}};
  std::string products = !addsProducts(s.kind) ? ""
                         : s.order == SumOrder::Compensated
                             ? ", products before it"
                             : ", products fused into it";
  return {{"order", orderWords(s) +
                        "; the same bits for any threads, schedule and target"},
          {"rounds", "every addition in " + acc + products},
          {"overflow", "to Inf"},
          {"NaN", "propagates, as does Inf - Inf"},
          {"no elements", "0"}};
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

namespace {

class Reduce final : public OpInfo {
public:
  Reduce()
      : OpInfo(Op::Reduce, {"n", "type", "kind", "order", "block", "acc"},
               {"n", "type", "kind"}) {}

  Formats formats(std::string_view key) const override {
    if (key == "acc")
      return accumulatorFormats();
    return {Format::F64, Format::F32, Format::BF16,
            Format::F16, Format::I8,  Format::U8};
  }

  void resolveDefaults(KernelSpec &s,
                       const std::set<std::string_view> &given) const override {
    if (!given.count("acc"))
      s.acc = defaultAccumulator(s.type);
    if (!given.count("block"))
      s.block = s.order == SumOrder::Pairwise ? 128 : 16384;
  }

  std::string misplaced(const KernelSpec &s,
                        std::string_view key) const override {
    if ((key == "order" || key == "block") && !isSum(s.kind))
      return "kind=" + text(labgen::name(s.kind)) + " takes no " + text(key) +
             "; remove " + text(key) + " or use sum, dot or sumsq";
    if (key == "block" && s.order == SumOrder::Sequential)
      return "order=sequential takes no block; remove block or use blocked, "
             "pairwise or compensated";
    return OpInfo::misplaced(s, key);
  }

  Status check(const KernelSpec &s) const override {
    if (Status status = checkAccumulator(s, s.type, false); !status)
      return status;
    if (!isSum(s.kind))
      return Status::ok();
    bool blocked =
        s.order == SumOrder::Blocked || s.order == SumOrder::Compensated;
    // A block of 1 hands on as many results as it takes: no level ends it.
    int64_t least = blocked ? 2 : 1;
    if (s.order != SumOrder::Sequential && s.block < least)
      return Status::badInput(
          "block=" + std::to_string(s.block) +
          " is too small for order=" + text(labgen::name(s.order)) +
          "; use block=" + std::to_string(least) + " or more");
    if (!isInteger(s.type))
      return Status::ok();
    double term = magnitude(s.type);
    return checkIntegerSum("n", s.n, addsProducts(s.kind) ? term * term : term);
  }

  std::vector<Argument> arguments(const KernelSpec &s) const override {
    std::vector<Argument> out = {{"x", Role::Input, s.type, {s.n}}};
    if (s.kind == ReduceKind::Dot)
      out.push_back({"y", Role::Input, s.type, {s.n}});
    out.push_back({"r", Role::Output, s.acc, {}});
    return out;
  }

  CheckedCount flops(const KernelSpec &s) const override {
    // n additions or comparisons: the first meets +0 or -Inf.
    return CheckedCount(s.n) * (addsProducts(s.kind) ? 2 : 1);
  }

  UnitNeeds units(const KernelSpec &s) const override {
    return vectorUnits(s.acc == Format::F64);
  }

  RelativeBound relativeBound(const KernelSpec &s) const override {
    return {reduceBound(s, 1, 1), "the sum of magnitudes"};
  }
  std::string boundWords(const KernelSpec &) const override {
    return "the bits match the oracle";
  }

  TieGrid ties(const KernelSpec &, const Argument &) const override {
    return {};
  }

  bool ignoresOrder(const KernelSpec &s) const override {
    return s.kind != ReduceKind::Dot;
  }

  std::string formatsText(const KernelSpec &s) const override {
    return text(labgen::name(s.kind)) + " " + formatText(s.type);
  }
  std::string shapeText(const KernelSpec &s) const override {
    return std::to_string(s.n);
  }
  std::string arithmeticText(const KernelSpec &s) const override {
    return isSum(s.kind) ? text(labgen::name(s.order)) : "";
  }

  Facts explain(const KernelSpec &s, const StoredWords &) const override {
    Facts facts = isSum(s.kind) ? sumFacts(s) : extremeFacts(s);
    facts.insert(
        facts.begin(),
        {"computes", "the " + text(labgen::name(s.kind)) + " of all elements"});
    return facts;
  }
};

} // namespace

const OpInfo &opReduce() {
  static const Reduce op;
  return op;
}

} // namespace labgen
