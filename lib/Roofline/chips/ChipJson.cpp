// ChipJson.cpp - chips that users add.
//
// Units stand in the key names, `sparse` must be said (and be false), and a
// peak that gives its operations per clock has to agree with them within 1%: a
// factor of two there is the mistake most tables have.
#include "lib/Roofline/chips/Chip.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cmath>

using namespace labgen;

namespace {

/// Reads members of one object and remembers the first that is wrong.
class Members {
public:
  Members(const Json &json, std::string where, Status &status)
      : json(json), where(std::move(where)), status(status) {
    if (!json.asObject())
      fail("is no object", "write {\"name\": ..., \"peaks\": [...]}");
  }

  void onlyKeys(const std::vector<std::string_view> &known) {
    if (const Json::Object *object = json.asObject())
      for (const auto &[key, value] : *object)
        if (std::find(known.begin(), known.end(), key) == known.end())
          fail("has an unknown key " + quoted(key),
               "did you mean " + quoted(nearest(key, known)) + "?");
  }
  std::string text(const char *key, bool required) {
    const Json *value = json.find(key);
    if (value && value->asString() && !value->asString()->empty())
      return *value->asString();
    if (value || required)
      fail(std::string(key) + (value ? " is no text" : " is missing"),
           std::string("give \"") + key + "\": \"...\"");
    return "";
  }
  std::optional<double> number(const char *key, bool required,
                               bool whole = false) {
    const Json *value = json.find(key);
    if (!value && !required)
      return std::nullopt;
    std::optional<double> number = value ? value->asDouble() : std::nullopt;
    if (number && *number > 0 && *number < 1e12 && (!whole || value->asInt()))
      return number;
    fail(std::string(key) + (value ? " is no positive number" : " is missing"),
         std::string("give a ") + (whole ? "whole number" : "number") +
             " above 0");
    return std::nullopt;
  }
  const Json *find(const char *key) const { return json.find(key); }
  void fail(const std::string &what, const std::string &advice) {
    if (status)
      status = Status::badInput(where + ": " + what + "; " + advice);
  }

private:
  const Json &json;
  std::string where;
  Status &status;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

ChipPeak readPeak(const Json &json, const Chip &chip, const std::string &where,
                  Status &status) {
  ChipPeak peak;
  Members in(json, where, status);
  in.onlyKeys({"format", "unit", "accumulate", "isa", "tera_per_s", "sparse",
               "per_clock", "ghz", "source"});
  auto format = [&](const char *key) {
    std::string text = in.text(key, true);
    std::optional<Format> known = parseFormat(text);
    if (!known && !text.empty())
      in.fail(std::string(key) + " " + quoted(text) + " is no format",
              "see labgen formats");
    return known.value_or(Format::F32);
  };
  peak.format = format("format");
  peak.accumulate = format("accumulate");
  std::string unit = in.text("unit", true);
  if (!unit.empty() && unit != "matrix" && unit != "vector")
    in.fail("unit is " + quoted(unit), "give \"matrix\" or \"vector\"");
  peak.matrix = unit == "matrix";
  peak.isa = in.text("isa", false);
  if (peak.isa.empty())
    peak.isa = unit;
  peak.tera = in.number("tera_per_s", true).value_or(1);
  const Json *sparse = in.find("sparse");
  if (!sparse || !sparse->asBool())
    in.fail("sparse is not said",
            "give \"sparse\": false and the dense figure");
  else if (*sparse->asBool())
    in.fail("a sparse peak is no roof of a dense kernel",
            "give the dense figure (half of it with 2:4 sparsity)");
  peak.perClock = in.number("per_clock", false).value_or(0);
  peak.ghz = in.number("ghz", false).value_or(0);
  double derived = double(chip.units) * peak.perClock * peak.ghz / 1000;
  if (derived > 0 && std::abs(peak.tera / derived - 1) > 0.01) {
    bool twice = std::abs(peak.tera / derived - 2) < 0.05;
    in.fail("tera_per_s is " + number(peak.tera) +
                " but units x per_clock x ghz gives " + number(derived),
            twice ? "give the dense figure, not the sparse one"
                  : "correct one of them");
  }
  peak.source = in.text("source", false);
  peak.confidence = Confidence::User;
  return peak;
}

Chip readChip(const Json &json, const std::string &where, Status &status) {
  Chip chip;
  Members in(json, where, status);
  in.onlyKeys({"name", "aliases", "target", "units", "unit_name", "memory_gb",
               "driver_gb", "bandwidth_tbps", "l2_mib", "llc_mib", "source",
               "peaks"});
  chip.name = in.text("name", true);
  if (const Json *aliases = in.find("aliases")) {
    for (const Json &alias :
         aliases->asArray() ? *aliases->asArray() : Json::Array{Json()})
      if (alias.asString())
        chip.aliases.push_back(*alias.asString());
      else
        in.fail("aliases are no list of names", "give [\"...\"]");
  }
  chip.target = in.text("target", false);
  chip.unit = in.text("unit_name", false);
  if (chip.unit.empty())
    chip.unit = "unit";
  chip.units = int64_t(in.number("units", true, true).value_or(1));
  std::string source = in.text("source", true);
  auto cell = [&](const char *key, bool required) {
    std::optional<double> value = in.number(key, required);
    return value ? ChipCell{value, source, Confidence::User} : ChipCell();
  };
  chip.capacityGb = cell("memory_gb", false);
  chip.driverGb = cell("driver_gb", false);
  chip.bandwidthTbps = cell("bandwidth_tbps", true);
  chip.l2Mib = cell("l2_mib", false);
  chip.llcMib = cell("llc_mib", false);
  if (chip.bandwidthTbps.value.value_or(0) > 100)
    in.fail("bandwidth_tbps is " + number(*chip.bandwidthTbps.value),
            "give TB/s, not GB/s");
  const Json *peaks = in.find("peaks");
  if (!peaks || !peaks->asArray())
    in.fail("peaks is no list", "give [{\"format\": \"bf16\", ...}]");
  else
    for (size_t i = 0; i < peaks->asArray()->size(); ++i) {
      chip.peaks.push_back(
          readPeak((*peaks->asArray())[i], chip,
                   where + ": peaks[" + std::to_string(i) + "]", status));
      if (chip.peaks.back().source.empty())
        chip.peaks.back().source = source;
    }
  return chip;
}

} // namespace

Status ChipTable::addJson(std::string_view text, const std::string &where) {
  Result<Json> json = Json::parse(text);
  if (!json)
    return Status::badInput(where + ": " + json.status().message());
  Json::Array one = {*json};
  const Json::Array &list = json->asArray() ? *json->asArray() : one;
  for (const Json &entry : list) {
    Status status;
    Chip chip = readChip(entry, where, status);
    if (!status)
      return status;
    if (Status added = add(std::move(chip)); !added)
      return Status::badInput(where + ": " + added.message());
  }
  return Status::ok();
}
