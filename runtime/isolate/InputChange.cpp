// InputChange.cpp - where an input may change, and how.
#include "runtime/isolate/InputChange.h"

#include "lib/Spec/OpInfo.h"

#include <algorithm>
#include <cstring>

namespace labgen {
namespace {

/// Bytes of whole elements, the last of an argument; `unit` is one of them, two
/// codes of 4 bits or four of 6.
struct Region {
  int64_t offset = 0, size = 0, unit = 1;
};

Region changeableRegion(const Argument &argument) {
  int64_t bits = info(argument.format).storageBits;
  Region region;
  region.unit = bits >= 8 ? bits / 8 : bits == 6 ? 3 : 1;
  int64_t columns = argument.shape.empty() ? 1 : argument.shape.back();
  if (columns * bits % 8 == 0) {
    region.size = argument.bytes();
  } else if (argument.bytes() >
             0) { // rows end within a byte: only the last one
    region.offset = argument.bytes() - argument.rowBytes();
    region.size = columns * bits / 8;
  }
  region.size = region.size / region.unit * region.unit;
  int64_t kept =
      std::min(region.size, lastChangeBytes / region.unit * region.unit);
  region.offset += region.size - kept;
  region.size = kept;
  return region;
}

/// Doubles a finite normal number that stays finite; flips an integer's lowest
/// bit.
template <typename Bits> void grow(Format format, std::byte *element) {
  Bits bits;
  std::memcpy(&bits, element, sizeof bits);
  const FormatInfo &f = info(format);
  if (isInteger(format)) {
    bits ^= 1;
  } else {
    int exponentBits = f.storageBits - 1 - f.mantissaBits;
    auto top = Bits((uint64_t(1) << exponentBits) - 1);
    auto exponent = Bits(bits >> f.mantissaBits & top);
    if (exponent > 0 && exponent + 1 < top)
      bits = Bits(bits + Bits(uint64_t(1) << f.mantissaBits));
  }
  std::memcpy(element, &bits, sizeof bits);
}

void growElement(Format format, std::byte *element) {
  switch (info(format).storageBits) {
  case 64:
    return grow<uint64_t>(format, element);
  case 32:
    return grow<uint32_t>(format, element);
  case 16:
    return grow<uint16_t>(format, element);
  default:
    return grow<uint8_t>(format, element);
  }
}

} // namespace

InputChange drawChange(const KernelSpec &spec, int64_t bytes, uint64_t random) {
  std::vector<Argument> all = arguments(spec);
  for (size_t i = 0; i < all.size(); ++i) {
    Region region = changeableRegion(all[i]);
    int64_t units = std::min(region.size, bytes) / region.unit;
    if (all[i].role != Role::Input || units < 2)
      continue;
    int64_t places = region.size / region.unit - units + 1;
    InputChange change;
    change.argument = int32_t(i);
    change.offset = region.offset +
                    int64_t((random >> 32) % uint64_t(places)) * region.unit;
    change.size = units * region.unit;
    change.amount =
        info(spec.op).ignoresOrder(spec)
            ? units
            : 1 + int64_t((random & 0xffffffff) % uint64_t(units - 1));
    return change;
  }
  return {};
}

void applyChange(const KernelSpec &spec, const InputChange &change,
                 const std::byte *from, std::byte *to) {
  const Argument argument = arguments(spec)[size_t(change.argument)];
  int64_t unit = changeableRegion(argument).unit;
  if (info(spec.op).ignoresOrder(spec)) {
    std::memcpy(to, from, size_t(change.size));
    for (int64_t at = 0; at < change.amount * unit; at += unit)
      growElement(argument.format, to + at);
    return;
  }
  int64_t moved = change.amount * unit;
  std::memcpy(to, from + moved, size_t(change.size - moved));
  std::memcpy(to + change.size - moved, from, size_t(moved));
}

void ChangingInput::write(const std::byte *bytes) {
  Tensor &tensor = arguments[size_t(current.argument)];
  tensor.setWritable(current.offset, current.size, true);
  std::memcpy(tensor.data() + current.offset, bytes, size_t(current.size));
  tensor.setWritable(current.offset, current.size, false);
}

void ChangingInput::apply(const InputChange &change) {
  if (current.argument >= 0)
    write(original.data());
  current = change;
  if (current.argument < 0)
    return;
  const std::byte *from =
      arguments[size_t(current.argument)].data() + current.offset;
  original.assign(from, from + current.size);
  std::vector<std::byte> changed(original.size());
  applyChange(spec, current, original.data(), changed.data());
  write(changed.data());
}

} // namespace labgen
