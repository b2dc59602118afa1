// WeightFormat.h - how many bytes weights take, scales and zero points billed.
#ifndef LABGEN_ROOFLINE_MODEL_WEIGHTFORMAT_H
#define LABGEN_ROOFLINE_MODEL_WEIGHTFORMAT_H

#include "lib/Roofline/model/Params.h"

#include <functional>

namespace labgen {

/// Codes of `bits`, and per group of `group` neighbours in a row (or block of
/// group x group with `square`) a scale and a zero point; `matrixBits` more per
/// matrix. A plain format (group 0) applies to all parameters, as the drills
/// have it; one with scales to the linear layers, the rest is bf16.
struct WeightFormat {
  std::string_view name;
  int bits;
  int group = 0;
  int scaleBits = 0, zeroBits = 0, matrixBits = 0;
  bool square = false;
  std::string_view summary = {};

  bool isPlain() const { return group == 0; }
  /// Of a large linear layer.
  double bitsPerWeight() const;
};
const std::vector<WeightFormat> &weightFormats();
/// By name; also the plain number formats of labgen ("f8E4M3FN", "i8").
Result<WeightFormat> findWeightFormat(const std::string &name);

/// Bytes of one rows x cols matrix, exact: ragged groups have a scale too, each
/// row starts on a byte.
Count matrixBytes(const WeightFormat &format, const Matrix &matrix);

/// Bytes of the model proper (no Mtp). `everywhere` treats all matrices as
/// linear layers of the format.
Result<int64_t> weightBytes(const ModelConfig &config,
                            const WeightFormat &format);
/// The linear layers in the format and the rest in bf16, for plain ones too.
Result<int64_t> linearWeightBytes(const ModelConfig &config,
                                  const WeightFormat &format);

/// Bytes that one decode step reads when it looks up embeddings instead of
/// streaming them and `touched` of the experts of each layer are used.
double touchedBytes(const ModelConfig &config, const WeightFormat &format,
                    double touched);

} // namespace labgen

#endif // LABGEN_ROOFLINE_MODEL_WEIGHTFORMAT_H
