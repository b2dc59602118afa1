// Modules.h - the names checkpoints have for matrices, and lists of them
// (internal).
//
// quantization_config says by name what stays in 16 bits: by a module's name, a
// part of it, a pattern with * or, behind "re:", a regular expression.
#ifndef LABGEN_CALCULATOR_MODEL_MODULES_H
#define LABGEN_CALCULATOR_MODEL_MODULES_H

#include "calculator/model/Params.h"

#include <memory>
#include <unordered_set>

namespace labgen {

/// How a matrix of a layer is called in one family or another:
/// "model.layers.3.self_attn.q_proj", "model.layers.3.attn.qkv_proj", ...
std::vector<std::string> moduleNames(const Matrix &matrix, int64_t layer);

/// A list of module names and patterns.
class ModuleList {
public:
  /// Status naming an entry that is no pattern, or one too many.
  Status add(const std::string &entry);
  bool matches(const std::vector<std::string> &names) const;
  size_t patternCount() const { return patterns.size(); }

private:
  struct Pattern;
  std::unordered_set<std::string> plain; ///< names without a pattern in them
  std::vector<std::shared_ptr<const Pattern>> patterns;
};

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_MODULES_H
