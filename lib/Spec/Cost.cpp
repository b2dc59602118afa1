// Cost.cpp - bytes from the arguments, FLOPs from the op.
#include "lib/Spec/OpInfo.h"

namespace labgen {

static CheckedCount bytesOf(const Argument &argument) {
  CheckedCount rows(1);
  for (size_t i = 0; i + 1 < argument.shape.size(); ++i)
    rows = rows * argument.shape[i];
  int64_t columns = argument.shape.empty() ? 1 : argument.shape.back();
  if (info(argument.format).storageBits % 8 == 0)
    return rows * columns * (info(argument.format).storageBits / 8);
  return rows * packedBytes(argument.format, columns);
}

Status checkCounts(const KernelSpec &spec) {
  CheckedCount total(0);
  for (const Argument &argument : arguments(spec)) {
    CheckedCount elements(1);
    for (int64_t size : argument.shape)
      elements = elements * size;
    CheckedCount bytes = bytesOf(argument);
    // An inout is read and written.
    total = total + bytes + bytes;
    if (elements.overflows || bytes.overflows)
      return Status::badInput("the size of " + argument.name +
                              " does not fit 64 bits; use smaller sizes");
  }
  if (total.overflows)
    return Status::badInput(
        "the bytes of all arguments do not fit 64 bits; use smaller sizes");
  if (info(spec.op).flops(spec).overflows)
    return Status::badInput("the FLOPs do not fit 64 bits; use smaller sizes");
  return Status::ok();
}

Cost cost(const KernelSpec &spec) {
  Cost cost;
  int64_t weightBytes = 0, weights = 0;
  for (const Argument &argument : arguments(spec)) {
    int64_t bytes = argument.bytes();
    if (argument.role != Role::Output)
      cost.bytesRead += bytes;
    if (argument.role != Role::Input)
      cost.bytesWritten += bytes;
    if (argument.kind == ArgumentKind::Codes)
      weights = argument.elements();
    if (argument.kind != ArgumentKind::Values)
      weightBytes += bytes;
  }
  cost.flops = info(spec.op).flops(spec).value;
  if (spec.isQuantized() && weights > 0)
    cost.bitsPerWeight = 8.0 * double(weightBytes) / double(weights);
  return cost;
}

} // namespace labgen
