// DeviceLoad.h - what one device keeps, reads and has room for (internal to
// report/).
//
// The one place where tensor parallelism, --utilization and --reserve-gb enter:
// the decode table, what fits and the sequences all ask it.
#ifndef LABGEN_CALCULATOR_REPORT_DEVICELOAD_H
#define LABGEN_CALCULATOR_REPORT_DEVICELOAD_H

#include "calculator/report/Report.h"

namespace labgen {

class DeviceLoad {
public:
  static Result<DeviceLoad> of(const ModelRequest &request,
                               const WeightFormat &format);

  double weightBytes() const { return weights; }
  /// Of a sequence whose KV cache takes `bytes` once.
  double kvBytes(double bytes) const { return bytes * share.kvShare(); }
  /// Weights a step reads when `touched` experts of a layer are used and
  /// embeddings are looked up.
  double touchedBytes(double touched) const;
  /// The part of a chip's memory that may be used; empty when it is unknown.
  std::optional<double> room(const ChipCell &capacityGb) const;

private:
  const ModelRequest *request;
  const WeightFormat *format;
  TensorShare share;
  double weights = 0;
};

/// One sentence on what several devices mean; empty for one.
std::string devicesNote(const ModelRequest &request);

} // namespace labgen

#endif // LABGEN_CALCULATOR_REPORT_DEVICELOAD_H
