// Roofline.h - how fast a lab could be on a machine.
//
// time = max(bytes / bandwidth, FLOPs / peak) + launch, with the bandwidth of
// the memory level the footprint fits and the read:write mix nearest the lab's,
// and the peak of the fastest unit that can do the lab's arithmetic. Rooflines:
// Williams, Waterman and Patterson, CACM 52(4), 2009.
#ifndef LABGEN_ROOFLINE_ROOFLINE_H
#define LABGEN_ROOFLINE_ROOFLINE_H

#include "lib/Spec/Cost.h"
#include "lib/Support/Json.h"

#include <map>
#include <string>
#include <vector>

namespace labgen {

/// Read:write mixes that are probed, by the shape of the labs they stand for.
enum class Mix { Read, Copy, Triad, FourToOne, OneToFour, Update };
std::string_view name(Mix mix);
/// The mix whose share of written bytes is nearest the lab's; axpy is Update
/// (two reads, one write in place).
Mix mixOf(const KernelSpec &spec);

struct Bandwidth {
  Mix mix;
  int64_t footprintBytes; ///< all arrays, all threads
  int threads;
  double gbps;      ///< counted bytes, best of plain and non-temporal
  bool nonTemporal; ///< which of the two was best
  std::string isa;
};
struct Peak {
  Format format;   ///< f64, f32, bf16, i8
  std::string isa; ///< avx2, avx512, avx512_bf16, avx512_vnni, amx, ...
  int threads;
  double gflops;
  /// Empty: whatever the format needs (measured loops accumulate wide).
  std::optional<Format> accumulate = std::nullopt;
  bool matrixUnit = false; ///< only gemms reach it
};

/// What a machine can do, measured or from a datasheet.
struct MachineRoofs {
  std::string chip;
  std::string source; ///< measured | datasheet
  std::string date;
  /// Under what it was measured (threads, load, huge pages), for the reader.
  std::map<std::string, std::string> conditions;
  int64_t l1Bytes = 0, l2Bytes = 0, llcBytes = 0;
  double launchSeconds = 0;
  std::vector<Bandwidth> bandwidths;
  std::vector<Peak> peaks;

  Json toJson() const;
  static Result<MachineRoofs> fromJson(const Json &json);
};

/// Bytes of all arguments of a lab: what decides the memory level.
int64_t footprint(const KernelSpec &spec);

/// Bandwidth in GB/s at a footprint, linear in its logarithm between the probed
/// ones and flat beyond. A thread count that was not probed scales from the
/// next lower one, capped by the next higher. Nothing without an entry for
/// `mix`.
std::optional<Bandwidth> bandwidthAt(const MachineRoofs &roofs, Mix mix,
                                     int64_t footprintBytes, int threads);
/// The fastest peak among `formats`, thread counts as above.
std::optional<Peak> peakOf(const MachineRoofs &roofs,
                           const std::vector<Format> &formats, int threads);
/// The peak of the fastest unit that can do a lab: of one of the formats the op
/// names (OpInfo::units), with sums at least as wide as the lab's.
std::optional<Peak> fastestPeak(const KernelSpec &spec,
                                const MachineRoofs &roofs, int threads);

struct Prediction {
  double seconds = 0;
  std::string regime;          ///< memory | compute | launch | cache
  double gbps = 0, gflops = 0; ///< the roofs used
  std::string isa;             ///< of the unit with that gflops (fastestPeak)
};
/// Nothing when the machine has no roof for the lab's dtype.
std::optional<Prediction> predict(const KernelSpec &spec, const Cost &cost,
                                  const MachineRoofs &roofs, int threads);

} // namespace labgen

#endif // LABGEN_ROOFLINE_ROOFLINE_H
