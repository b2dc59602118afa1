// Roofline.cpp - labgen-run roofline: the plot of a chip with measured rows, or
// the predictions for specs, datasheet and achievable side by side.
#include "calculator/ModelCommand.h"
#include "lib/Roofline/plot/Plot.h"
#include "lib/Spec/Row.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"
#include "lib/Support/Units.h"
#include "runtime/measure/RoofFile.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/Finish.h"
#include "tools/cli/KnownChips.h"
#include "tools/labgen-run/Commands.h"

#include <algorithm>

namespace labgen {

namespace {

/// A chip and, where it is this machine, what was measured.
struct Subject {
  Chip chip;
  std::optional<MachineRoofs> measured;

  ChipPrediction predict(const KernelSpec &spec) const {
    if (!measured)
      return predictOn(spec, chip);
    return {std::nullopt,
            labgen::predict(spec, cost(spec), *measured, int(chip.units))};
  }
};

Result<Subject> subjectOf(const Arguments &arguments) {
  std::optional<std::string> name = arguments.value("--chip");
  if (!name)
    return Status::badInput("--chip is missing; give a chip (labgen-run "
                            "chips), or host");
  Result<ChipTable> table = knownChips(arguments);
  if (!table)
    return table.status();
  Result<Chip> chip = table->find(*name);
  if (!chip && *name == "host")
    return Status::badInput(
        "this machine was not probed yet; run labgen-run probe");
  if (!chip)
    return chip.status();
  Subject subject{std::move(*chip), std::nullopt};
  if (subject.chip.name == "host")
    subject.measured = storedRoofs();
  return subject;
}

/// A datasheet peak is a limit: what is above it was counted wrongly, or ran on
/// another chip.
Status checkBelow(const Row &row, const Subject &subject,
                  const std::string &where) {
  if (subject.measured || !row.gflops)
    return Status::ok();
  double most = 0;
  for (const ChipPeak &peak : subject.chip.peaks)
    most = std::max(most, peak.tera * 1e3);
  if (most > 0 && *row.gflops > most)
    return Status::badInput(where + " reaches " + significant(*row.gflops) +
                            " GFLOP/s, above every peak of " +
                            subject.chip.name +
                            "; give the chip it was measured on");
  return Status::ok();
}

Status addRows(const std::string &path, const Subject &subject, Plot &plot) {
  Result<std::string> text = readFile(path, Pipes::Taken);
  if (!text)
    return text.status();
  int number = 0, left = 0;
  for (size_t begin = 0; begin < text->size();) {
    size_t end = std::min(text->find('\n', begin), text->size());
    std::string line = text->substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos)
      continue;
    std::string where = path + " line " + std::to_string(number);
    Result<Json> json = Json::parse(line);
    if (!json)
      return Status::badInput(where + ": " + json.status().message());
    Result<Row> row = Row::fromJson(*json);
    if (!row)
      return Status::badInput(where + ": " + row.status().message());
    // Nothing at 0 has a place on a logarithmic axis.
    bool drawn = row->status == RowStatus::Ok && row->cost &&
                 row->gflops.value_or(0) > 0 && row->cost->intensity() > 0;
    if (!drawn) {
      ++left;
      continue;
    }
    if (Status below = checkBelow(*row, subject, where); !below)
      return below;
    plot.points.push_back({row->spec, row->cost->intensity(), *row->gflops});
  }
  if (left)
    note(std::to_string(left) +
         " rows have no time or no FLOPs and are not drawn");
  return Status::ok();
}

std::string predictionTable(const Subject &subject,
                            const std::vector<KernelSpec> &specs) {
  TextTable table;
  table.addColumn("spec");
  table.addColumn("FLOP/B", Align::Right);
  for (const char *title :
       {"unit", "datasheet", "regime", "achievable", "regime"})
    table.addColumn(title);
  auto time = [](const std::optional<Prediction> &p) {
    return p ? duration(p->seconds) : std::string("n/a");
  };
  auto regime = [](const std::optional<Prediction> &p) {
    return p ? p->regime : std::string("n/a");
  };
  for (const KernelSpec &spec : specs) {
    ChipPrediction p = subject.predict(spec);
    table.addLine({spec.str(), significant(cost(spec).intensity()),
                   p.achievable ? p.achievable->isa : "n/a", time(p.datasheet),
                   regime(p.datasheet), time(p.achievable),
                   regime(p.achievable)});
  }
  return subject.chip.name +
         (subject.measured
              ? ": no datasheet; achievable is measured here"
              : ": achievable is 78% of the peak, 92% of the bandwidth and 2 "
                "us a launch") +
         "\n\n" + table.str();
}

Json predictionJson(const KernelSpec &spec, const Subject &subject) {
  ChipPrediction p = subject.predict(spec);
  auto one = [](const std::optional<Prediction> &prediction) {
    if (!prediction)
      return Json();
    return Json(Json::Object{{"seconds", prediction->seconds},
                             {"regime", prediction->regime},
                             {"gbps", prediction->gbps},
                             {"gflops", prediction->gflops},
                             {"isa", prediction->isa}});
  };
  return Json::Object{{"spec", spec.str()},
                      {"chip", subject.chip.name},
                      {"datasheet", one(p.datasheet)},
                      {"achievable", one(p.achievable)}};
}

} // namespace

CommandSpec rooflineCommandSpec() {
  return {
      "roofline",
      "[rows.jsonl]",
      0,
      1,
      "draw a chip's roofline with measured rows as SVG, or predict labs on "
      "it",
      {{"--chip", "C", "the chip (labgen-run chips), or host"},
       {"--chips", "FILE", "more chips, from a JSON file", true},
       {"--spec", "SPEC",
        "a lab: print its predicted times; with -o draw them too", true},
       {"-o", "FILE.svg", "write the plot there; default stdout"},
       {"--json", "", "predictions as JSON lines"}},
      {"labgen-run roofline --chip H100 > h100.svg",
       "labgen-run roofline --chip host out/quick/rows.jsonl -o host.svg",
       "labgen-run roofline --chip MI300X --spec "
       "gemm:m=4096,n=4096,k=4096,a=bf16,b=bf16"}};
}

Result<ExitCode> rooflineCommand(const Arguments &arguments) {
  Result<Subject> subject = subjectOf(arguments);
  if (!subject)
    return subject.status();
  std::vector<KernelSpec> specs;
  for (const std::string &text : arguments.all("--spec")) {
    Result<KernelSpec> spec = KernelSpec::parse(text);
    if (!spec)
      return spec.status();
    specs.push_back(*spec);
  }
  Plot plot = subject->measured ? measuredPlot(*subject->measured)
                                : chipPlot(subject->chip);
  if (!arguments.positional.empty())
    if (Status rows = addRows(arguments.positional[0], *subject, plot); !rows)
      return rows;
  for (const KernelSpec &spec : specs) {
    ChipPrediction p = subject->predict(spec);
    double flops = double(cost(spec).flops), x = cost(spec).intensity();
    if (p.achievable && x > 0 && p.achievable->seconds > 0)
      plot.points.push_back(
          {spec.str(), x, flops / p.achievable->seconds / 1e9, true});
  }
  std::optional<std::string> path = arguments.value("-o");
  if (path)
    if (Status written = writeFile(*path, svg(plot)); !written)
      return written;
  if (arguments.has("--json"))
    for (const KernelSpec &spec : specs)
      print(predictionJson(spec, *subject).dump() + "\n");
  else if (!specs.empty())
    print(predictionTable(*subject, specs));
  else if (!path)
    print(svg(plot));
  return ExitCode::Ok;
}

} // namespace labgen
