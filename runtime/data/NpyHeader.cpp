// NpyHeader.cpp - a parser for the one kind of Python dict .npy files hold.
#include "runtime/data/NpyHeader.h"

#include <limits>
#include <optional>

namespace labgen {
namespace {

/// A cursor over the dict; every read says whether it succeeded.
class Cursor {
public:
  explicit Cursor(std::string_view text) : rest(text) {}

  void skipSpace() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n' ||
                             rest[0] == '\t' || rest[0] == '\r'))
      rest.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skipSpace();
    if (rest.substr(0, token.size()) != token)
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  std::optional<std::string> string() {
    skipSpace();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return std::nullopt;
    size_t end = rest.find(rest[0], 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    return text;
  }
  std::optional<int64_t> integer() {
    skipSpace();
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9';
         ++digits)
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, rest[digits] - '0', &value))
        return std::nullopt;
    if (digits == 0)
      return std::nullopt;
    rest.remove_prefix(digits);
    take("L"); // Python 2 wrote longs
    return value;
  }
  std::optional<std::vector<int64_t>> tuple() {
    if (!take("("))
      return std::nullopt;
    std::vector<int64_t> values;
    while (!take(")")) {
      std::optional<int64_t> value = integer();
      if (!value)
        return std::nullopt;
      values.push_back(*value);
      if (take(","))
        continue;
      if (values.size() == 1 || !take(")")) // (2) is a number in brackets
        return std::nullopt;
      break;
    }
    return values;
  }
  bool atEnd() {
    skipSpace();
    return rest.empty();
  }

private:
  std::string_view rest;
};

Status damaged() {
  return Status::badInput("has a damaged .npy header; write it again with "
                          "numpy.save");
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view dict) {
  Cursor cursor(dict);
  NpyHeader header;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!cursor.take("{"))
    return damaged();
  while (!cursor.take("}")) {
    std::optional<std::string> key = cursor.string();
    if (!key || !cursor.take(":"))
      return damaged();
    if (*key == "descr" && !hasDescr) {
      hasDescr = true;
      if (cursor.take("["))
        return Status::badInput("has a structured dtype; save a plain array");
      std::optional<std::string> descr = cursor.string();
      if (!descr)
        return damaged();
      header.descr = *descr;
    } else if (*key == "fortran_order" && !hasOrder) {
      hasOrder = true;
      header.fortranOrder = cursor.take("True");
      if (!header.fortranOrder && !cursor.take("False"))
        return damaged();
    } else if (*key == "shape" && !hasShape) {
      hasShape = true;
      std::optional<std::vector<int64_t>> shape = cursor.tuple();
      if (!shape)
        return damaged();
      header.shape = *shape;
    } else {
      return damaged();
    }
    if (!cursor.take(",")) {
      if (!cursor.take("}"))
        return damaged();
      break;
    }
  }
  if (!hasDescr || !hasOrder || !hasShape || !cursor.atEnd())
    return damaged();
  return header;
}

std::string npyHeaderBytes(const NpyHeader &header) {
  std::string dict = "{'descr': '" + header.descr + "', 'fortran_order': " +
                     (header.fortranOrder ? "True" : "False") +
                     ", 'shape': " + pythonTuple(header.shape) + ", }";
  constexpr size_t prefix = 10, alignment = 64;
  while ((prefix + dict.size() + 1) % alignment != 0)
    dict += ' ';
  dict += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(dict.size() & 0xff);
  bytes += char(dict.size() >> 8);
  return bytes + dict;
}

std::string pythonTuple(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

} // namespace labgen
