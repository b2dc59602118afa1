// WeightFormat.cpp - the table of weight formats and their bytes.
#include "calculator/model/WeightFormat.h"
#include "lib/Spec/Format.h"
#include "lib/Support/Text.h"

using namespace labgen;

double WeightFormat::bitsPerWeight() const {
  if (of)
    return average;
  if (group == 0)
    return bits;
  double codes = square ? double(group) * group : group;
  return bits + double(scaleBits + zeroBits) / codes;
}

const std::vector<WeightFormat> &labgen::weightFormats() {
  static const std::vector<WeightFormat> all = {
      {"f32", 32, 0, 0, 0, 0, false, "4 B"},
      {"bf16", 16, 0, 0, 0, 0, false, "2 B, as f16"},
      {"int8", 8, 0, 0, 0, 0, false, "1 B, as fp8; scales not billed"},
      {"int4", 4, 0, 0, 0, 0, false, "0.5 B; scales not billed"},
      {"fp8-block128", 8, 128, 32, 0, 0, true, "f32 scale per 128 x 128"},
      {"mxfp8", 8, 32, 8, 0, 0, false, "E8M0 scale per 32"},
      {"int8-g128", 8, 128, 16, 0, 0, false, "f16 scale per 128"},
      {"q8_0", 8, 32, 16, 0, 0, false, "f16 scale per 32"},
      {"mxfp6", 6, 32, 8, 0, 0, false, "E8M0 scale per 32"},
      {"nvfp4", 4, 16, 8, 0, 32, false, "E4M3 scale per 16, f32 per tensor"},
      {"q4_0", 4, 32, 16, 0, 0, false, "f16 scale per 32"},
      {"mxfp4", 4, 32, 8, 0, 0, false, "E8M0 scale per 32"},
      {"int4-g128-zp", 4, 128, 16, 4, 0, false,
       "f16 scale and 4-bit zero point per 128"},
      {"int4-g128", 4, 128, 16, 0, 0, false, "f16 scale per 128"},
  };
  return all;
}

Result<WeightFormat> labgen::findWeightFormat(const std::string &text) {
  std::vector<std::string_view> names;
  for (const WeightFormat &format : weightFormats()) {
    if (format.name == text)
      return format;
    names.push_back(format.name);
  }
  if (std::optional<Format> plain = parseFormat(text)) {
    const FormatInfo &row = info(*plain);
    return WeightFormat{row.name, row.storageBits, 0, 0, 0, 0, false, ""};
  }
  if (text == "fp16" || text == "fp8")
    return WeightFormat{text == "fp8" ? "fp8" : "fp16", text == "fp8" ? 8 : 16};
  return Status::badInput("unknown weight format " + quoted(text) +
                          "; did you mean " + quoted(nearest(text, names)) +
                          "? (" + orList(names) + ")");
}

Count labgen::matrixBytes(const WeightFormat &format, const Matrix &matrix) {
  Count codes =
      Count(matrix.rows) * (Count(matrix.cols) * format.bits).ceilDivide(8);
  Count extras =
      Count(format.matrixBits) + Count(matrix.cols) * format.columnBits;
  if (format.group) {
    Count along = Count(matrix.cols).ceilDivide(format.group);
    Count rows = format.square ? Count(matrix.rows).ceilDivide(format.group)
                               : Count(matrix.rows);
    Count groups = rows * along;
    extras += groups * (format.scaleBits + format.zeroBits);
    if (format.superGroup)
      extras += groups.ceilDivide(format.superGroup) * 32;
  }
  return codes + extras.ceilDivide(8);
}

