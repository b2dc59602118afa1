// SpecAgreementTest.cpp - an op verifies only if its spec is legal, and a legal
// spec is an op that verifies: 10,000 random ops, the same in every run.
#include "dialects/Lab/Lab.h"
#include "test/Unit/Dialect/RandomOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace labgen;

namespace {

class SpecAgreement : public ::testing::Test {
protected:
  SpecAgreement() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<lab::LabDialect>();
  }

  /// Nothing of an op that verifies, else what its verifier says.
  std::string fault(Operation *op) {
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
      return success();
    });
    bool isLegal = succeeded(mlir::verify(op));
    EXPECT_EQ(isLegal, said.empty()) << said;
    return said;
  }

  MLIRContext context;
};

std::string text(Operation *op) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  op->print(stream, OpPrintingFlags().printGenericOpForm());
  return out;
}

/// The spec of an op that verified is legal and is what its text says.
void expectLegal(Operation *op, const KernelSpec &spec) {
  Status status = validate(spec);
  EXPECT_TRUE(status) << text(op) << "\n" << status.message();
  Result<KernelSpec> again = KernelSpec::parse(spec.str());
  ASSERT_TRUE(again) << text(op) << "\n"
                     << spec.str() << "\n"
                     << again.status().message();
  EXPECT_EQ(again->str(), spec.str()) << text(op);
}

/// Labs of the contract that no op computes yet.
bool hasNoOp(const KernelSpec &spec) {
  if (spec.op != labgen::Op::Reduce)
    return false;
  Format usual = spec.type == Format::F64 ? Format::F64 : Format::F32;
  bool inHalves = spec.type == Format::F16 && spec.acc == Format::F16;
  return !isFloat(spec.type) || (spec.acc != usual && !inHalves);
}

/// An op that no spec describes: a tile with one side in f32 already.
bool isPartOfALab(const KernelSpec &spec) {
  return spec.op == labgen::Op::Gemm && !spec.isQuantized() &&
         (spec.a == Format::F32) != (spec.b == Format::F32);
}

constexpr uint64_t cases = 10000;

TEST_F(SpecAgreement, VerifiersAndRulesSayTheSame) {
  int legal = 0, refused = 0;
  for (uint64_t number = 0; number < cases && !HasFailure(); ++number) {
    Dice dice(number);
    KernelSpec spec = randomSpec(dice);
    LooseOp loose = makeOp(spec, context);
    std::string said = fault(loose.op);
    if (isPartOfALab(spec))
      continue;
    Status status = validate(spec);
    if (status && hasNoOp(spec))
      continue;
    EXPECT_EQ(bool(status), said.empty())
        << "case " << number << ": " << spec.str() << "\n"
        << text(loose.op)
        << "\nthe rules say: " << (status ? "legal" : status.message())
        << "\nthe verifier says: " << said;
    status ? ++legal : ++refused;
    if (!said.empty())
      continue;
    FailureOr<KernelSpec> own = cast<lab::LabCost>(loose.op).getSpec();
    ASSERT_TRUE(succeeded(own)) << text(loose.op);
    EXPECT_EQ(own->str(), spec.str()) << text(loose.op);
    expectLegal(loose.op, *own);
  }
  EXPECT_GT(legal, 2000);
  EXPECT_GT(refused, 2000);
}

TEST_F(SpecAgreement, WhatVerifiesIsLegalHoweverItWasSpoiled) {
  int legal = 0, refused = 0;
  for (uint64_t number = 0; number < cases && !HasFailure(); ++number) {
    Dice dice(cases + number);
    LooseOp loose = makeOp(randomSpec(dice), context);
    for (uint64_t faults = 1 + dice.roll(2); faults > 0; --faults)
      spoil(loose, dice);
    if (!fault(loose.op).empty()) {
      ++refused;
      continue;
    }
    FailureOr<KernelSpec> spec = cast<lab::LabCost>(loose.op).getSpec();
    if (failed(spec))
      continue; // of dynamic size, or part of a lab
    ++legal;
    expectLegal(loose.op, *spec);
  }
  EXPECT_GT(legal, 500);
  EXPECT_GT(refused, 2000);
}

} // namespace
