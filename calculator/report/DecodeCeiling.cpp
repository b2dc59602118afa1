// DecodeCeiling.cpp - the decode section: steps per second by bandwidth.
#include "calculator/report/DeviceLoad.h"
#include "calculator/report/Numbers.h"

#include <algorithm>

using namespace labgen;

namespace {

/// "yes"; else what is needed of what may be used, as marketed and, where
/// known, as the driver counts.
std::string fitText(const DeviceLoad &load, const Chip &chip, double bytes) {
  std::optional<double> room = load.room(chip.capacityGb),
                        byDriver = load.room(chip.driverGb);
  if (!room)
    return "n/a";
  if (bytes <= *room)
    return "yes";
  std::string text =
      "no: " + gb(bytes) + " of " + general(std::max(*room, 0.0) / 1e9) + " GB";
  if (byDriver && bytes <= *byDriver)
    text += "; yes in the driver's " + general(*byDriver / 1e9, 5) + " GB";
  return text;
}

class DecodeTables {
public:
  explicit DecodeTables(const ModelRequest &request)
      : request(request), kv(request.config, request.kv) {}

  Status fill(Section &section) {
    Result<ParamCounts> counts = countParams(request.config);
    if (!counts)
      return counts.status();
    drillParameters = double(counts->linear);
    ReportTable table{
        "bandwidth / (weights + batch x KV per sequence)" +
            std::string(request.devices > 1 ? ", all of one device" : "") +
            "; drill form: steps/s without embeddings, head, "
            "norms",

        {"chip", "weights", "context", "batch", "weights GB", "KV GB",
         "steps/s = tok/s per seq", "tok/s in all", "drill form", "bound",
         "fits"},
        2,
        {}};
    ReportTable refined{"the same, embeddings looked up" +
                            std::string(request.config.isMoe()
                                            ? ", only experts touched read"
                                            : ""),
                        {"chip", "weights", "context", "batch", "read GB",
                         "steps/s = tok/s per seq", "tok/s in all"},
                        2,
                        {}};
    for (const Chip &chip : request.chips)
      for (const WeightFormat &format : request.weights) {
        Result<DeviceLoad> load = DeviceLoad::of(request, format);
        if (!load)
          return load.status();
        // Context 0: the KV cache ignored.
        if (Status s = line(chip, format, *load, 0, 1, table, refined); !s)
          return s;
        for (int64_t context : request.contexts)
          for (int64_t batch : request.batches)
            if (Status s =
                    line(chip, format, *load, context, batch, table, refined);
                !s)
              return s;
      }
    section.tables.push_back(table);
    if (!request.nominalParams)
      section.tables.push_back(refined);
    section.json = std::move(lines);
    return Status::ok();
  }

private:
  const ModelRequest &request;
  KvCache kv;
  double drillParameters = 0;
  Json::Array lines;

