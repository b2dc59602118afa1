// Decode.h - tokens per second from bytes per step, and what fits a device.
//
// One decode step streams the weights once and the KV cache of every sequence,
// and advances every sequence by one token: bandwidth / bytes is steps per
// second, which is tokens per second of each sequence; the total is batch times
// that.
#ifndef LABGEN_CALCULATOR_MODEL_DECODE_H
#define LABGEN_CALCULATOR_MODEL_DECODE_H

#include "calculator/model/WeightFormat.h"

namespace labgen {

/// Different experts that `batch` tokens reach in one layer, each choosing
/// topK of experts evenly and by itself: E (1 - (1 - k/E)^B).
double expectedExperts(const ModelConfig &config, double batch);

struct DecodeStep {
  double bytes = 0;
  double stepsPerSecond = 0; ///< tokens per second per sequence
  double tokensPerSecond = 0;
};
/// `bandwidth` in B/s.
DecodeStep decodeStep(double weightBytes, double kvBytesPerSequence,
                      double batch, double bandwidth);

/// Whole sequences that fit beside the weights; 0 when not even those do.
/// `kvBytesPerSequence` above 0.
int64_t sequencesThatFit(double capacityBytes, double weightBytes,
                         double kvBytesPerSequence);

/// One of `devices` under tensor parallelism.
struct TensorShare {
  int64_t devices = 1;
  int64_t kvHeads = 0;            ///< per device
  int64_t kvCopies = 1;           ///< devices that keep the same KV head
  int64_t weightParams = 0;       ///< per device
  int64_t kvElementsPerToken = 0; ///< per device, all layers
  int64_t kvCut = 1;              ///< devices a K or V projection is cut over

  /// Devices that share one matrix; the others keep it whole.
  int64_t cut(const Matrix &matrix) const {
    return matrix.cut == Cut::Copied    ? 1
           : matrix.cut == Cut::KvHeads ? kvCut
                                        : devices;
  }
  /// A device's part of the KV cache.
  double kvShare() const { return double(kvCopies) / double(devices); }
};
/// Query heads must divide evenly; KV heads are divided, or copied when there
/// are fewer than devices. Latent (MLA) caches are copied whole.
Result<TensorShare> tensorShare(const ModelConfig &config, int64_t devices);

/// Tokens per verification of `drafts` proposed ones, each accepted with
/// probability `accept`: (1 - a^(k+1)) / (1 - a).
double speculativeTokens(double accept, int64_t drafts);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_DECODE_H
