// Oracles.h - what a cast must give, from sources that share no code.
//
// `encode` of lib/Spec states the contract; the other oracle is LLVM's APFloat
// where it is right, and a table of constants with plain comparisons where it
// is not: NaN and Inf (it keeps NaN's sign and gives 0 for them in f4 and f6),
// saturation (it has none), overflow away from zero or towards it, and E8M0
// (its ties go up, signs are dropped, what is below 2^-127 is lost).
#ifndef LABGEN_TEST_CASTS_ORACLES_H
#define LABGEN_TEST_CASTS_ORACLES_H

#include "lib/Spec/Convert.h"

#include <string>
#include <vector>

namespace labgen {

/// The value and its code in its own format.
struct CastInput {
  Format format;
  uint64_t bits;
};

/// Compares results of one cast with both oracles and keeps the first faults.
class CastJudge {
public:
  explicit CastJudge(const KernelSpec &spec);

  /// Whether `got` is the code of `bits`; a fault is kept, and after 10 of them
  /// only counted.
  bool check(uint64_t bits, uint64_t got);
  /// Counts a fault that check() cannot see.
  void fault(uint64_t bits, const std::string &what);

  /// Fails the running test with the faults, or when nothing was checked.
  void finish() const;
  int64_t faults() const { return numFaults; }

private:
  bool isWanted(uint64_t want, uint64_t got) const;

  const KernelSpec spec;
  EncodeRules rules;
  int64_t checked = 0, numFaults = 0;
  std::vector<std::string> first;
};

/// The second oracle.
uint64_t independentCode(CastInput x, Format out, const EncodeRules &rules);

/// The decoded value of a code, by APFloat or a table, as an f64.
double independentValue(CastInput x);

} // namespace labgen

#endif // LABGEN_TEST_CASTS_ORACLES_H
