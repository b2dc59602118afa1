// Stream.cpp - picks a stream kernel by ISA, mix and variant.
#include "runtime/measure/stream/Stream.h"
#include "lib/Roofline/Roofline.h"

using namespace labgen;

stream::Kernel stream::kernel(const std::string &isa, Mix mix,
                              Variant variant) {
  const Table &table = isa == "avx512" ? avx512Table
                       : isa == "avx2" ? avx2Table
                                       : sse2Table;
  int at = variant.prefetch + 2 * variant.nonTemporal;
  switch (mix) {
  case Mix::Read:
    return variant.nonTemporal ? nullptr : table.read[at];
  case Mix::Copy:
    return table.copy[at];
  case Mix::Triad:
    return table.triad[at];
  case Mix::FourToOne:
    return table.fourToOne[at];
  case Mix::OneToFour:
    return table.oneToFour[at];
  case Mix::Update:
    return variant.nonTemporal ? nullptr : table.update[at];
  }
  return nullptr;
}

stream::Shape stream::shape(Mix mix) {
  switch (mix) {
  case Mix::Read:
    return readShape;
  case Mix::Copy:
    return copyShape;
  case Mix::Triad:
    return triadShape;
  case Mix::FourToOne:
    return fourToOneShape;
  case Mix::OneToFour:
    return oneToFourShape;
  case Mix::Update:
    return updateShape;
  }
  return readShape;
}
