"""Codes and scales of quantize, and dequantize, against numpy bit for bit."""
import itertools

import contract
import data
import labgen
import ml_dtypes
import numpy as np

GROUPS = ["tensor", "channel", 256, 128, 64, 32, 16, 8, 5]
RULES = list(itertools.product(["narrow", "full"], ["even", "away", "zero"],
                               ["divide", "reciprocal"], ["stored", "unrounded"]))
KEYS = ("range", "round", "inverse", "divisor")


def quantize_labs(rng):
    # Every group x code x scale; rules, data, shapes and input types go round.
    cases = itertools.product(GROUPS, ["i8", "i4"], ["f32", "f16", "bf16"], range(3))
    for i, (group, code, scale, turn) in enumerate(cases):
        rules = dict(zip(KEYS, RULES[(7 * i + turn) % len(RULES)]))
        kind = data.KINDS[(i + turn) % len(data.KINDS)]
        g = group if isinstance(group, int) else 70
        m = [1, 3, 16, 65][i % 4]
        k = [4 * g, 2 * g - 1, g + 1, 33 * g, max(g - 1, 1), 17 * g + 3][(i + i // 4) % 6]
        dtype = ["f32", "f32", "bf16", "f16"][(i // 2) % 4]
        x = data.floats(rng, kind, (m, min(k, 1500)), contract.FLOATS[dtype])
        spec = f"quantize:m={m},k={x.shape[1]},in={dtype},out={code},group={group},scale={scale}"
        spec += "".join(f",{key}={value}" for key, value in rules.items())
        lab = labgen.Lab(spec, {"x": x}, ("q", "scale"), note=kind)
        lab.want = contract.quantize(x, code, group, scale, **rules)
        yield lab


def dequantize_labs(rng):
    cases = itertools.product(GROUPS, ["i8", "i4"], ["f32", "f16", "bf16"])
    for i, (group, code, scale) in enumerate(cases):
        m, k = [1, 3, 16, 65][i % 4], [1, 64, 129, 512, 509, 31][(i + i // 4) % 6]
        low, high = {"i8": (-128, 127), "i4": (-8, 7)}[code]
        q = rng.integers(low, high + 1, (m, k)).astype(np.int8)
        shape = contract.blocks(m, k, group)[1]
        kind = data.KINDS[i % len(data.KINDS)]
        scales = np.abs(data.floats(rng, kind, shape, contract.FLOATS[scale]))
        out = ["f32", "f32", "f16", "bf16"][i % 4]
        spec = f"dequantize:m={m},k={k},in={code},out={out},group={group},scale={scale}"
        lab = labgen.Lab(spec, {"q": q, "scale": scales}, ("y",), note=kind)
        lab.want = (contract.dequantize(q, scales, group, out),)
        yield lab


def main():
    rng = np.random.default_rng(11)
    labs = [*quantize_labs(rng), *dequantize_labs(rng)]
    for lab in labgen.run(labs):
        for name, want in zip(lab.outputs, lab.want, strict=True):
            labgen.expect_same(lab, name, want)
    labgen.finish()


main()
