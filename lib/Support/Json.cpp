// Json.cpp - the one file that sees nlohmann/json (built with exceptions; none
// leaves it).
//
// Parsing goes through the SAX interface, so that duplicate keys, numbers out
// of range and deep nesting are found while the text is read. Printing is our
// own: doubles in the shortest form that reads back the same.
#include "lib/Support/Json.h"
#include "lib/Support/Text.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace labgen {

namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;

/// Builds a Json; returning false stops the parser, and `problem` says why.
class Builder : public Sax {
public:
  Json root;
  std::string problem;

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override {
    return add(Json(int64_t(value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > uint64_t(INT64_MAX))
      return stop("number " + std::to_string(value) + " is out of range");
    return add(Json(int64_t(value)));
  }
  bool number_float(number_float_t value, const string_t &text) override {
    // An integer beyond 64 bits arrives here, rounded.
    if (!std::isfinite(value) || text.find_first_of(".eE") == text.npos)
      return stop("number " + quoted(text) + " is out of range");
    return add(Json(double(value)));
  }
  bool string(string_t &value) override { return add(Json(std::move(value))); }
  bool binary(binary_t &) override { return stop("binary data"); }
  bool start_object(size_t) override { return open(false); }
  bool start_array(size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    Level &top = levels.back();
    if (!top.names.insert(name).second)
      return stop("key " + quoted(name) + " stands twice in one object");
    top.key = std::move(name);
    return true;
  }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::json::exception &error) override {
    // 406 is a number that overflows a double.
    return stop((error.id == 406 ? "number out of range" : "invalid JSON") +
                std::string(" at byte ") + std::to_string(position));
  }

private:
  struct Level {
    bool isArray;
    Json::Array array;
    Json::Object object;
    std::set<std::string> names;
    std::string key;
  };
  std::vector<Level> levels;

  bool stop(std::string why) {
    problem = std::move(why);
    return false;
  }
  bool add(Json value) {
    if (levels.empty())
      root = std::move(value);
    else if (levels.back().isArray)
      levels.back().array.push_back(std::move(value));
    else
      levels.back().object.emplace_back(std::move(levels.back().key),
                                        std::move(value));
    return true;
  }
  bool open(bool isArray) {
    // Values are destroyed recursively; no file of ours nests ten deep.
    if (levels.size() >= 200)
      return stop("nested more than 200 deep");
    levels.push_back({isArray, {}, {}, {}, {}});
    return true;
  }
  bool close() {
    Level level = std::move(levels.back());
    levels.pop_back();
    return add(level.isArray ? Json(std::move(level.array))
                             : Json(std::move(level.object)));
  }
};

std::string printDouble(double value) {
  if (!std::isfinite(value))
    return "null";
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  // Marks it as a double, so that it reads back as one.
  if (text.find_first_of(".e") == text.npos)
    text += ".0";
  return text;
}

std::string printString(const std::string &value) {
  // Bytes that are no UTF-8 become U+FFFD. All beyond ASCII is escaped: a line
  // of JSON on a terminal must not steer it.
  return nlohmann::json(value).dump(-1, ' ', true,
                                    nlohmann::json::error_handler_t::replace);
}

} // namespace

Result<Json> Json::parse(std::string_view text) {
  Builder builder;
  bool good = false;
  try {
    good = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  } catch (const std::exception &error) {
    builder.problem = error.what();
  }
  if (!good)
    return Status::badInput(
        (builder.problem.empty() ? "invalid JSON" : builder.problem) +
        "; correct the JSON text");
  return std::move(builder.root);
}

static void dumpTo(const Json &json, int indent, int depth, std::string &out);

static void dumpBreak(int indent, int depth, std::string &out) {
  if (indent < 0)
    return;
  out += '\n';
  out.append(size_t(indent) * size_t(depth), ' ');
}

/// Arrays and objects alike: `each` prints the element at an index.
template <typename Each>
static void dumpElements(char open, char close, size_t size, int indent,
                         int depth, std::string &out, Each each) {
  out += open;
  for (size_t i = 0; i < size; ++i) {
    if (i)
      out += indent < 0 ? ", " : ",";
    dumpBreak(indent, depth + 1, out);
    each(i);
  }
  if (size)
    dumpBreak(indent, depth, out);
  out += close;
}

static void dumpTo(const Json &json, int indent, int depth, std::string &out) {
  if (const std::string *text = json.asString()) {
    out += printString(*text);
  } else if (const bool *flag = json.asBool()) {
    out += *flag ? "true" : "false";
  } else if (std::optional<int64_t> integer = json.asInt()) {
    out += std::to_string(*integer);
  } else if (std::optional<double> number = json.asDouble()) {
    out += printDouble(*number);
  } else if (const Json::Array *array = json.asArray()) {
    dumpElements('[', ']', array->size(), indent, depth, out, [&](size_t i) {
      dumpTo((*array)[i], indent, depth + 1, out);
    });
  } else if (const Json::Object *object = json.asObject()) {
    dumpElements('{', '}', object->size(), indent, depth, out, [&](size_t i) {
      out += printString((*object)[i].first) + ": ";
      dumpTo((*object)[i].second, indent, depth + 1, out);
    });
  } else {
    out += "null";
  }
}

// noexcept in effect: nothing but an allocation can throw here, and without
// exceptions in the callers that ends the process anywhere else too.
std::string Json::dump(int indent) const {
  std::string out;
  dumpTo(*this, indent, 0, out);
  return out;
}

std::optional<int64_t> Json::asInt() const {
  if (const int64_t *integer = std::get_if<int64_t>(&value))
    return *integer;
  return std::nullopt;
}

std::optional<double> Json::asDouble() const {
  if (const double *number = std::get_if<double>(&value))
    return *number;
  if (const int64_t *integer = std::get_if<int64_t>(&value))
    return double(*integer);
  return std::nullopt;
}

const Json *Json::find(std::string_view key) const {
  if (const Object *object = asObject())
    for (const Member &member : *object)
      if (member.first == key)
        return &member.second;
  return nullptr;
}

} // namespace labgen
