// Data.cpp - the arguments of a lab, filled.
//
// Floats come from a distribution; codes and their scales from quantizing such
// floats with the oracle, so that they are what a kernel would be handed.
#include "runtime/data/Data.h"

#include "runtime/check/numbers/Spans.h"
#include "runtime/check/numbers/StepTable.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"
#include "runtime/data/Draw.h"

#include <cstring>

namespace labgen {
namespace {

struct Filled {
  void merge(const Filled &) {}
};

void fillFloats(Tensor &tensor, const Draw &draw, const ParallelFor &parallel) {
  Format format = tensor.argument().format;
  int64_t rowBytes = tensor.argument().rowBytes();
  oracle::BulkRounder rounder(format, oracle::defaultRules(format),
                              tensor.argument().elements());
  mapChunks<Filled>(parallel, tensor.rows(), tensor.columns(), chunkElements,
                    [&](int64_t row, int64_t begin, int64_t count, Filled &) {
                      double values[chunkElements];
                      draw(row, begin, count, values);
                      std::byte *out = tensor.data() + row * rowBytes;
                      if (format == Format::F32 || format == Format::BF16 ||
                          format == Format::F16) {
                        float floats[chunkElements];
                        std::copy(values, values + count, floats);
                        oracle::writeFloats(format, out, begin, count, floats);
                      } else if (format == Format::F64) {
                        oracle::writeDoubles(format, out, begin, count, values);
                      } else {
                        rounder.write(values, count, out, begin);
                      }
                    });
}

/// Quantizes f32 values of the distribution into the codes and scales of a
/// dequantize or gemm.
void fillCodes(const KernelSpec &spec, Tensors &tensors, const Draw &draw,
               const ParallelFor &parallel) {
  Tensor &q = *find(tensors, ArgumentKind::Codes);
  KernelSpec quantizer;
  quantizer.op = Op::Quantize;
  quantizer.m = q.rows();
  quantizer.k = q.columns();
  quantizer.out = q.argument().format;
  quantizer.group = spec.group;
  quantizer.scale = spec.scale;
  quantizer.zero = spec.zero;
  oracle::FloatSource source = [&](int64_t row, int64_t begin, int64_t count,
                                   float *out) {
    double values[chunkElements];
    draw(row, begin, count, values);
    std::copy(values, values + count, out);
  };
  oracle::quantize(quantizer, q.rows(), q.columns(), source,
                   {&q, find(tensors, ArgumentKind::Scale),
                    find(tensors, ArgumentKind::ZeroPoint),
                    find(tensors, ArgumentKind::Global)},
                   parallel);
}

} // namespace

Result<Tensors> makeData(const KernelSpec &spec, Distribution d, uint64_t seed,
                         const ParallelFor &parallel) {
  std::vector<Argument> all = arguments(spec);
  int64_t total = 0, needed = 0;
  Tensors tensors;
  for (const Argument &argument : all) {
    Result<Tensor> tensor = Tensor::allocate(argument);
    if (!tensor)
      return tensor.status();
    tensors.push_back(*tensor);
    if (__builtin_add_overflow(total, argument.bytes(), &total))
      return Status::badInput("the arguments together overflow an address; use "
                              "smaller sizes");
    // A run reads inputs in place, has the kernel's outputs and the judge's
    // copy of them, and what is updated in place as it was too.
    needed += argument.bytes() * (argument.role == Role::Input    ? 1
                                  : argument.role == Role::Output ? 2
                                                                  : 3);
  }
  if (Status status = requireMemory("the run", needed); !status)
    return status;
  for (size_t i = 0; i < all.size(); ++i) {
    const Argument &argument = all[i];
    Tensor &tensor = tensors[i];
    if (argument.role == Role::Output) {
      std::memset(tensor.data(), 0xA5, size_t(tensor.byteSize()));
      continue;
    }
    bool isCodes = argument.kind == ArgumentKind::Codes;
    Draw draw(d, seed, int(i), isCodes ? Format::F32 : argument.format,
              tensor.columns(), info(spec.op).ties(spec, argument));
    if (isCodes)
      fillCodes(spec, tensors, draw, parallel);
    else if (argument.kind ==
             ArgumentKind::Values) // scales come with the codes
      fillFloats(tensor, draw, parallel);
  }
  return tensors;
}

} // namespace labgen
