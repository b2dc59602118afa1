// RoofsJson.cpp - roofs in a file, so that a probe is run once per machine.
#include "lib/Roofline/Roofline.h"

#include <cmath>

using namespace labgen;

namespace {

std::optional<Mix> parseMix(std::string_view text) {
  for (Mix mix : {Mix::Read, Mix::Copy, Mix::Triad, Mix::FourToOne,
                  Mix::OneToFour, Mix::Update})
    if (name(mix) == text)
      return mix;
  return std::nullopt;
}

/// Reads members of one object, remembering the first that is missing or wrong.
class Reader {
public:
  explicit Reader(const Json &json) : json(json) {}

  std::string text(const char *key) {
    const Json *value = json.find(key);
    const std::string *string = value ? value->asString() : nullptr;
    return string ? *string : (fail(key), std::string());
  }
  /// At least 0, finite.
  double number(const char *key) {
    const Json *value = json.find(key);
    std::optional<double> number = value ? value->asDouble() : std::nullopt;
    return number && *number >= 0 && std::isfinite(*number) ? *number
                                                            : (fail(key), 0);
  }
  int64_t integer(const char *key) {
    const Json *value = json.find(key);
    std::optional<int64_t> number = value ? value->asInt() : std::nullopt;
    return number && *number >= 0 ? *number : (fail(key), 0);
  }
  const Json::Array &list(const char *key) {
    static const Json::Array none;
    const Json *value = json.find(key);
    const Json::Array *array = value ? value->asArray() : nullptr;
    return array ? *array : (fail(key), none);
  }
  bool flag(const char *key) {
    const Json *value = json.find(key);
    const bool *flag = value ? value->asBool() : nullptr;
    return flag ? *flag : (fail(key), false);
  }
  void fail(const std::string &key) {
    if (bad.empty())
      bad = key;
  }
  const std::string &firstBad() const { return bad; }

private:
  const Json &json;
  std::string bad;
};

} // namespace

std::string_view labgen::name(Mix mix) {
  switch (mix) {
  case Mix::Read:
    return "read";
  case Mix::Copy:
    return "copy";
  case Mix::Triad:
    return "triad";
  case Mix::FourToOne:
    return "4:1";
  case Mix::OneToFour:
    return "1:4";
  case Mix::Update:
    return "update";
  }
  return "";
}

Json MachineRoofs::toJson() const {
  Json::Object where;
  for (const auto &[key, value] : conditions)
    where.emplace_back(key, value);
  Json::Array bandwidthList, peakList;
  for (const Bandwidth &b : bandwidths)
    bandwidthList.push_back(Json::Object{{"mix", labgen::name(b.mix)},
                                         {"footprint_bytes", b.footprintBytes},
                                         {"threads", b.threads},
                                         {"gbps", b.gbps},
                                         {"non_temporal", b.nonTemporal},
                                         {"isa", b.isa}});
  for (const Peak &p : peaks)
    peakList.push_back(Json::Object{
        {"format", labgen::name(p.format)},
        {"isa", p.isa},
        {"threads", p.threads},
        {"gflops", p.gflops},
        {"accumulate",
         p.accumulate ? Json(labgen::name(*p.accumulate)) : Json()}});
  return Json::Object{{"chip", chip},
                      {"source", source},
                      {"date", date},
                      {"conditions", std::move(where)},
                      {"l1_bytes", l1Bytes},
                      {"l2_bytes", l2Bytes},
                      {"llc_bytes", llcBytes},
                      {"launch_s", launchSeconds},
                      {"bandwidths", std::move(bandwidthList)},
                      {"peaks", std::move(peakList)}};
}

Result<MachineRoofs> MachineRoofs::fromJson(const Json &json) {
  MachineRoofs roofs;
  Reader top(json);
  roofs.chip = top.text("chip");
  roofs.source = top.text("source");
  roofs.date = top.text("date");
  roofs.l1Bytes = top.integer("l1_bytes");
  roofs.l2Bytes = top.integer("l2_bytes");
  roofs.llcBytes = top.integer("llc_bytes");
  roofs.launchSeconds = top.number("launch_s");
  if (const Json *where = json.find("conditions"); where && where->asObject())
    for (const auto &[key, value] : *where->asObject())
      if (const std::string *text = value.asString())
        roofs.conditions[key] = *text;

  for (const Json &entry : top.list("bandwidths")) {
    Reader in(entry);
    std::optional<Mix> mix = parseMix(in.text("mix"));
    Bandwidth b{mix.value_or(Mix::Read),    in.integer("footprint_bytes"),
                int(in.integer("threads")), in.number("gbps"),
                in.flag("non_temporal"),    in.text("isa")};
    if (!mix)
      in.fail("mix");
    if (b.gbps == 0)
      in.fail("gbps");
    if (!in.firstBad().empty())
      top.fail("bandwidths." + in.firstBad());
    roofs.bandwidths.push_back(b);
  }
  for (const Json &entry : top.list("peaks")) {
    Reader in(entry);
    std::optional<Format> format = parseFormat(in.text("format"));
    Peak p{format.value_or(Format::F32), in.text("isa"),
           int(in.integer("threads")), in.number("gflops")};
    if (!format)
      in.fail("format");
    if (const Json *sums = entry.find("accumulate"); sums && !sums->isNull()) {
      p.accumulate = parseFormat(in.text("accumulate"));
      if (!p.accumulate)
        in.fail("accumulate");
    }
    if (p.gflops == 0)
      in.fail("gflops");
    if (!in.firstBad().empty())
      top.fail("peaks." + in.firstBad());
    roofs.peaks.push_back(p);
  }
  if (!top.firstBad().empty())
    return Status::badInput("roofs: '" + top.firstBad() +
                            "' is missing or wrong; run labgen-run probe");
  return roofs;
}
