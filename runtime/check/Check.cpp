// Check.cpp - the verdict on a run.
//
// First what holds for every op (guards, inputs as they were), then the op's
// own check.
#include "runtime/check/Check.h"

#include "runtime/check/Checks.h"
#include "runtime/core/Chunks.h"

#include <cmath>
#include <cstring>

namespace labgen {
namespace {

/// First byte of a tensor that differs from another of the same size.
struct FirstByte {
  int64_t at = -1;
  void merge(const FirstByte &other) {
    if (at < 0 || (other.at >= 0 && other.at < at))
      at = other.at;
  }
};

void checkInput(Judged &run, const Tensor &before, const Tensor &after) {
  if (before.data() == after.data())
    return; // memory that the kernel could not write to
  constexpr int64_t block = 1 << 16;
  FirstByte changed = mapChunks<FirstByte>(
      run.parallel, 1, after.byteSize(), block,
      [&](int64_t, int64_t begin, int64_t count, FirstByte &part) {
        const std::byte *was = before.data() + begin;
        const std::byte *is = after.data() + begin;
        if (!std::memcmp(was, is, size_t(count)))
          return;
        int64_t i = 0;
        while (was[i] == is[i])
          ++i;
        part.merge({begin + i});
      });
  if (changed.at < 0)
    return;
  const Argument &argument = after.argument();
  int64_t rowBytes = argument.rowBytes(), row = changed.at / rowBytes;
  int64_t column =
      std::min(after.columns() - 1,
               changed.at % rowBytes * 8 / info(argument.format).storageBits);
  run.fail(
      "the input " + elementName(argument, row * after.columns() + column) +
      " was changed to " +
      valueAndBits(argument.format, after.bits(row, column)) + ", it was " +
      valueAndBits(argument.format, before.bits(row, column)));
}

void checkOp(Judged &run) {
#define LABGEN_CHECK(E, NAME, WORD) check##NAME,
  static void (*const checks[])(Judged &) = {LABGEN_OPS(LABGEN_CHECK, Op)};
#undef LABGEN_CHECK
  checks[size_t(run.spec.op)](run);
}

} // namespace

void Findings::countSpecials(const double *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    counts.nan += std::isnan(values[i]);
    counts.inf += std::isinf(values[i]);
  }
}

Verdict check(const KernelSpec &spec, const Tensors &before,
              const Tensors &after, const ParallelFor &parallel,
              const CheckOptions &options) {
  Judged run{spec, before, after, parallel, options, {}};
  run.verdict.right = true;
  run.verdict.checked = "all";
  for (const Argument &argument : arguments(spec)) {
    const Tensor *was = find(before, argument.name);
    const Tensor *is = find(after, argument.name);
    if (!was || !is || was->byteSize() != argument.bytes() ||
        is->byteSize() != argument.bytes()) {
      run.fail("the argument " + argument.name +
               " is missing or not of the spec's size");
      return run.verdict;
    }
    if (std::string_view where = is->brokenGuard(); !where.empty())
      run.fail("the guard " + std::string(where) + " byte of " + argument.name +
               " was overwritten");
    if (argument.role == Role::Input)
      checkInput(run, *was, *is);
  }
  checkOp(run);
  return run.verdict;
}

} // namespace labgen
