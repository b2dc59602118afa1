// SpecKeys.h - the table of keys behind KernelSpec (internal to lib/Spec).
//
// Each op lists its keys in printing order; each key knows how to read its
// text into a KernelSpec and how to print it back. Parsing, printing, defaults
// and the rules all walk this table, so a key is described once.
#ifndef LABGEN_SPEC_SPECKEYS_H
#define LABGEN_SPEC_SPECKEYS_H

#include "lib/Spec/KernelSpec.h"

#include <set>

namespace labgen {

struct SpecKey {
  std::string_view name;
  /// Sets the field; `text` is not empty. Errors name the nearest legal value.
  Status (*read)(const SpecKey &key, std::string_view text, KernelSpec &spec);
  std::string (*print)(const KernelSpec &spec);
  /// The type it is set to, of keys whose values are types.
  std::optional<Format> (*format)(const KernelSpec &spec) = nullptr;
};

struct OpInfo {
  Op op;
  std::string_view name;
  std::vector<const SpecKey *> keys; ///< printing order
  std::vector<std::string_view> required;

  bool requires_(std::string_view key) const;
  std::vector<std::string_view> keyNames() const;
};

const std::vector<OpInfo> &opTable();
const OpInfo &info(Op op);

/// Formats the key `key` of `op` may have at all; the rules narrow them by the
/// other keys.
const std::vector<Format> &legalFormats(Op op, std::string_view key);
std::vector<std::string_view> names(const std::vector<Format> &formats);

/// Sets the fields whose default follows from others (acc, out of gemm,
/// overflow, nan, block), except those in `given`.
void resolveDefaults(KernelSpec &spec, const std::set<std::string_view> &given);

/// `spec` with every optional key at its default.
KernelSpec withDefaults(const KernelSpec &spec);

/// Why `key` has no business in this spec ("goes with ..."); empty if it has.
std::string misplaced(const KernelSpec &spec, std::string_view key);

} // namespace labgen

#endif // LABGEN_SPEC_SPECKEYS_H
