// Checkpoint.h - the format a checkpoint's quantization_config describes.
#ifndef LABGEN_CALCULATOR_MODEL_CHECKPOINT_H
#define LABGEN_CALCULATOR_MODEL_CHECKPOINT_H

#include "calculator/model/WeightFormat.h"

namespace labgen {

/// Format "file": codes, scales, zero points and index arrays as they are
/// stored, and 16 bits for what the file leaves out. Known methods: mxfp4, fp8,
/// fbgemm_fp8, gptq, awq, compressed-tensors, bitsandbytes and modelopt, as
/// transformers (src/transformers/utils/quantization_config.py) and their own
/// repositories store them. Status where the configuration has none, or one
/// that is not known.
Result<WeightFormat> checkpointFormat(const ModelConfig &config);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_CHECKPOINT_H
