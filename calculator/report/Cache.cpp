// Cache.cpp - the KV section and the sequences that fit a device.
#include "calculator/report/DeviceLoad.h"
#include "calculator/report/Numbers.h"

using namespace labgen;

namespace {

Status tooLarge(int64_t context) {
  return Status::badInput("the KV cache at context " + std::to_string(context) +
                          " does not fit 64 bits; use a smaller one");
}

} // namespace

Result<Section> labgen::kvSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  KvCache kv(c, request.kv);
  Section section{"kv", "KV cache", {}, {}, {}, {}};
  std::string format(request.kv.name);
  Step step{"one token, all layers, " + format, "", "", "", ""};
  if (c.isMla()) {
    step.formula = "L (r_kv + d_r) x bytes";
    step.numbers = std::to_string(c.layers) + " x (" +
                   std::to_string(c.kvRank) + " + " +
                   std::to_string(c.ropeDim) + ") elements";
  } else {
    step.formula = "2 L H_kv d_h x bytes";
    step.numbers = "2 x " + std::to_string(c.layers) + " x " +
                   std::to_string(c.kvHeads) + " x " +
                   std::to_string(c.headDim) + " elements";
  }
  step.numbers +=
      ", " + std::to_string(request.kv.bits) + " bit / 8 each" +
      (request.kv.headBytes || request.kv.groupBytes ? ", scales billed" : "");
  step.result = grouped(kv.tokenBytes().get()) + " B per token";
  step.ignored = "block tables, 4 or 8 B per page of kilobytes";
  section.steps.push_back(step);
  Count mha = decompressedTokenBytes(c, request.kv);
  if (kv.tokenBytes().overflowed() || mha.overflowed())
    return tooLarge(1);
  double ratio = double(mha.get()) / double(kv.tokenBytes().get());
  section.steps.push_back(
      {"had every query head its own keys and values",
       c.isMla() ? "L H (d_n + d_r + d_v) x bytes" : "2 L H d_h x bytes", "",
       grouped(mha.get()) + " B per token, " + general(ratio, 4) + " times",
       "scales, the same share of either"});

  ReportTable table{"bytes of one sequence; pages of " +
                        grouped(request.paging.block) + " tokens",
                    {"context", "ideal B", "GB", "GiB", "paged B", "paged GB"},
                    0,
                    {}};
  if (c.windowLayers) {
    table.titles.push_back("paged, windows kept in full GB");
    section.notes.push_back(
        "a windowed layer keeps " + grouped(c.window) +
        " tokens ideally; a paging allocator window - 1 + " +
        grouped(request.paging.batched) +
        " new ones and a page; one without hybrid support the whole sequence");
  }
  Json::Array sequences;
  for (int64_t context : request.contexts) {
    Count ideal = kv.ideal(context), paged = kv.paged(context, request.paging),
          full = kv.pagedFull(context, request.paging);
    if ((ideal + paged + full).overflowed())
      return tooLarge(context);
    table.lines.push_back({grouped(context), grouped(ideal.get()),
                           gb(double(ideal.get())), gib(double(ideal.get())),
                           grouped(paged.get()), gb(double(paged.get()))});
    if (c.windowLayers)
      table.lines.back().push_back(gb(double(full.get())));
    sequences.push_back(Json::Object{{"context", context},
                                     {"ideal_bytes", ideal.get()},
                                     {"paged_bytes", paged.get()},
                                     {"paged_full_bytes", full.get()}});
  }
  section.tables.push_back(table);
  section.json = Json::Object{{"format", request.kv.name},
                              {"bytes_per_token", kv.tokenBytes().get()},
                              {"bytes_per_token_mha", mha.get()},
                              {"block", request.paging.block},
                              {"sequences", std::move(sequences)}};
  return section;
}

Result<Section> labgen::sequenceSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  KvCache kv(c, request.kv);
  Section section{"sequences", "Sequences that fit", {}, {}, {}, {}};
  if (std::string note = devicesNote(request); !note.empty())
    section.notes.push_back(note);
  section.steps.push_back(
      {"whole sequences beside the weights",
       "floor((capacity x utilization - reserve - weights) / KV per sequence)",
       "utilization " + general(request.utilization) + ", reserve " +
           general(request.reserveGb) + " GB, devices " +
           grouped(request.devices) + ", KV " + std::string(request.kv.name),
       "the table",
       "activations and the runtime's own memory (some GB): safe only with a "
       "reserve, which --reserve-gb or --utilization gives"});
  ReportTable table{"capacity as marketed (decimal), and as the driver counts",
                    {"chip", "weights", "context", "free GB", "free GiB",
                     "tokens", "sequences", "paged", "by the driver's GB"},
                    2,
                    {}};
  Json::Array lines;
  for (const Chip &chip : request.chips)
    for (const WeightFormat &format : request.weights)
      for (int64_t context : request.contexts) {
        Result<DeviceLoad> load = DeviceLoad::of(request, format);
        Count perSequence = kv.ideal(context),
              paged = kv.paged(context, request.paging);
        if (!load)
          return load.status();
        if ((perSequence + paged).overflowed())
          return tooLarge(context);
        double weights = load->weightBytes();
        auto fit = [&](std::optional<double> bytes, Count each) {
          return bytes
                     ? Json(sequencesThatFit(*bytes, weights,
                                             load->kvBytes(double(each.get()))))
                     : Json();
        };
        auto shown = [](const Json &count) {
          return count.asInt() ? grouped(*count.asInt()) : std::string("n/a");
        };
        std::optional<double> nominal = load->room(chip.capacityGb),
                              driver = load->room(chip.driverGb);
        Json ideal = fit(nominal, perSequence), pages = fit(nominal, paged),
             byDriver = fit(driver, perSequence),
             tokens = fit(nominal, kv.tokenBytes());
        std::optional<double> rest;
        if (nominal)
          rest = *nominal - weights;
        table.lines.push_back({chip.name, std::string(format.name),
                               grouped(context), orNa(rest, gb),
                               orNa(rest, gib), shown(tokens), shown(ideal),
                               shown(pages), shown(byDriver)});
        lines.push_back(Json::Object{{"chip", chip.name},
                                     {"weights", format.name},
                                     {"context", context},
                                     {"free_bytes", Json::maybe(rest)},
                                     {"tokens", tokens},
                                     {"sequences", ideal},
                                     {"sequences_paged", pages},
                                     {"sequences_driver", byDriver}});
      }
  section.tables.push_back(table);
  if (c.windowLayers)
    section.notes.push_back("tokens counts every layer in full; sequences "
                            "respect the window");
  section.json = std::move(lines);
  return section;
}
