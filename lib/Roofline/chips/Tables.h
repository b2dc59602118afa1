// Tables.h - how the built-in tables are written down (internal to chips/).
#ifndef LABGEN_ROOFLINE_CHIPS_TABLES_H
#define LABGEN_ROOFLINE_CHIPS_TABLES_H

#include "lib/Roofline/chips/Chip.h"

namespace labgen::chips {

// Where figures are from.
inline constexpr const char *mlEngineering =
    "ml-engineering accelerator tables, which link each vendor page";
inline constexpr const char *aiconfigurator =
    "NVIDIA aiconfigurator system files";
inline constexpr const char *rocmSpecs = "ROCm GPU architecture specifications";
inline constexpr const char *amdSheets = "AMD data sheets, via PyTorch";
inline constexpr const char *h100Whitepaper =
    "NVIDIA H100 whitepaper, via glennklockwood.com";
inline constexpr const char *driverQuery = "driver query, pytorch/ao#4002";
inline constexpr const char *blackwellWhitepaper =
    "RTX Blackwell whitepaper, via pytorch/ao";
inline constexpr const char *adaWhitepaper =
    "Ada whitepaper figures, via hmc-tech.com";
inline constexpr const char *hmcTech = "hmc-tech.com";
inline constexpr const char *blackwellSheet =
    "NVIDIA Blackwell data sheet (HGX B200, GB200 NVL72)";
inline constexpr const char *vendorSheet = "vendor data sheet, not read again";
inline constexpr const char *arithmetic = "units x operations per clock x GHz";

/// What the units of related chips are called, and what they do.
struct Family {
  const char *unit;
  const char *vectorIsa, *matrixIsa;
  /// Products of small integers that one of 64 lanes of a unit multiplies and
  /// adds in a clock; 0 where vectors of them are no peak of their own.
  int integerProducts;
  const char *integerSource;
};
inline constexpr Family sm = {"SM", "simt", "mma", 1,
                              "32-bit multiply-adds, CUDA guide"},
                        cdnaCu = {"CU", "valu", "mfma", 4,
                                  "v_dot4_i32_i8, AMD ISA documents"},
                        rdnaCu = {"CU", "valu", "wmma", 4,
                                  "v_dot4_i32_i8, AMD ISA documents"},
                        core = {"core", "avx512", "amx", 0, ""};

/// Builds a row of the table line by line.
class Row {
public:
  Row(std::string name, std::vector<std::string> aliases, std::string target,
      const Family &family, int64_t units);

  /// Predictions for its target are for it unless another is asked for.
  Row &byDefault();
  Row &memory(std::optional<double> gb, double tbps, const char *source,
              Confidence c = Confidence::Datasheet);
  Row &driver(double gb, const char *source,
              Confidence c = Confidence::Datasheet);
  Row &caches(double l2, std::optional<double> llc, const char *source,
              Confidence c = Confidence::Datasheet);
  /// The source, confidence and clock of the peaks that follow.
  Row &from(const char *source, double ghz,
            Confidence c = Confidence::Datasheet);
  Row &vector(Format format, double tera, double perClock);
  Row &matrix(const std::vector<Format> &formats, double tera, double perClock,
              std::optional<Format> accumulate = std::nullopt);
  Chip done();

private:
  Chip chip;
  const Family &family;
  std::string source;
  double ghz = 0;
  Confidence confidence = Confidence::Datasheet;
};

std::vector<Chip> nvidia();
std::vector<Chip> amd();
std::vector<Chip> cpus();

} // namespace labgen::chips

#endif // LABGEN_ROOFLINE_CHIPS_TABLES_H
