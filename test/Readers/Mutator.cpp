// Mutator.cpp - bytes, spans, numbers, JSON values and nesting.
#include "test/Readers/Mutator.h"

#include <algorithm>
#include <string_view>

/// SplitMix64 (Steele, Lea, Flood 2014); the remainder's bias does not matter.
uint64_t Mutator::random(uint64_t below) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return below ? z % below : 0;
}

std::string Mutator::next() {
  std::string text = anySeed();
  for (uint64_t rest = 1 + random(4); rest > 0; --rest)
    mutate(text);
  // Long texts cost time and show nothing new.
  return text.substr(0, 1 << 16);
}

void Mutator::mutate(std::string &text) {
  using Change = void (Mutator::*)(std::string &);
  // Values more often: they keep the text readable.
  constexpr Change changes[] = {
      &Mutator::changeByte,   &Mutator::removeSpan,    &Mutator::repeatSpan,
      &Mutator::insertToken,  &Mutator::nest,          &Mutator::splice,
      &Mutator::replaceValue, &Mutator::replaceNumber, &Mutator::replaceValue,
      &Mutator::replaceNumber};
  (this->*changes[random(std::size(changes))])(text);
}

void Mutator::changeByte(std::string &text) {
  if (!text.empty())
    text[random(text.size())] = char(random(256));
}

void Mutator::removeSpan(std::string &text) {
  if (!text.empty())
    text.erase(random(text.size()), 1 + random(16));
}

void Mutator::repeatSpan(std::string &text) {
  if (text.empty())
    return;
  std::string span = text.substr(random(text.size()), 1 + random(64));
  text.insert(random(text.size()), span);
}

static constexpr std::string_view numbers[] = {"0",
                                               "-0",
                                               "1",
                                               "-1",
                                               "0.5",
                                               "-1.5",
                                               "1e308",
                                               "1e400",
                                               "1e-400",
                                               "255",
                                               "256",
                                               "4096",
                                               "9007199254740993",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "9223372036854775808",
                                               "18446744073709551616",
                                               "2147483648",
                                               "99999999999999999999999",
                                               "1e19",
                                               "-1e19",
                                               "3.0",
                                               "00",
                                               "1."};

void Mutator::replaceNumber(std::string &text) {
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty())
    return;
  auto from = text.begin() + int64_t(random(text.size()));
  auto begin = std::find_if(from, text.end(), isDigit);
  auto end = std::find_if_not(begin, text.end(), isDigit);
  std::string_view number = numbers[random(std::size(numbers))];
  text.replace(begin, end, number.begin(), number.end());
}

static constexpr std::string_view values[] = {"null",
                                              "true",
                                              "false",
                                              "\"\"",
                                              "\"x\"",
                                              "[]",
                                              "{}",
                                              "[null]",
                                              "[[]]",
                                              "{\"a\": 1}",
                                              "-1",
                                              "\"\\u0000\"",
                                              "\"\\ud800\"",
                                              "\"../x\"",
                                              "NaN",
                                              "Infinity",
                                              "\"axpy:n=5,type=f32\"",
                                              "\"ok\"",
                                              "\"llama\"",
                                              "[1, 1, 1]"};

/// The value behind some colon, up to the next comma or bracket.
void Mutator::replaceValue(std::string &text) {
  if (text.empty())
    return;
  size_t colon = text.find(": ", random(text.size()));
  if (colon == text.npos)
    return;
  size_t begin = colon + 2;
  size_t end = std::min(text.find_first_of(",]}", begin), text.size());
  text.replace(begin, end - begin, values[random(std::size(values))]);
}

void Mutator::insertToken(std::string &text) {
  static constexpr std::string_view tokens[] = {
      "{",    "}",         "[",    "]", ",",     ":",
      "\"",   "\\",        "'",    "(", ")",     "\n",
      "\xff", "\x93NUMPY", "True", "L", "descr", "\xef\xbb\xbf",
      "\x80", " "};
  text.insert(random(text.size() + 1), tokens[random(std::size(tokens))]);
}

void Mutator::nest(std::string &text) {
  size_t depth = random(2) ? 4 : 5000;
  bool arrays = random(2);
  std::string open, close;
  for (size_t i = 0; i < depth; ++i) {
    open += arrays ? "[" : "{\"a\": ";
    close += arrays ? "]" : "}";
  }
  size_t at = random(text.size() + 1);
  text.insert(at, open + "1" + (random(4) ? close : ""));
}

void Mutator::splice(std::string &text) {
  const std::string &other = anySeed();
  text = text.substr(0, random(text.size() + 1)) +
         other.substr(random(other.size() + 1));
}
