// Table.cpp - the report a person reads: one table per op and a summary.
#include "runtime/report/Report.h"

#include "lib/Spec/OpInfo.h"
#include "lib/Support/Printable.h"
#include "lib/Support/Text.h"
#include "lib/Support/Units.h"
#include "runtime/report/SpecParts.h"
#include "runtime/report/TextTable.h"

#include <algorithm>
#include <functional>
#include <map>

namespace labgen {

namespace {

/// A row and its spec; rows of lines that did not parse have none.
struct Entry {
  const Row *row;
  std::optional<KernelSpec> spec;
};

std::string shape(const KernelSpec &s) { return info(s.op).shapeText(s); }
std::string arithmetic(const KernelSpec &s) {
  return info(s.op).arithmeticText(s);
}

std::string share(const Row &row) {
  std::optional<double> part = roofShare(row);
  if (!part)
    return "";
  // Roofs are measured too: up to 10% above one is the noise of two runs.
  if (*part > 1 && *part <= 1.1)
    return "at roof";
  return std::to_string(int64_t(*part * 100 + 0.5)) + "%";
}

struct Column {
  const char *title;
  Align align;
  std::function<std::string(const Entry &)> cell;
};

std::string (*const threeDigits)(double) = [](double v) {
  return significant(v);
};

std::function<std::string(const Entry &)>
ofSpec(std::string (*print)(const KernelSpec &)) {
  return [print](const Entry &e) {
    return e.spec ? print(*e.spec) : std::string();
  };
}

/// A rate that says something of labs on matrix units alone.
std::string ofGemm(const Entry &e, std::optional<double> gflops) {
  bool shown = e.spec && info(e.spec->op).units(*e.spec).onMatrixUnits;
  return shown ? orEmpty(gflops, threeDigits) : "";
}

/// Quantizers and casts show every count, other labs those that say something.
std::function<std::string(const Entry &)> ofCounts(int64_t RowCounts::*count) {
  return [count](const Entry &e) {
    if (!e.row->counts)
      return std::string();
    int64_t n = (*e.row->counts).*count;
    bool always = e.spec && info(e.spec->op).encodes();
    return n || always ? std::to_string(n) : std::string();
  };
}

std::optional<double> errorOf(const Entry &e,
                              std::optional<double> RowError::*value) {
  return e.row->error ? (*e.row->error).*value : std::nullopt;
}

/// Where rows come from is said only where they differ.
struct Origins {
  bool targets = false, chips = false, threads = false;
};

Origins originsOf(const std::vector<Row> &rows) {
  Origins origins;
  for (const Row &row : rows) {
    origins.targets |= row.target != rows.front().target;
    origins.chips |= row.chip != rows.front().chip;
    origins.threads |= row.threads != rows.front().threads;
  }
  return origins;
}

std::vector<Column> columns(Origins origins) {
  const Align L = Align::Left, R = Align::Right;
  return {
      {"formats", L,
       [](const Entry &e) {
         return e.spec ? formatsOf(*e.spec) : e.row->spec;
       }},
      {"group", R, ofSpec(groupOf)},
      {"scale", L, ofSpec(scaleOf)},
      {"rule", L, ofSpec(ruleOf)},
      {"zero", L, ofSpec(zeroOf)},
      {"compute", L, ofSpec(arithmetic)},
      {"shape", L, ofSpec(shape)},
      {"bits/w", R,
       [](const Entry &e) {
         return orEmpty(e.row->cost ? e.row->cost->bitsPerWeight : std::nullopt,
                        [](double bits) { return shortest(bits, 4); });
       }},
      {"target", L,
       [=](const Entry &e) { return origins.targets ? e.row->target : ""; }},
      {"chip", L,
       [=](const Entry &e) { return origins.chips ? e.row->chip : ""; }},
      {"threads", R,
       [=](const Entry &e) {
         return origins.threads && e.row->threads
                    ? std::to_string(*e.row->threads)
                    : "";
       }},
      {"GB/s", R,
       [](const Entry &e) { return orEmpty(e.row->gbps, threeDigits); }},
      {"GFLOP/s", R, [](const Entry &e) { return ofGemm(e, e.row->gflops); }},
      {"roof", R, [](const Entry &e) { return share(*e.row); }},
      {"roof GFLOP/s", R,
       [](const Entry &e) {
         return e.row->roof ? ofGemm(e, e.row->roof->gflops) : "";
       }},
      {"isa", L,
       [](const Entry &e) { return e.row->roof ? e.row->roof->isa : ""; }},
      {"code GFLOP/s", R,
       [](const Entry &e) {
         return e.row->roof ? ofGemm(e, e.row->roof->codeGflops) : "";
       }},
      {"code isa", L,
       [](const Entry &e) { return e.row->roof ? e.row->roof->codeIsa : ""; }},
      {"predicted", R,
       [](const Entry &e) {
         return orEmpty(e.row->predictedSeconds, duration);
       }},
      {"measured", R,
       [](const Entry &e) {
         return e.row->time ? duration(e.row->time->median) : "";
       }},
      {"regime", L, [](const Entry &e) { return e.row->regime; }},
      {"cache", L, [](const Entry &e) { return e.row->cache; }},
      {"SQNR dB", R,
       [](const Entry &e) {
         return orEmpty(errorOf(e, &RowError::sqnrDb), threeDigits);
       }},
      {"max abs", R,
       [](const Entry &e) {
         return orEmpty(errorOf(e, &RowError::maxAbs), scientific);
       }},
      {"bound", R,
       [](const Entry &e) { return orEmpty(e.row->bound, scientific); }},
      {"NaN", R, ofCounts(&RowCounts::nan)},
      {"Inf", R, ofCounts(&RowCounts::inf)},
      {"sat", R, ofCounts(&RowCounts::sat)},
      {"flush", R, ofCounts(&RowCounts::flush)},
      {"0 groups", R, ofCounts(&RowCounts::zeroGroups)},
      {"status", L, [](const Entry &e) { return text(name(e.row->status)); }},
  };
}

std::string noteLine(const std::string &label, const Row &row,
                     const std::string &words) {
  return label + ": " + shortened(printable(row.spec)) + ": " +
         shortened(printable(words)) + "\n";
}

std::string opTable(const std::vector<Entry> &entries, Origins origins) {
  TextTable table;
  std::vector<Column> all = columns(origins);
  for (const Column &column : all)
    table.addColumn(column.title, column.align);
  std::string notes;
  for (const Entry &entry : entries) {
    std::vector<std::string> cells;
    for (const Column &column : all)
      cells.push_back(column.cell(entry));
    table.addLine(cells);
    const Row &row = *entry.row;
    if (!row.reason.empty())
      notes += noteLine(text(name(row.status)), row, row.reason);
    for (const std::string &finding : row.findings)
      notes += noteLine("note", row, finding);
  }
  return table.str() + notes;
}

std::string summary(const std::vector<Row> &rows) {
  std::string line =
      std::to_string(rows.size()) + (rows.size() == 1 ? " row:" : " rows:");
  const char *separator = " ";
  for (RowStatus status :
       {RowStatus::Ok, RowStatus::Suspect, RowStatus::Skipped, RowStatus::Wrong,
        RowStatus::Error}) {
    auto count = std::count_if(rows.begin(), rows.end(), [&](const Row &row) {
      return row.status == status;
    });
    if (count == 0)
      continue;
    line += separator + std::to_string(count) + " " + text(name(status));
    separator = ", ";
  }
  std::vector<double> shares;
  for (const Row &row : rows)
    if (std::optional<double> part = roofShare(row);
        part && row.countsInSummary())
      shares.push_back(std::min(*part, 1.0));
  if (!shares.empty()) {
    std::sort(shares.begin(), shares.end());
    double median =
        (shares[(shares.size() - 1) / 2] + shares[shares.size() / 2]) / 2;
    line += "; median of the ok rows " +
            std::to_string(int64_t(median * 100 + 0.5)) + "% of the roof";
  }
  return line + "\n";
}

/// "a: 1, b: 2" for what is inside the context.
std::string plain(const Json &value) {
  if (value.isNull())
    return "unknown";
  if (const std::string *string = value.asString())
    return *string;
  const Json::Object *members = value.asObject();
  if (!members)
    return value.dump();
  std::string line;
  for (const auto &[key, member] : *members)
    line += (line.empty() ? "" : ", ") + key + " " + plain(member);
  return line;
}

} // namespace

std::optional<double> roofShare(const Row &row) {
  if (!row.time || !row.roof)
    return std::nullopt;
  auto ratio = [](std::optional<double> got, std::optional<double> roof) {
    return got && roof && *roof > 0 ? std::optional<double>(*got / *roof)
                                    : std::nullopt;
  };
  std::optional<double> bytes = ratio(row.gbps, row.roof->gbps);
  std::optional<double> flops = ratio(row.gflops, row.roof->gflops);
  if (row.regime == "compute")
    return flops ? flops : bytes;
  return bytes ? bytes : flops;
}

std::string renderTable(const ReportContext &context,
                        const std::vector<Row> &rows) {
  std::string out;
  for (const auto &[key, value] : context)
    out += printable(key) + ": " + shortened(printable(plain(value))) + "\n";
  // Ops in the order they first appear.
  std::vector<std::string> order;
  std::map<std::string, std::vector<Entry>> groups;
  for (const Row &row : rows) {
    Result<KernelSpec> spec = KernelSpec::parse(row.spec);
    std::string op = spec ? text(name(spec->op)) : "not a spec";
    if (groups.find(op) == groups.end())
      order.push_back(op);
    groups[op].push_back(
        {&row, spec ? std::optional<KernelSpec>(*spec) : std::nullopt});
  }
  for (const std::string &op : order)
    out += (out.empty() ? "" : "\n") + op + "\n" +
           opTable(groups[op], originsOf(rows));
  return out + "\n" + summary(rows);
}

} // namespace labgen
