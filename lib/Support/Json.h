// Json.h - the one door between labgen and JSON.
//
// A small value type, so that the JSON library stays inside Json.cpp (built
// with exceptions, letting none out). Duplicate keys, numbers out of range and
// trailing text are errors; objects keep their order; NaN and Inf print as
// null.
#ifndef LABGEN_SUPPORT_JSON_H
#define LABGEN_SUPPORT_JSON_H

#include "lib/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace labgen {

class Json {
public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool b) : value(b) {}
  Json(int i) : value(int64_t(i)) {}
  Json(int64_t i) : value(i) {}
  Json(uint64_t i) : value(int64_t(i)) {}
  Json(double d) : value(d) {}
  Json(std::string s) : value(std::move(s)) {}
  Json(std::string_view s) : value(std::string(s)) {}
  Json(const char *s) : value(std::string(s)) {}
  Json(Array a) : value(std::move(a)) {}
  Json(Object o) : value(std::move(o)) {}
  /// null when empty.
  template <typename T> static Json maybe(const std::optional<T> &v) {
    return v ? Json(*v) : Json();
  }

  static Result<Json> parse(std::string_view text);
  /// One line when indent < 0, else pretty.
  std::string dump(int indent = -1) const;

  bool isNull() const { return std::holds_alternative<std::monostate>(value); }
  bool isNumber() const {
    return std::holds_alternative<int64_t>(value) ||
           std::holds_alternative<double>(value);
  }
  const std::string *asString() const {
    return std::get_if<std::string>(&value);
  }
  const bool *asBool() const { return std::get_if<bool>(&value); }
  const Array *asArray() const { return std::get_if<Array>(&value); }
  const Object *asObject() const { return std::get_if<Object>(&value); }
  std::optional<int64_t> asInt() const; ///< integers only
  std::optional<double> asDouble() const;
  /// Member of an object; nullptr when absent or not an object.
  const Json *find(std::string_view key) const;

private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array,
               Object>
      value;
};

} // namespace labgen

#endif // LABGEN_SUPPORT_JSON_H
