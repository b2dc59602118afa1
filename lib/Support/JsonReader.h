// JsonReader.h - typed reading of JSON objects (internal to lib/Spec).
//
// Manifest and Row read many members that must be there and be of one type; a
// reader remembers the first that isn't, so that the code reads like the list
// of members and one check stands at its end.
#ifndef LABGEN_SUPPORT_JSONREADER_H
#define LABGEN_SUPPORT_JSONREADER_H

#include "lib/Support/Json.h"

#include <cmath>
#include <map>

namespace labgen {

class JsonReader {
public:
  /// `where` names the object in messages: "kernels[3]".
  JsonReader(const Json &json, std::string where, Status &status)
      : json(json), where(std::move(where)), status(status) {
    if (!json.asObject())
      fail("is not an object");
  }

  void read(const char *key, std::string &out) const {
    const Json *value = member(key);
    if (value && !value->isNull() && !value->asString())
      return failKey(key, "is not a string");
    out = value && value->asString() ? *value->asString() : std::string();
  }
  void read(const char *key, int64_t &out) const {
    const Json *value = member(key);
    if (value && !value->asInt())
      return failKey(key, "is not an integer");
    out = value ? *value->asInt() : 0;
  }
  void read(const char *key, bool &out) const {
    const Json *value = member(key);
    if (value && !value->asBool())
      return failKey(key, "is not true or false");
    out = value && *value->asBool();
  }
  void read(const char *key, std::optional<int64_t> &out) const {
    out.reset();
    const Json *value = member(key);
    if (!value || value->isNull())
      return;
    out = value->asInt();
    if (!out)
      failKey(key, "is neither an integer nor null");
  }
  void read(const char *key, std::optional<double> &out) const {
    out.reset();
    const Json *value = member(key);
    if (!value || value->isNull())
      return;
    out = value->asDouble();
    if (!out)
      failKey(key, "is neither a number nor null");
  }
  void read(const char *key, std::vector<int64_t> &out) const {
    out.clear();
    for (const Json &item : array(key))
      if (std::optional<int64_t> integer = item.asInt())
        out.push_back(*integer);
      else
        failKey(key, "holds something that is no integer");
  }
  void read(const char *key, std::vector<std::string> &out) const {
    out.clear();
    for (const Json &item : array(key))
      if (const std::string *text = item.asString())
        out.push_back(*text);
      else
        failKey(key, "holds something that is no string");
  }
  const Json::Array &array(const char *key) const {
    static const Json::Array none;
    const Json *value = member(key);
    if (value && !value->asArray())
      failKey(key, "is not an array");
    return value && value->asArray() ? *value->asArray() : none;
  }
  const Json::Object &object(const char *key) const {
    static const Json::Object none;
    const Json *value = member(key);
    if (value && !value->asObject())
      failKey(key, "is not an object");
    return value && value->asObject() ? *value->asObject() : none;
  }
  /// nullptr where the member is null.
  const Json *maybe(const char *key) const {
    const Json *value = member(key);
    return value && !value->isNull() ? value : nullptr;
  }

  void failKey(const char *key, const std::string &what) const {
    fail("key '" + std::string(key) + "' " + what);
  }

private:
  const Json &json;
  std::string where;
  Status &status;

  const Json *member(const char *key) const {
    const Json *value = json.find(key);
    if (!value && json.asObject())
      failKey(key, "is missing");
    return value;
  }
  void fail(const std::string &what) const {
    if (status)
      status = Status::badInput(where + ": " + what +
                                "; write the file again with this version");
  }
};

/// null when empty.
inline Json textOrNull(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}
/// null when absent or not finite.
inline Json numberOrNull(const std::optional<double> &number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

} // namespace labgen

#endif // LABGEN_SUPPORT_JSONREADER_H
