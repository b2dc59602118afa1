// Sets.h - named collections of specs: what a matrix measures.
//
// `quick` is a telling few that finish in minutes, `full` the whole matrix of
// dtype x group size x shape, and `ci` small ragged shapes that together cover
// every pair of format, group class and tail class of every op. A file with one
// spec per line is a set too.
#ifndef LABGEN_RUNTIME_MATRIX_SETS_H
#define LABGEN_RUNTIME_MATRIX_SETS_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

struct SetInfo {
  std::string_view name, summary;
};
const std::vector<SetInfo> &allSets();

/// The specs of the set `name`, in a fixed order without repeats; nothing when
/// there is no such set.
std::optional<std::vector<KernelSpec>> specsOfSet(std::string_view name);

/// A set's name, or else a file with one spec per line (blank lines and #
/// lines skipped, repeats dropped). Errors name the line, and the nearest set
/// where there is no such file.
Result<std::vector<KernelSpec>> specsOf(const std::string &setOrFile);

/// Shell pattern over the whole text: * any run, ? one character.
bool matchesGlob(std::string_view pattern, std::string_view text);

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_SETS_H
