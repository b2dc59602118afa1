// Csv.cpp - one line per row, one column per value, quoted as RFC 4180 has it.
#include "runtime/report/Report.h"

#include "lib/Support/Text.h"
#include "runtime/report/SpecParts.h"

namespace labgen {

namespace {

/// Columns in the contract's order; a dot leads into a nested object, and is
/// printed as an underscore.
constexpr std::string_view columns[] = {"spec",
                                        "target",
                                        "device",
                                        "chip",
                                        "status",
                                        "reason",
                                        "bytes_read",
                                        "bytes_written",
                                        "flops",
                                        "bits_per_weight",
                                        "predicted_s",
                                        "regime",
                                        "time_s.median",
                                        "time_s.iqr",
                                        "time_s.n",
                                        "time_s.stop",
                                        "cache",
                                        "gbps",
                                        "gflops",
                                        "roof.gbps",
                                        "roof.gflops",
                                        "roof.isa",
                                        "roof.code_gflops",
                                        "roof.code_isa",
                                        "roof.source",
                                        "error.max_abs",
                                        "error.rms",
                                        "error.rel_fro",
                                        "error.sqnr_db",
                                        "error.max_code",
                                        "bound",
                                        "checked",
                                        "counts.nan",
                                        "counts.inf",
                                        "counts.sat",
                                        "counts.flush",
                                        "counts.zero_groups",
                                        "findings",
                                        "counters",
                                        "schedule",
                                        "threads",
                                        "seed",
                                        "dist",
                                        "version"};

/// What the spec says, in columns of its own behind the row's.
struct Part {
  std::string_view title;
  std::string (*of)(const KernelSpec &);
};
constexpr Part parts[] = {
    {"op", [](const KernelSpec &s) { return text(name(s.op)); }},
    {"formats", formatsOf},
    {"group", groupOf},
    {"scale", scaleOf},
    {"rule", ruleOf},
    {"zero", zeroOf}};

std::string csvQuoted(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string out = "\"";
  for (char c : text) {
    out += c;
    if (c == '"')
      out += c;
  }
  return out + "\"";
}

std::string cell(const Json &row, std::string_view path) {
  size_t dot = path.find('.');
  const Json *value = row.find(path.substr(0, dot));
  if (value && dot != std::string_view::npos)
    value = value->find(path.substr(dot + 1));
  if (!value || value->isNull())
    return "";
  if (const std::string *text = value->asString())
    return *text;
  if (const Json::Array *items = value->asArray()) {
    std::string joined;
    for (const Json &item : *items)
      joined += (joined.empty() ? "" : "; ") +
                (item.asString() ? *item.asString() : item.dump());
    return joined;
  }
  if (const Json::Object *members = value->asObject();
      members && members->empty())
    return "";
  return value->dump();
}

} // namespace

std::string renderCsv(const std::vector<Row> &rows) {
  std::string out;
  for (std::string_view path : columns) {
    std::string title(path);
    if (size_t dot = title.find('.'); dot != std::string::npos)
      title[dot] = '_';
    out += (out.empty() ? "" : ",") + title;
  }
  for (const Part &part : parts)
    out += "," + std::string(part.title);
  out += "\n";
  for (const Row &row : rows) {
    Json json = row.toJson();
    const char *separator = "";
    for (std::string_view path : columns) {
      out += separator + csvQuoted(cell(json, path));
      separator = ",";
    }
    Result<KernelSpec> spec = KernelSpec::parse(row.spec);
    for (const Part &part : parts)
      out += "," + (spec ? csvQuoted(part.of(*spec)) : "");
    out += "\n";
  }
  return out;
}

} // namespace labgen
