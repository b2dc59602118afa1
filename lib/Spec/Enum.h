// Enum.h - an enum, its count, its words and its order from one list.
//
// A list is a macro that calls X with the enum, an enumerator and the word that
// is read and printed for it:
//
//   #define LABGEN_INVERSES(X, E) X(E, Divide, "divide") X(E, Reciprocal, ...)
//   LABGEN_ENUM(Inverse, LABGEN_INVERSES);
//
// Whoever has a list of the same things beside it (a dialect, a table of
// functions) makes it of the same macro, or checks it against it.
#ifndef LABGEN_SPEC_ENUM_H
#define LABGEN_SPEC_ENUM_H

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace labgen {

/// The words of an enum, in the order of its enumerators.
template <typename E> struct EnumWords;

#define LABGEN_ENUMERATOR(E, NAME, WORD) NAME,
#define LABGEN_ENUM_WORD(E, NAME, WORD) WORD,
#define LABGEN_ENUM(E, LIST)                                                   \
  enum class E { LIST(LABGEN_ENUMERATOR, E) };                                 \
  template <> struct EnumWords<E> {                                            \
    static constexpr std::string_view words[] = {LIST(LABGEN_ENUM_WORD, E)};   \
  }

/// A choice of no and yes.
template <> struct EnumWords<bool> {
  static constexpr std::string_view words[] = {"no", "yes"};
};

template <typename E> constexpr size_t enumCount =
    std::size(EnumWords<E>::words);

template <typename E, size_t = std::size(EnumWords<E>::words)>
constexpr std::string_view name(E value) {
  return EnumWords<E>::words[size_t(value)];
}

template <typename E> std::vector<std::string_view> wordsOf() {
  return {std::begin(EnumWords<E>::words), std::end(EnumWords<E>::words)};
}

/// All enumerators, in order.
template <typename E> constexpr std::array<E, enumCount<E>> enumerators() {
  std::array<E, enumCount<E>> all{};
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = E(i);
  return all;
}

/// The enumerator of a word; nothing where there is none.
template <typename E>
constexpr std::optional<E> parseWord(std::string_view text) {
  for (E value : enumerators<E>())
    if (EnumWords<E>::words[size_t(value)] == text)
      return value;
  return std::nullopt;
}

} // namespace labgen

#endif // LABGEN_SPEC_ENUM_H
