// Arguments.cpp - what a kernel is called with: names, formats, shapes, bytes.
#include "lib/Spec/OpInfo.h"

namespace labgen {

int64_t Argument::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t Argument::rowBytes() const {
  return packedBytes(format, shape.empty() ? 1 : shape.back());
}

int64_t Argument::bytes() const {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < shape.size(); ++i)
    rows *= shape[i];
  return rows * rowBytes();
}

std::vector<Argument> arguments(const KernelSpec &spec) {
  return info(spec.op).arguments(spec);
}

} // namespace labgen
