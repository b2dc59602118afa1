"""Q8_0 of ggml is a lab: its codes and scales, bit for bit, on a million values.

Half of the blocks are made of ties (the largest is 127 times a power of two,
the others are halves), the rest from normal to far beyond what f16 scales hold
exactly. The quantizer compared with is the gguf package's.
"""
import gguf
import labgen
import numpy as np

ROWS, K = 1000, 1024


def values(rng):
    x = rng.normal(0, 1, (ROWS, K // 32, 32))
    x *= 2.0 ** rng.integers(-14, 12, (ROWS, K // 32, 1))
    ties = rng.integers(-127, 127, x.shape) + 0.5
    ties[..., 5] = np.where(rng.random(ties[..., 5].shape) < 0.5, 127, -127)
    ties *= 2.0 ** rng.integers(-10, 10, (ROWS, K // 32, 1))
    half = rng.random((ROWS, K // 32)) < 0.5
    x[half] = ties[half]
    x[rng.random((ROWS, K // 32)) < 0.01] = 0
    return x.reshape(ROWS, K).astype(np.float32)


def main():
    x = values(np.random.default_rng(14))
    blocks = gguf.quants.quantize(x, gguf.GGMLQuantizationType.Q8_0)
    blocks = blocks.reshape(ROWS, K // 32, 34)
    lab = labgen.Lab(
        f"quantize:m={ROWS},k={K},in=f32,out=i8,group=32,scale=f16,round=away,"
        "inverse=reciprocal,divisor=unrounded", {"x": x}, ("q", "scale"))
    if labgen.run([lab]):
        scales = np.ascontiguousarray(blocks[..., :2]).view(np.float16)[..., 0]
        labgen.expect_same(lab, "scale", scales)
        labgen.expect_same(lab, "q", blocks[..., 2:].reshape(ROWS, K).view(np.int8))
    labgen.finish()


main()
