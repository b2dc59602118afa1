// WeightFormat.h - how many bytes weights take, scales and zero points billed.
#ifndef LABGEN_CALCULATOR_MODEL_WEIGHTFORMAT_H
#define LABGEN_CALCULATOR_MODEL_WEIGHTFORMAT_H

#include "calculator/model/Params.h"

#include <functional>

namespace labgen {

struct WeightFormat;
/// The format of a matrix of a layer (0 outside the layers); nullptr where it
/// stays in 16 bits.
using FormatOf =
    std::function<const WeightFormat *(const Matrix &matrix, int64_t layer)>;

/// Codes of `bits`, and per group of `group` neighbours in a row (or block of
/// group x group with `square`) a scale and a zero point; `columnBits` more per
/// column, `matrixBits` more per matrix. A plain format applies to all
/// parameters, as the drills have it; one with scales to the linear layers, the
/// rest is bf16.
struct WeightFormat {
  std::string_view name;
  int bits;
  int group = 0; ///< 0: no groups; wholeRow: one in each row
  int scaleBits = 0, zeroBits = 0, matrixBits = 0;
  bool square = false;
  std::string_view summary = {};
  int columnBits = 0;
  int superGroup = 0;      ///< scales that share a second scale of 32 bits
  bool linearOnly = false; ///< has scales, though not in groups
  FormatOf of = nullptr;   ///< of a checkpoint, which differs by matrix
  double average = 0;      ///< bits per weight of such a checkpoint's layers

  bool isPlain() const { return group == 0 && !linearOnly && !of; }
  /// Of a large linear layer.
  double bitsPerWeight() const;
};
constexpr int wholeRow = 1 << 30;
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

/// How many devices share a matrix; vectors are on every one.
using CutOf = std::function<int64_t(const Matrix &)>;
/// Bytes on one device of several.
Result<int64_t> deviceWeightBytes(const ModelConfig &config,
                                  const WeightFormat &format, const CutOf &cut);

/// Bytes that one decode step reads when it looks up embeddings instead of
/// streaming them and `touched` of the experts of each layer are used.
double touchedBytes(const ModelConfig &config, const WeightFormat &format,
                    double touched, const CutOf &cut = nullptr);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_WEIGHTFORMAT_H
