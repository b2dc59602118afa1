// LevelText.h - how messages name a level of a schedule.
#ifndef LABGEN_DIALECTS_LAB_LEVELTEXT_H
#define LABGEN_DIALECTS_LAB_LEVELTEXT_H

#include "dialects/Lab/Lab.h"

namespace labgen::lab {

/// A level as a user counts it: "level 2 (loop [0, 0, 16])".
std::string levelText(llvm::ArrayRef<LevelAttr> levels, size_t at);

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_LEVELTEXT_H
