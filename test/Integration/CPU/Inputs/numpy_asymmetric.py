"""Codes, scales and zero points of asymmetric quantizers, and what they
dequantize to, against numpy bit for bit; blocks that ggml's Q4_1 codes alike."""
import itertools

import contract
import data
import gguf
import labgen
import numpy as np

GROUPS = ["tensor", "channel", 256, 32, 16, 5, 1]
RULES = list(itertools.product(["even", "away", "zero"], ["divide", "reciprocal"],
                               ["stored", "unrounded"]))
KEYS = ("round", "inverse", "divisor")


def extents(i, group):
    g = group if isinstance(group, int) else 70
    lengths = [4 * g, 2 * g - 1, g + 1, 33 * g, max(g - 1, 1), 17 * g + 3, 0, 1]
    return [1, 3, 16, 65, 0][i % 5], min(lengths[(i + i // 5) % 8], 1500)


def quantize_labs(rng):
    cases = itertools.product(GROUPS, contract.RANGE, ["f32", "f16", "bf16"], range(2))
    for i, (group, code, scale, turn) in enumerate(cases):
        rules = dict(zip(KEYS, RULES[(5 * i + turn) % len(RULES)]))
        kind = data.KINDS[(i + turn) % len(data.KINDS)]
        m, k = extents(i, group)
        dtype = ["f32", "f32", "bf16", "f16"][(i // 2) % 4]
        x = data.floats(rng, kind, (m, k), contract.FLOATS[dtype])
        if i % 3 == 0:  # all of one sign: 0 is an end of the range
            x = np.abs(x) if i % 2 else -np.abs(x)
        spec = (f"quantize:m={m},k={k},in={dtype},out={code},group={group},scale={scale},"
                f"zero={code}")
        spec += "".join(f",{key}={value}" for key, value in rules.items())
        lab = labgen.Lab(spec, {"x": x}, ("q", "scale", "zero"), note=kind)
        lab.want = contract.quantize_asymmetric(x, code, group, scale, **rules)
        yield lab


def dequantize_labs(rng):
    cases = itertools.product(GROUPS, contract.RANGE, ["f32", "f16", "bf16"])
    for i, (group, code, scale) in enumerate(cases):
        m, k = extents(i, group)
        low, high, dtype = contract.RANGE[code]
        shape = contract.blocks(m, k, group)[1]
        q, zeros = (rng.integers(low, high + 1, s).astype(dtype) for s in ((m, k), shape))
        kind = data.KINDS[i % len(data.KINDS)]
        scales = np.abs(data.floats(rng, kind, shape, contract.FLOATS[scale]))
        out = ["f32", "f32", "f16", "bf16"][i % 4]
        spec = f"dequantize:m={m},k={k},in={code},out={out},group={group},scale={scale},zero={code}"
        lab = labgen.Lab(spec, {"q": q, "scale": scales, "zero": zeros}, ("y",), note=kind)
        lab.want = (contract.dequantize(q, scales, group, out, zeros),)
        yield lab


def q4_1_lab(rng):
    """Q4_1 stores min itself where a quantizer with zero points stores an
    integer: where min is a multiple of the scale, both have the same codes."""
    rows, k = 64, 1024
    scale = 2.0 ** rng.integers(-8, 8, (rows, k // 32, 1))
    codes = rng.integers(0, 16, (rows, k // 32, 32))
    codes[..., 0], codes[..., 1] = 0, 15
    zero = rng.integers(0, 16, scale.shape)
    x = ((codes - zero) * scale).reshape(rows, k).astype(np.float32)
    blocks = gguf.quants.quantize(x, gguf.GGMLQuantizationType.Q4_1).reshape(rows, k // 32, 20)
    halves = np.ascontiguousarray(blocks[..., :4]).view(np.float16)
    pairs = blocks[..., 4:]
    theirs = np.concatenate([pairs & 15, pairs >> 4], axis=-1).reshape(rows, k)
    lab = labgen.Lab(f"quantize:m={rows},k={k},in=f32,out=u4,group=32,scale=f16,zero=u4",
                     {"x": x}, ("q", "scale", "zero"), note="Q4_1")
    zeros = np.rint(-halves[..., 1].astype(np.float32) / halves[..., 0].astype(np.float32))
    lab.want = (theirs, halves[..., 0], zeros.astype(np.uint8))
    return lab


def main():
    rng = np.random.default_rng(17)
    labs = [*quantize_labs(rng), *dequantize_labs(rng), q4_1_lab(rng)]
    for lab in labgen.run(labs):
        for name, want in zip(lab.outputs, lab.want, strict=True):
            labgen.expect_same(lab, name, np.ascontiguousarray(want))
    labgen.finish()


main()
