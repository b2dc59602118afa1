// Shape.h - what the stream kernels of all ISAs have in common.
//
// Included by files compiled for more than the baseline ISA: declarations and
// constants only, no code and no standard headers with inline functions, which
// the linker could pick for everyone.
#ifndef LABGEN_RUNTIME_MEASURE_STREAM_SHAPE_H
#define LABGEN_RUNTIME_MEASURE_STREAM_SHAPE_H

namespace labgen {
enum class Mix;
namespace stream {

struct Variant {
  bool nonTemporal, prefetch;
};

/// Three arrays; which are read and written, and how many lines of each go with
/// one step, is the mix's. Steps are the unit `begin` and `end` count.
struct Arrays {
  char *a, *b, *c;
};
using Kernel = void (*)(const Arrays &arrays, long begin, long end);

/// Lines of each array one step moves, and how often its bytes count.
struct Shape {
  int linesA, linesB, linesC;
  int countedLines; ///< lines read plus lines written
};
constexpr Shape readShape{8, 0, 0, 8};       ///< a is read
constexpr Shape copyShape{4, 4, 0, 8};       ///< a -> b
constexpr Shape triadShape{2, 2, 2, 6};      ///< a + s b -> c
constexpr Shape fourToOneShape{8, 2, 0, 10}; ///< a -> b, four lines to one
constexpr Shape oneToFourShape{2, 8, 0, 10}; ///< a -> b, one line to four
constexpr Shape updateShape{4, 4, 0, 12};    ///< b + s a -> b

/// By variant: plain, prefetch, non-temporal, non-temporal with prefetch.
struct Table {
  Kernel read[2], copy[4], triad[4], fourToOne[4], oneToFour[4], update[2];
};
extern const Table sse2Table, avx2Table, avx512Table;

} // namespace stream
} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_STREAM_SHAPE_H
