// Mutator.h - near-valid inputs from valid ones, the same on every machine.
#ifndef LABGEN_TEST_READERS_MUTATOR_H
#define LABGEN_TEST_READERS_MUTATOR_H

#include <cstdint>
#include <string>
#include <vector>

/// Makes one mutant after the other of `seeds`, which must not be empty.
class Mutator {
public:
  Mutator(std::vector<std::string> seeds, uint64_t state)
      : seeds(std::move(seeds)), state(state) {}

  std::string next();

private:
  std::vector<std::string> seeds;
  uint64_t state;

  uint64_t random(uint64_t below);
  const std::string &anySeed() { return seeds[random(seeds.size())]; }
  void mutate(std::string &text);
  void changeByte(std::string &text);
  void removeSpan(std::string &text);
  void repeatSpan(std::string &text);
  void replaceNumber(std::string &text);
  void replaceValue(std::string &text);
  void insertToken(std::string &text);
  void nest(std::string &text);
  void splice(std::string &text);
};

#endif // LABGEN_TEST_READERS_MUTATOR_H