  Status line(const Chip &chip, const WeightFormat &format,
              const DeviceLoad &load, int64_t context, int64_t batch,
              ReportTable &table, ReportTable &refined) {
    const ModelConfig &c = request.config;
    Count perSequence = kv.ideal(context);
    Result<DecodeFlops> flops = decodeFlops(c, context);
    if (!flops || perSequence.overflowed())
      return flops ? Status::badInput(
                         "the KV cache at context " + std::to_string(context) +
                         " does not fit 64 bits; use a smaller one")
                   : flops.status();
    double weights = load.weightBytes(), b = double(batch);
    double kvBytes = load.kvBytes(double(perSequence.get()));
    double devices = double(request.devices);
    double bytes = weights + b * kvBytes;
    std::optional<double> bandwidth;
    if (chip.bandwidthTbps.value)
      bandwidth = *chip.bandwidthTbps.value * 1e12;
    const ChipPeak *peak = chip.peak(request.compute);
    std::optional<double> computeSteps;
    if (peak)
      computeSteps = peak->tera * 1e12 * devices / (b * double(flops->total()));
    std::optional<DecodeStep> step, read, drill;
    double touched = c.isMoe() ? expectedExperts(c, double(batch)) : 0;
    double readBytes = load.touchedBytes(touched);
    if (bandwidth) {
      step = decodeStep(weights, kvBytes, b, *bandwidth);
      read = decodeStep(readBytes, kvBytes, b, *bandwidth);
      drill = decodeStep(drillParameters * format.bitsPerWeight() / 8 / devices,
                         kvBytes, b, *bandwidth);
    }
    bool computeBound =
        step && computeSteps && *computeSteps < step->stepsPerSecond;
    auto rate = [](const std::optional<double> &value) {
      return orNa(value, [](double v) { return fixed(v, 2); });
    };
    auto steps = [](const std::optional<DecodeStep> &s) {
      return s ? std::optional<double>(s->stepsPerSecond) : std::nullopt;
    };
    auto tokens = [](const std::optional<DecodeStep> &s) {
      return s ? std::optional<double>(s->tokensPerSecond) : std::nullopt;
    };
    std::string format_(format.name);
    std::string contextText = context ? grouped(context) : "KV ignored";
    table.lines.push_back(
        {chip.name, format_, contextText, grouped(batch), gb(weights),
         gb(b * kvBytes), rate(steps(step)), rate(tokens(step)),
         rate(steps(drill)),
         computeBound ? "compute: " + fixed(*computeSteps, 2) + " steps/s"
                      : "memory",
         fitText(load, chip, bytes)});
    refined.lines.push_back({chip.name, format_, contextText, grouped(batch),
                             gb(readBytes), rate(steps(read)),
                             rate(tokens(read))});
    Json fits;
    if (std::optional<double> room = load.room(chip.capacityGb))
      fits = bytes <= *room;
    lines.push_back(
        Json::Object{{"chip", chip.name},
                     {"weights", format.name},
                     {"kv", request.kv.name},
                     {"context", context},
                     {"batch", batch},
                     {"devices", request.devices},
                     {"weight_bytes", weights},
                     {"kv_bytes", b * kvBytes},
                     {"bytes_per_step", bytes},
                     {"steps_per_s", Json::maybe(steps(step))},
                     {"tokens_per_s", Json::maybe(tokens(step))},
                     {"drill_form_steps_per_s", Json::maybe(steps(drill))},
                     {"compute_steps_per_s", Json::maybe(computeSteps)},
                     {"fits", fits},
                     {"touched_bytes", readBytes},
                     {"touched_steps_per_s", Json::maybe(steps(read))},
                     {"touched_tokens_per_s", Json::maybe(tokens(read))}});
    return Status::ok();
  }
};

} // namespace

Result<Section> labgen::decodeSection(const ModelRequest &request) {
  Section section{"decode", "Decode ceiling", {}, {}, {}, {}};
  const Chip &chip = request.chips.front();
  const WeightFormat &format = request.weights.front();
  Result<DeviceLoad> load = DeviceLoad::of(request, format);
  if (!load)
    return load.status();
  double weights = load->weightBytes();
  Step step{
      "one step streams the weights and every sequence's KV cache",
      "steps/s = bandwidth / (weights + batch x KV per sequence); a step "
      "is one token for each sequence",
      "", "",
      "activations (batch x d values a layer, far below 1% of the "
      "weights), launches and, over devices, communication: the figure is "
      "a ceiling"};
  if (chip.bandwidthTbps.value) {
    double bandwidth = *chip.bandwidthTbps.value * 1e12;
    step.numbers = general(bandwidth / 1e9) + " GB/s / " + gb(weights) +
                   " GB (" + chip.name + ", " + std::string(format.name) +
                   ", batch 1, KV ignored)";
    step.result = fixed(bandwidth / weights, 2) + " tokens/s";
  }
  section.steps.push_back(step);
  if (std::string note = devicesNote(request); !note.empty())
    section.notes.push_back(note);
  DecodeTables tables(request);
  if (Status status = tables.fill(section); !status)
    return status;
  if (request.drafts) {
    double tokens = speculativeTokens(request.accept, request.drafts);
    double gain = tokens / (1 + double(request.drafts) * request.draftCost);
    section.steps.push_back(
        {"speculative decoding",
         "tokens per verification (1 - a^(k+1)) / (1 - a), over 1 + k x draft "
         "cost",
         "a = " + general(request.accept) + ", k = " + grouped(request.drafts) +
             ", draft cost = " + general(request.draftCost),
         general(tokens, 4) + " tokens, " + general(gain, 4) + " times as fast",
         "dependence between acceptances; and k + 1 tokens are checked in the "
         "time of one while decoding is memory bound"});
    section.json = Json::Object{
        {"steps", section.json},
        {"speculative",
         Json::Object{{"tokens_per_verification", tokens}, {"gain", gain}}}};
  } else {
    section.json = Json::Object{{"steps", section.json}};
  }
  return section;
}
