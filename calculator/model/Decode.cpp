// Decode.cpp - decode ceilings, experts touched, shares of a device.
#include "calculator/model/Decode.h"

#include <cmath>

using namespace labgen;

double labgen::expectedExperts(const ModelConfig &config, double batch) {
  double e = double(config.experts), k = double(config.topK);
  if (batch == 1)
    return k;
  // expm1 and log1p keep small shares exact.
  return k == e ? e : -e * std::expm1(batch * std::log1p(-k / e));
}

DecodeStep labgen::decodeStep(double weightBytes, double kvBytesPerSequence,
                              double batch, double bandwidth) {
  DecodeStep step;
  step.bytes = weightBytes + batch * kvBytesPerSequence;
  step.stepsPerSecond = bandwidth / step.bytes;
  step.tokensPerSecond = batch * step.stepsPerSecond;
  return step;
}

int64_t labgen::sequencesThatFit(double capacityBytes, double weightBytes,
                                 double kvBytesPerSequence) {
  double rest = capacityBytes - weightBytes;
  return rest <= 0 ? 0 : int64_t(std::floor(rest / kvBytesPerSequence));
}

Result<TensorShare> labgen::tensorShare(const ModelConfig &config,
                                        int64_t devices) {
  auto refuse = [&](const std::string &what, int64_t heads) {
    return Status::badInput("--tp is " + std::to_string(devices) + " and " +
                            what + " (" + std::to_string(heads) +
                            "); give a divisor of the query heads that divides "
                            "the KV heads or is a multiple of them");
  };
  if (config.heads % devices != 0)
    return refuse("does not divide the query heads", config.heads);
  TensorShare share;
  share.devices = devices;
  if (config.isMla()) {
    share.kvCopies = devices;
    share.kvElementsPerToken = config.layers * (config.kvRank + config.ropeDim);
  } else {
    if (config.kvHeads % devices != 0 && devices % config.kvHeads != 0)
      return refuse("fits no even split of the KV heads", config.kvHeads);
    share.kvHeads = std::max<int64_t>(1, config.kvHeads / devices);
    share.kvCopies = share.kvHeads * devices / config.kvHeads;
    share.kvElementsPerToken =
        2 * config.layers * share.kvHeads * config.headDim;
  }

  if (!config.isMla())
    share.kvCut = config.kvHeads / share.kvHeads;
  Weights weights = weightsOf(config);
  Count params;
  for (const Matrix &m : weights.matrices)
    if (m.part != Part::Mtp)
      params += m.parameters().ceilDivide(share.cut(m));
  for (const Vector &v : weights.vectors)
    if (v.part != Part::Mtp)
      params += v.length;
  share.weightParams = params.get();
  return share;
}

double labgen::speculativeTokens(double accept, int64_t drafts) {
  if (accept == 1)
    return double(drafts + 1);
  return (1 - std::pow(accept, double(drafts + 1))) / (1 - accept);
}
