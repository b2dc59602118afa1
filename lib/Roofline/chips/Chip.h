// Chip.h - what chips can do by their makers' figures, cell by cell.
//
// Vendors print dense beside sparse, f16 beside f32 accumulation, GB beside
// GiB, and tables copied from them are often wrong by a factor of two. So each
// cell says where its value is from, and each peak is stated dense, with its
// accumulator, beside units x operations per clock x GHz (checked to 1%).
// What isn't known is empty: it prints n/a and nothing is computed from it.
#ifndef LABGEN_ROOFLINE_CHIPS_CHIP_H
#define LABGEN_ROOFLINE_CHIPS_CHIP_H

#include "lib/Roofline/Roofline.h"
#include "lib/Spec/Row.h"

#include <optional>
#include <string>
#include <vector>

namespace labgen {

enum class Confidence {
  Datasheet,   ///< the maker's document, or a table that links it
  Derived,     ///< units x operations per clock x GHz
  Unconfirmed, ///< no maker's document was found for it
  Measured,    ///< probed on this machine
  User         ///< from a chip file
};
std::string_view name(Confidence confidence);

/// One figure that is no peak.
struct ChipCell {
  std::optional<double> value;
  std::string source;
  Confidence confidence = Confidence::Datasheet;
};

/// One dense peak.
struct ChipPeak {
  Format format = Format::F32; ///< of the operands
  bool matrix = false;         ///< matrix unit or vector unit
  Format accumulate = Format::F32;
  std::string isa;              ///< mma, mfma, wmma, amx, avx512, simt, ...
  double tera = 0;              ///< TFLOP/s (TOP/s for integers), never sparse
  double perClock = 0, ghz = 0; ///< per unit; 0 where the check isn't possible
  std::string source;
  Confidence confidence = Confidence::Datasheet;
};

struct Chip {
  std::string name;
  std::vector<std::string> aliases; ///< whole other names
  std::string target;               ///< of labgen; empty when it has none
  bool byDefault = false;           ///< what a prediction for the target is of
  std::string unit;                 ///< SM, CU, core
  int64_t units = 0;
  ChipCell capacityGb; ///< decimal, as marketed
  /// 10^9 B the driver shows, mostly more than the marketed figure.
  ChipCell driverGb;
  ChipCell bandwidthTbps; ///< of the main memory, 10^12 B/s
  ChipCell l2Mib, llcMib;
  std::vector<ChipPeak> peaks;

  /// The fastest peak for the format accumulating in the wide type (f32; f64
  /// for f64, i32 for integers). Matrix units only count where `matrix`.
  const ChipPeak *peak(Format format, bool matrix = true) const;
  /// FLOP per byte where compute and memory take the same time.
  std::optional<double> ridge(Format format) const;
};

/// The built-in table.
const std::vector<Chip> &builtInChips();

/// The product a GPU target's prediction is for unless another is asked for;
/// empty for other targets.
std::string_view defaultProduct(std::string_view target);

/// Built-in chips and those added; no two answer to one name.
class ChipTable {
public:
  ChipTable() : all(builtInChips()) {}

  /// One chip, or an array of them, as JSON text; `where` names it in messages.
  /// docs/calculator.md lists the keys.
  Status addJson(std::string_view text, const std::string &where);
  Status add(Chip chip);
  /// The files *.json of $XDG_CONFIG_HOME/labgen/chips (else
  /// ~/.config/labgen/chips), by name; none is no error.
  Status addUserFolder();

  /// By the whole name or an alias; case, blanks, '-' and '_' do not matter. An
  /// unknown name is bad input that names the nearest.
  Result<Chip> find(const std::string &name) const;
  const std::vector<Chip> &chips() const { return all; }

private:
  std::vector<Chip> all;
};

/// This machine as its probe measured it.
Chip hostChip(const MachineRoofs &measured, int64_t memoryBytes);

/// `chip` as roofs for predict(): DRAM bandwidth for every mix and footprint,
/// all units as threads. Launches are left out: datasheets have none.
MachineRoofs datasheetRoofs(const Chip &chip);

/// What code reaches on a chip nobody measured here: 78% of the peak, 92% of
/// the bandwidth, 2 us a launch (the defaults of PyTorch's torchao roofline
/// tool; public matrix benchmarks reach 51-87%).
MachineRoofs achievableRoofs(const Chip &chip);

/// The datasheet's roof for a row: the fastest unit that can do the lab, and
/// what code with the instructions `isa` (ManifestKernel::isa of a GPU kernel:
/// simt or valu, then its matrix instructions) reaches. Matrix instructions are
/// held to the matrix unit's peak. Nothing without a roof for the lab.
std::optional<RowRoof> datasheetRoof(const KernelSpec &spec, const Chip &chip,
                                     const std::vector<std::string> &isa);

/// Datasheet and achievable side by side; empty where a roof is not known.
struct ChipPrediction {
  std::optional<Prediction> datasheet, achievable;
};
ChipPrediction predictOn(const KernelSpec &spec, const Chip &chip);

} // namespace labgen

#endif // LABGEN_ROOFLINE_CHIPS_CHIP_H
