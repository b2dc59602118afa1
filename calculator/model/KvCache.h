// KvCache.h - bytes of keys and values, ideal and as an allocator pages them.
//
// KV heads decide, never query heads; widths are in bits until the last step.
// Page arithmetic follows vLLM: pages of `block` tokens per layer, a windowed
// layer holding window - 1 + batched tokens and one page more.
#ifndef LABGEN_CALCULATOR_MODEL_KVCACHE_H
#define LABGEN_CALCULATOR_MODEL_KVCACHE_H

#include "calculator/config/Config.h"
#include "calculator/model/Count.h"

namespace labgen {

struct KvFormat {
  std::string_view name;
  int bits;          ///< per element
  int headBytes = 0; ///< scales, per head and token, for K and V each
  int group = 0;     ///< elements that share `groupBytes`
  int groupBytes = 0;
  bool mlaOnly = false; ///< rope part stays 16 bit, latent has group scales
  std::string_view summary = {};
};
const std::vector<KvFormat> &kvFormats();
Result<KvFormat> findKvFormat(const std::string &name,
                              const ModelConfig &config);

/// How the allocator cuts up memory.
struct KvPaging {
  int64_t block = 16;     ///< tokens per page
  int64_t batched = 2048; ///< most new tokens in one step
};

class KvCache {
public:
  KvCache(const ModelConfig &config, const KvFormat &format);

  /// Of one token in one layer; of one in all layers.
  Count layerBytes() const { return perLayer; }
  Count tokenBytes() const { return perLayer * config.layers; }
  /// Of a sequence of `tokens`, windowed layers keeping a window of them.
  Count ideal(int64_t tokens) const;
  Count paged(int64_t tokens, const KvPaging &paging) const;
  /// Paged by an allocator that keeps windowed layers in full.
  Count pagedFull(int64_t tokens, const KvPaging &paging) const;

private:
  const ModelConfig &config;
  Count perLayer;
};

/// What multi-head attention of the same heads would keep for one token, the
/// latent or the shared heads written out.
Count decompressedTokenBytes(const ModelConfig &config, const KvFormat &format);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_KVCACHE_H