namespace {

constexpr int restBits = 16, f32Bits = 32;

Count plainBytes(Count parameters, int bits) {
  return (parameters * bits).ceilDivide(8);
}

Result<int64_t> exact(Count bytes) {
  if (bytes.overflowed())
    return Status::badInput("the weights of this model do not fit 64 bits of "
                            "bytes; use smaller sizes");
  return bytes.get();
}

/// One of `matrix`, in a layer of a checkpoint that differs by layer.
Count storedBytes(const WeightFormat &format, const Matrix &matrix,
                  int64_t layer) {
  const WeightFormat *here = &format;
  if (format.of)
    here = format.of(matrix, layer);
  else if (!matrix.quantized)
    here = nullptr;
  if (here)
    return matrixBytes(*here, matrix);
  return plainBytes(Count(matrix.rows) * matrix.cols, restBits);
}

/// All that are stored of `matrix`, over the layers that have it.
Count storedBytes(const ModelConfig &config, const WeightFormat &format,
                  const Matrix &matrix) {
  int64_t layers = layersWith(config, matrix.part);
  if (!format.of || layers == 0)
    return matrix.stored * storedBytes(format, matrix, 0);
  Count bytes, each = matrix.stored.get() / layers;
  for (int64_t layer = 0; layer < config.layers; ++layer)
    if (isInLayer(config, matrix.part, layer))
      bytes += each * storedBytes(format, matrix, layer);
  return bytes;
}

} // namespace

Result<int64_t> labgen::deviceWeightBytes(const ModelConfig &config,
                                          const WeightFormat &format,
                                          const CutOf &cut) {
  Weights weights = weightsOf(config);
  Count bytes;
  for (const Matrix &m : weights.matrices)
    if (m.part != Part::Mtp) {
      Count all = format.isPlain() ? plainBytes(m.parameters(), format.bits)
                                   : storedBytes(config, format, m);
      bytes += all.ceilDivide(cut(m));
    }
  for (const Vector &v : weights.vectors)
    if (v.part != Part::Mtp)
      bytes += plainBytes(v.length, format.isPlain() ? format.bits
                                    : v.f32          ? f32Bits
                                                     : restBits);
  return exact(bytes);
}

Result<int64_t> labgen::linearWeightBytes(const ModelConfig &config,
                                          const WeightFormat &format) {
  Weights weights = weightsOf(config);
  Count bytes;
  for (const Matrix &m : weights.matrices)
    if (m.part != Part::Mtp)
      bytes += storedBytes(config, format, m);
  for (const Vector &v : weights.vectors)
    if (v.part != Part::Mtp)
      bytes += plainBytes(v.length, v.f32 ? f32Bits : restBits);
  return exact(bytes);
}

Result<int64_t> labgen::weightBytes(const ModelConfig &config,
                                    const WeightFormat &format) {
  if (!format.isPlain())
    return linearWeightBytes(config, format);
  Result<ParamCounts> counts = countParams(config);
  if (!counts)
    return counts.status();
  return exact(plainBytes(counts->total, format.bits));
}

double labgen::touchedBytes(const ModelConfig &config,
                            const WeightFormat &format, double touched,
                            const CutOf &cut) {
  Weights weights = weightsOf(config);
  double bytes = 0;
  for (const Matrix &m : weights.matrices) {
    if (m.part == Part::Mtp || m.part == Part::Positions)
      continue;
    // A tied embedding is read as the head.
    double count = m.part == Part::Embedding ? 0
                   : m.part == Part::Experts
                       ? touched * double(config.moeLayers())
                       : double(m.used.get());
    double each = double(m.rows) * double(m.cols) * format.bits / 8;
    if (!format.isPlain() && m.stored.get() == 0)
      each = double(storedBytes(format, m, 0).get());
    else if (!format.isPlain())
      each =
          double(storedBytes(config, format, m).get()) / double(m.stored.get());
    bytes += count * each / (cut ? double(cut(m)) : 1);
  }
  for (const Vector &v : weights.vectors) {
    if (v.part == Part::Mtp)
      continue;
    int bits = format.isPlain() ? format.bits : v.f32 ? f32Bits : restBits;
    double share =
        v.length.get() == v.used.get() ? 1 : touched / double(config.experts);
    bytes += double(v.length.get()) * share * bits / 8;
  }
  return bytes;
}
