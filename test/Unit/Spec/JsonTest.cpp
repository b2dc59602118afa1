// JsonTest.cpp - JSON in and out, and the schema validator.
#include "lib/Support/Json.h"
#include "lib/Spec/Schema.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

Json parsed(std::string_view text) {
  Result<Json> json = Json::parse(text);
  EXPECT_TRUE(json) << text << ": " << json.status().message();
  return json ? *json : Json();
}

std::string problem(std::string_view text) {
  Result<Json> json = Json::parse(text);
  EXPECT_FALSE(json) << text;
  return json ? "" : json.status().message();
}

TEST(Json, PrintsOnOneLineOrIndented) {
  Json json = Json::Object{{"b", 1}, {"a", Json::Array{true, nullptr, "x"}}};
  EXPECT_EQ(json.dump(), R"({"b": 1, "a": [true, null, "x"]})");
  EXPECT_EQ(json.dump(2), "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    null,\n"
                          "    \"x\"\n  ]\n}");
  EXPECT_EQ(Json(Json::Array{}).dump(2), "[]");
  EXPECT_EQ(Json(Json::Object{}).dump(), "{}");
}

TEST(Json, DoublesAreShortestAndReadBackTheSame) {
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(1.0).dump(), "1.0");
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  EXPECT_EQ(Json(1e300).dump(), "1e+300");
  EXPECT_EQ(Json(5e-324).dump(), "5e-324");
  EXPECT_EQ(Json(NAN).dump(), "null");
  EXPECT_EQ(Json(INFINITY).dump(), "null");
  for (double value : {0.1, 1.0, 1 / 3.0, DBL_MAX, DBL_TRUE_MIN, 1e21, 123456.0,
                       -2.5e-7, 9007199254740993.0}) {
    Json back = parsed(Json(value).dump());
    EXPECT_EQ(back.asDouble(), value);
    EXPECT_FALSE(back.asInt()) << value; // still a double
  }
}

TEST(Json, Integers) {
  EXPECT_EQ(parsed("9223372036854775807").asInt(), INT64_MAX);
  EXPECT_EQ(parsed("-9223372036854775808").asInt(), INT64_MIN);
  EXPECT_EQ(Json(INT64_MIN).dump(), "-9223372036854775808");
  EXPECT_EQ(parsed("3").asDouble(), 3);
  EXPECT_EQ(parsed("3.0").asInt(), std::nullopt);
}

TEST(Json, Strings) {
  EXPECT_EQ(Json("a\"b\\c\n\t\x01").dump(), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(*parsed(R"("\u00e9\n\"")").asString(), "\u00e9\n\"");
  // What is no UTF-8 does not make a file nobody can read.
  EXPECT_EQ(Json("a\xff").dump(), R"("a\ufffd")");
  // Nor do characters that a terminal obeys stand in it.
  EXPECT_EQ(Json("\x7f\u009b\u202e").dump(), R"("\u007f\u009b\u202e")");
  for (const char *text : {"\u00e9", "\U0001f600", "\x7f", "\u009b"})
    EXPECT_EQ(*parsed(Json(text).dump()).asString(), text);
  std::string zero("a\0b", 3);
  EXPECT_EQ(*parsed(Json(zero).dump()).asString(), zero);
}

TEST(Json, ObjectsKeepTheirOrder) {
  Json json = parsed(R"({"z": 1, "a": {"y": [1, 2.5, "s", false, null]}})");
  EXPECT_EQ(json.dump(), R"({"z": 1, "a": {"y": [1, 2.5, "s", false, null]}})");
  ASSERT_TRUE(json.find("a"));
  EXPECT_TRUE(json.find("a")->find("y")->asArray());
  EXPECT_EQ(json.find("y"), nullptr);
  EXPECT_EQ(Json(1).find("y"), nullptr);
}

TEST(Json, Errors) {
  EXPECT_NE(problem(R"({"a": 1, "a": 2})").find("key 'a' stands twice"),
            std::string::npos);
  EXPECT_NE(problem("9223372036854775808").find("out of range"),
            std::string::npos);
  EXPECT_NE(problem("[1e999]").find("out of range"), std::string::npos);
  EXPECT_NE(problem("99999999999999999999999").find("; "), std::string::npos);
  for (const char *text :
       {"", " ", "{", "[1,]", "{\"a\":}", "tru", "1 2", "{} x", "'a'", "NaN",
        "[01]", "\"\xff\"", "\"a", "// c\n1", "+1", "{\"a\" 1}", "\"\n\""}) {
    std::string line = problem(text);
    EXPECT_NE(line.find("invalid JSON at byte"), line.npos) << text << line;
    EXPECT_EQ(line.find('\n'), line.npos) << line;
  }
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_TRUE(Json::parse(std::string(200, '[') + std::string(200, ']')));
  EXPECT_NE(problem(std::string(100000, '[')).find("200 deep"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

bool fits(std::string_view value, std::string_view schema) {
  return bool(checkSchema(parsed(value), parsed(schema)));
}

TEST(Schema, Types) {
  EXPECT_TRUE(fits("1", R"({"type": "integer"})"));
  EXPECT_TRUE(fits("1.0", R"({"type": "integer"})")); // as JSON Schema has it
  EXPECT_FALSE(fits("1.5", R"({"type": "integer"})"));
  EXPECT_TRUE(fits("1.5", R"({"type": "number"})"));
  EXPECT_FALSE(fits("true", R"({"type": "number"})"));
  EXPECT_TRUE(fits("null", R"({"type": ["string", "null"]})"));
  EXPECT_FALSE(fits("1", R"({"type": ["string", "null"]})"));
  EXPECT_FALSE(fits("[]", R"({"type": "object"})"));
  EXPECT_TRUE(fits("false", R"({"type": "boolean"})"));
}

TEST(Schema, ObjectsArraysAndEnums) {
  const char *schema = R"({"title": "t", "type": "object", "required": ["a"],
    "properties": {"a": {"type": "array", "items": {"enum": ["x", 1, null]}}},
    "additionalProperties": false})";
  EXPECT_TRUE(fits(R"({"a": ["x", 1, null]})", schema));
  EXPECT_FALSE(fits(R"({"a": ["y"]})", schema));
  EXPECT_FALSE(fits(R"({})", schema));
  EXPECT_FALSE(fits(R"({"a": [], "b": 1})", schema));
  EXPECT_TRUE(fits(R"({"b": 1})", R"({"additionalProperties": {"type":
    "integer"}})"));
  EXPECT_FALSE(fits(R"({"b": ""})", R"({"additionalProperties": {"type":
    "integer"}})"));
  Status status = checkSchema(parsed(R"({"a": ["x", 2]})"), parsed(schema));
  EXPECT_EQ(status.message().find("$.a[1] is none of"), 0u) << status.message();
}

TEST(Schema, AnUnknownKeywordIsNotPassedOver) {
  EXPECT_FALSE(fits("1", R"({"minimum": 0})"));
  EXPECT_FALSE(fits("1", "3"));
  EXPECT_TRUE(fits("1", "true"));
  EXPECT_FALSE(fits("1", "false"));
}

TEST(Schema, TheSchemasOfTheLibraryAreThere) {
  for (const Json *schema : {&rowSchema(), &manifestSchema()}) {
    ASSERT_TRUE(schema->asObject());
    EXPECT_TRUE(schema->find("title"));
    EXPECT_FALSE(checkSchema(Json(Json::Object{}), *schema));
  }
}

} // namespace
