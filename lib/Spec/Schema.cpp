// Schema.cpp - validates a JSON value against a schema.
#include "lib/Spec/Schema.h"
#include "lib/Spec/SchemaTexts.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>

namespace labgen {

static bool hasType(const Json &value, std::string_view type) {
  if (type == "null")
    return value.isNull();
  if (type == "boolean")
    return value.asBool();
  if (type == "string")
    return value.asString();
  if (type == "array")
    return value.asArray();
  if (type == "object")
    return value.asObject();
  if (type == "number")
    return value.isNumber();
  std::optional<double> number = value.asDouble();
  return type == "integer" && number && std::floor(*number) == *number;
}

static bool isAnnotation(std::string_view keyword) {
  for (std::string_view known : {"$schema", "$id", "title", "description"})
    if (keyword == known)
      return true;
  return false;
}

namespace {

/// One walk over value and schema, with the path for the message.
class Walk {
public:
  std::string problem;

  bool check(const Json &value, const Json &schema, const std::string &path) {
    if (const bool *allowed = schema.asBool())
      return *allowed || fail(path, "is not allowed");
    const Json::Object *keywords = schema.asObject();
    if (!keywords)
      return fail(path, "has a schema that is no object");
    for (const Json::Member &keyword : *keywords)
      if (!checkKeyword(keyword.first, keyword.second, value, schema, path))
        return false;
    return true;
  }

private:
  bool fail(const std::string &path, const std::string &what) {
    problem = path + " " + what;
    return false;
  }

  bool checkKeyword(const std::string &keyword, const Json &rule,
                    const Json &value, const Json &schema,
                    const std::string &path) {
    if (keyword == "type")
      return checkType(rule, value, path);
    if (keyword == "enum")
      return checkEnum(rule, value, path);
    if (keyword == "required")
      return checkRequired(rule, value, path);
    if (keyword == "properties")
      return checkProperties(rule, value, path);
    if (keyword == "additionalProperties")
      return checkAdditional(rule, value, schema, path);
    if (keyword == "items")
      return checkItems(rule, value, path);
    return isAnnotation(keyword) ||
           fail(path,
                "has a schema with the unsupported keyword " + quoted(keyword));
  }

  bool checkType(const Json &rule, const Json &value, const std::string &path) {
    if (const std::string *type = rule.asString())
      return hasType(value, *type) || fail(path, "is not of type " + *type);
    std::vector<std::string_view> types;
    if (const Json::Array *list = rule.asArray())
      for (const Json &type : *list)
        if (type.asString())
          types.push_back(*type.asString());
    return std::any_of(types.begin(), types.end(),
                       [&](auto type) { return hasType(value, type); }) ||
           fail(path, "is not of type " + orList(types));
  }

  bool checkEnum(const Json &rule, const Json &value, const std::string &path) {
    if (const Json::Array *list = rule.asArray())
      for (const Json &allowed : *list)
        if (allowed.dump() == value.dump())
          return true;
    return fail(path, "is none of " + rule.dump());
  }

  bool checkRequired(const Json &rule, const Json &value,
                     const std::string &path) {
    const Json::Array *names = rule.asArray();
    if (!names || !value.asObject())
      return true;
    for (const Json &name : *names)
      if (name.asString() && !value.find(*name.asString()))
        return fail(path, "lacks " + quoted(*name.asString()));
    return true;
  }

  bool checkProperties(const Json &rule, const Json &value,
                       const std::string &path) {
    const Json::Object *properties = rule.asObject();
    if (!properties)
      return true;
    for (const Json::Member &property : *properties)
      if (const Json *member = value.find(property.first))
        if (!check(*member, property.second, path + "." + property.first))
          return false;
    return true;
  }

  bool checkAdditional(const Json &rule, const Json &value, const Json &schema,
                       const std::string &path) {
    const Json::Object *members = value.asObject();
    const Json *properties = schema.find("properties");
    if (!members)
      return true;
    for (const Json::Member &member : *members)
      if (!properties || !properties->find(member.first))
        if (!check(member.second, rule, path + "." + member.first))
          return false;
    return true;
  }

  bool checkItems(const Json &rule, const Json &value,
                  const std::string &path) {
    const Json::Array *items = value.asArray();
    if (!items)
      return true;
    for (size_t i = 0; i < items->size(); ++i)
      if (!check((*items)[i], rule, path + "[" + std::to_string(i) + "]"))
        return false;
    return true;
  }
};

} // namespace

Status checkSchema(const Json &value, const Json &schema) {
  Walk walk;
  if (walk.check(value, schema, "$"))
    return Status::ok();
  return Status::badInput(walk.problem + "; correct it by the JSON schema");
}

static Json parsed(const char *text) {
  Result<Json> schema = Json::parse(text);
  // The texts are fixed at build time, and a test parses them.
  return schema ? *schema : Json(false);
}

const Json &rowSchema() {
  static const Json schema = parsed(rowSchemaText);
  return schema;
}

const Json &manifestSchema() {
  static const Json schema = parsed(manifestSchemaText);
  return schema;
}

} // namespace labgen
