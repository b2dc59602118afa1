// DeviceLoad.cpp - weights, KV cache and room of one device.
#include "calculator/report/DeviceLoad.h"
#include "calculator/report/Numbers.h"

using namespace labgen;

Result<DeviceLoad> DeviceLoad::of(const ModelRequest &request,
                                  const WeightFormat &format) {
  DeviceLoad load;
  load.request = &request;
  load.format = &format;
  Result<TensorShare> share = tensorShare(request.config, request.devices);
  Result<int64_t> all = requestedWeightBytes(request, format);
  Result<ParamCounts> counts = countParams(request.config);
  if (!share || !all || !counts)
    return !share ? share.status() : !all ? all.status() : counts.status();
  load.share = *share;
  load.weights = double(*all);
  if (request.devices == 1)
    return load;
  if (request.nominalParams) {
    load.weights *= double(share->weightParams) / double(counts->total);
    return load;
  }
  Result<int64_t> own = deviceWeightBytes(
      request.config, format, [&](const Matrix &m) { return share->cut(m); });
  if (!own)
    return own.status();
  load.weights = double(*own);
  return load;
}

double DeviceLoad::touchedBytes(double touched) const {
  return labgen::touchedBytes(request->config, *format, touched,
                              [this](const Matrix &m) { return share.cut(m); });
}

std::optional<double> DeviceLoad::room(const ChipCell &capacityGb) const {
  if (!capacityGb.value)
    return std::nullopt;
  return (*capacityGb.value * request->utilization - request->reserveGb) * 1e9;
}

std::string labgen::devicesNote(const ModelRequest &request) {
  if (request.devices == 1)
    return "";
  std::string text = "figures are of one of " + grouped(request.devices) +
                     " devices under tensor parallelism";
  if (int64_t copies = kvCopies(request); request.config.isMla())
    text += "; the latent has no heads, every device keeps all of it";
  else if (copies > 1)
    text += "; there are fewer KV heads than devices, so each is kept by " +
            grouped(copies) + " of them";
  return text;
}
