// CacheState.cpp - the cold threshold, the flush and scratch memory.
#include "runtime/measure/CacheState.h"
#include "lib/Host/CpuInfo.h"

#include <algorithm>

using namespace labgen;

bool labgen::isCold(int64_t footprintBytes) {
  return footprintBytes >= 2 * hostCpu().llcBytes;
}

bool labgen::flushCaches(Pool &pool) {
  static const Result<Tensor> buffer =
      scratchMemory(2 * hostCpu().llcBytes, pool);
  if (!buffer)
    return false;
  constexpr int64_t line = 64;
  pool.run(buffer->byteSize() / line, [&](int64_t begin, int64_t end) {
    const std::byte *data = buffer->data();
    for (int64_t i = begin; i < end; ++i) {
      uint64_t word = *reinterpret_cast<const uint64_t *>(data + i * line);
      __asm__ volatile("" ::"r"(word));
    }
  });
  return true;
}

Result<Tensor> labgen::scratchMemory(int64_t bytes, Pool &pool) {
  Argument argument;
  argument.name = "a measurement";
  argument.format = Format::F32;
  argument.shape = {bytes / int64_t(sizeof(float))};
  Result<Tensor> memory = Tensor::allocate(argument);
  if (!memory)
    return memory;
  float *values = memory->as<float>();
  pool.run(memory->columns(), [=](int64_t begin, int64_t end) {
    std::fill(values + begin, values + end, 1.0f);
  });
  return memory;
}
