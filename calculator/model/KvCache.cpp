// KvCache.cpp - KV formats and sizes.
#include "calculator/model/KvCache.h"
#include "lib/Spec/Format.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace labgen;

const std::vector<KvFormat> &labgen::kvFormats() {
  static const std::vector<KvFormat> all = {
      {"f32", 32, 0, 0, 0, false, "4 B"},
      {"bf16", 16, 0, 0, 0, false, "2 B, as f16"},
      {"fp8", 8, 0, 0, 0, false, "1 B, one scale per layer not billed"},
      {"int8", 8, 0, 0, 0, false, "1 B, one scale per layer not billed"},
      {"fp8-head", 8, 4, 0, 0, false, "1 B and an f32 scale per head"},
      {"int8-head", 8, 4, 0, 0, false, "1 B and an f32 scale per head"},
      {"nvfp4", 4, 0, 16, 1, false, "0.5 B and an fp8 scale per 16"},
      {"int4", 4, 0, 0, 0, false, "0.5 B, scales not billed"},
      {"fp8-mla", 8, 0, 128, 4, true,
       "latent in fp8 with an f32 scale per 128, rope part in bf16"},
  };
  return all;
}

Result<KvFormat> labgen::findKvFormat(const std::string &text,
                                      const ModelConfig &config) {
  std::vector<std::string_view> names;
  for (const KvFormat &format : kvFormats()) {
    names.push_back(format.name);
    if (format.name != text)
      continue;
    if (format.mlaOnly && !config.isMla())
      return Status::badInput("KV format '" + text +
                              "' is for latent "
                              "attention (MLA), which this model has not; use "
                              "fp8");
    if (format.headBytes && config.isMla())
      return Status::badInput("KV format '" + text +
                              "' has scales per head "
                              "and latent attention has no KV heads; use "
                              "fp8-mla");
    return format;
  }
  if (std::optional<Format> plain = parseFormat(text))
    return KvFormat{info(*plain).name, info(*plain).storageBits};
  if (text == "fp16")
    return KvFormat{"fp16", 16};
  return Status::badInput("unknown KV format " + quoted(text) +
                          "; did you mean " + quoted(nearest(text, names)) +
                          "? (" + orList(names) + ")");
}

static Count vectorBytes(const KvFormat &format, Count elements) {
  Count bytes = (elements * format.bits).ceilDivide(8) + format.headBytes;
  if (format.group)
    bytes += elements.ceilDivide(format.group) * format.groupBytes;
  return bytes;
}

KvCache::KvCache(const ModelConfig &config, const KvFormat &format)
    : config(config) {
  if (!config.isMla())
    perLayer = Count(2 * config.kvHeads) * vectorBytes(format, config.headDim);
  else if (format.mlaOnly)
    perLayer = vectorBytes(format, config.kvRank) + Count(2 * config.ropeDim);
  else
    perLayer = vectorBytes(format, config.kvRank + config.ropeDim);
}

Count KvCache::ideal(int64_t tokens) const {
  int64_t full = config.layers - config.windowLayers;
  int64_t kept = config.windowLayers ? std::min(tokens, config.window) : 0;
  return perLayer * (Count(full) * tokens + Count(config.windowLayers) * kept);
}

Count KvCache::paged(int64_t tokens, const KvPaging &paging) const {
  Count page = perLayer * paging.block;
  int64_t all = Count(tokens).ceilDivide(paging.block).get();
  Count pages = Count(config.layers - config.windowLayers) * all;
  if (config.windowLayers) {
    Count kept = Count(config.window) - 1 + paging.batched;
    int64_t windowed =
        Count(std::min(tokens, kept.get())).ceilDivide(paging.block).get() + 1;
    // Never more than the sequence itself takes.
    pages += Count(config.windowLayers) * std::min(windowed, all);
  }
  return page * pages;
}

Count KvCache::pagedFull(int64_t tokens, const KvPaging &paging) const {
  return perLayer * paging.block * Count(config.layers) *
         Count(tokens).ceilDivide(paging.block);
}

Count labgen::decompressedTokenBytes(const ModelConfig &config,
                                     const KvFormat &format) {
  Count elements = Count(config.qkDim() + config.valueDim()) * config.heads;
  return (elements * format.bits).ceilDivide(8) * config.layers;
}
