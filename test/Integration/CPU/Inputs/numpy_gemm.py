"""gemm against numpy: integers exactly, floats within a bound derived here.

The bound is the running error of a sum of fused multiply-adds in any order
(Higham, Accuracy and Stability, ch. 3): gamma(K + roundings of an operand)
times the sum of magnitudes. compute=i8 is held to the product of the very
codes it must make, where only f32 across groups is left to round.
"""
import itertools

import contract
import data
import labgen
import ml_dtypes
import numpy as np

SHAPES = [(5, 3, 3), (1, 33, 257), (16, 31, 128), (33, 47, 65), (3, 127, 509), (64, 64, 64), (7, 1, 1),
          (2, 5, 0), (0, 3, 40), (17, 0, 16), (65, 129, 384)]


def gamma(n, u):
    return n * u / (1 - n * u)


def close(lab, want, allowed):
    got = lab.out["c"]
    if got.dtype == np.uint16:  # bf16 is written as its bits
        got = got.view(ml_dtypes.bfloat16).astype(np.float64)
    if got.shape != want.shape:
        labgen.fault(lab, got.shape, "is not", want.shape)
        return
    off = ~(np.abs(got - want) <= allowed)
    if off.any():
        i, j = (int(x[0]) for x in np.nonzero(off))
        labgen.fault(lab, f"c[{i},{j}] is {got[i, j]!r}, not {want[i, j]!r} within",
                     f"{allowed[i, j]}; {off.sum()} are off")


def plain_labs(rng):
    for i, (dtype, (m, n, k)) in enumerate(itertools.product(contract.FLOATS, SHAPES)):
        kind = ["normal", "ties", "zeros"][i % 3]
        a, b = (data.floats(rng, kind, (r, k), contract.FLOATS[dtype]) for r in (m, n))
        c = data.floats(rng, "normal", (m, n), np.float64 if dtype == "f64" else np.float32)
        adds = i % 4 == 1
        spec = f"gemm:m={m},n={n},k={k},a={dtype},b={dtype},accumulate={'yes' if adds else 'no'}"
        lab = labgen.Lab(spec, {"a": a, "b": b, **({"c": c} if adds else {})}, ("c",), note=kind)
        wide = np.longdouble if dtype == "f64" else np.float64
        a, b, before = a.astype(wide), b.astype(wide), c.astype(wide) if adds else 0
        bound = gamma(k + 1, 2.0**-53 if dtype == "f64" else 2.0**-24)
        yield lab, a @ b.T + before, bound * (np.abs(a) @ np.abs(b).T + np.abs(before))


def integer_labs(rng):
    for m, n, k in SHAPES + [(5, 3, 1000), (4, 64, 4096)]:
        a, b = (rng.integers(-128, 128, (r, k)).astype(np.int8) for r in (m, n))
        a[: m // 2], b[: n // 2] = -128, rng.choice([-128, 127])
        lab = labgen.Lab(f"gemm:m={m},n={n},k={k},a=i8,b=i8", {"a": a, "b": b}, ("c",))
        yield lab, a.astype(np.int32) @ b.astype(np.int32).T


def mixed_integer_labs(rng):
    for i, (a_code, b_code) in enumerate(itertools.product(contract.RANGE, contract.RANGE)):
        m, n, k = SHAPES[i % len(SHAPES)]
        a, b = (rng.integers(contract.RANGE[c][0], contract.RANGE[c][1] + 1, (r, k)).astype(contract.RANGE[c][2])
                for c, r in ((a_code, m), (b_code, n)))
        a[: m // 2], b[: n // 2] = contract.RANGE[a_code][i % 2], contract.RANGE[b_code][0]
        lab = labgen.Lab(f"gemm:m={m},n={n},k={k},a={a_code},b={b_code}", {"a": a, "b": b}, ("c",))
        yield lab, a.astype(np.int32) @ b.astype(np.int32).T


def small_float_labs(rng):
    """Every finite code of two formats without scales, c in f32 or rounded
    once more."""
    pairs = itertools.product(contract.SMALL_FLOATS.items(), contract.SMALL_FLOATS.items())
    for i, ((a_name, a_type), (b_name, b_type)) in enumerate(pairs):
        m, n, k = SHAPES[i % len(SHAPES)]
        codes = []
        for name, dtype, rows in ((a_name, a_type, m), (b_name, b_type, n)):
            q = rng.integers(0, 2 ** int(name[1]), (rows, k)).astype(np.uint8)
            q[~np.isfinite(q.view(dtype).astype(np.float32))] = 1
            codes.append(q)
        a, b = (q.view(t).astype(np.float64) for q, t in zip(codes, (a_type, b_type)))
        out = ["f32", "bf16"][i % 2]
        lab = labgen.Lab(f"gemm:m={m},n={n},k={k},a={a_name},b={b_name},out={out}",
                         {"a": codes[0], "b": codes[1]}, ("c",))
        exact, bound = a @ b.T, gamma(k + 1, 2.0**-24) * (np.abs(a) @ np.abs(b).T)
        if out == "bf16":
            bound += 2.0**-8 * (np.abs(exact) + bound)
        yield lab, exact, bound


def scaled(q, scales, group, zeros=None):
    """Codes less their zero point, times scales in f64, each over its group."""
    out = np.zeros(q.shape)
    zeros = np.zeros(scales.shape, np.int8) if zeros is None else zeros
    every = contract.blocks(*q.shape, group)[0]
    for s, z, (rows, columns) in zip(scales.ravel(), zeros.ravel(), every, strict=True):
        out[rows, columns] = (q[rows, columns].astype(np.int32) - int(z)) * float(s)
    return out


def weight_labs(rng):
    codes = ["i8", "i4", "zero i8", "zero u8", "zero i4", "zero u4"]
    cases = itertools.product(codes, [128, 64, 32, 8, "channel", "tensor"], ["f32", "i8"],
                              [0, 5, 7])
    for i, (code, group, compute, turn) in enumerate(cases):
        has_zero, code = code.startswith("zero"), code.split()[-1]
        m, n, k = SHAPES[(i + turn) % len(SHAPES)]
        a_type, scale = [("f32", "f32"), ("bf16", "f16"), ("f16", "bf16")][i % 3]
        a = data.floats(rng, ["normal", "ties"][i % 2], (m, k), contract.FLOATS[a_type])
        weights = rng.normal(0.5 if has_zero else 0, 1, (n, k)).astype(np.float32)
        zeros = None
        if has_zero:
            q, scales, zeros = contract.quantize_asymmetric(weights, code, group, scale)
        else:
            q, scales = contract.quantize(weights, code, group, scale)
        spec = (f"gemm:m={m},n={n},k={k},a={a_type},b={code},group={group},scale={scale},"
                f"compute={compute}")
        inputs = {"a": a, "b": q, "b_scale": scales}
        if has_zero:
            spec += f",zero={code}"
            inputs["b_zero"] = zeros
        lab = labgen.Lab(spec, inputs, ("c",))
        b, roundings = scaled(q, scales, group, zeros), k + 2
        if compute == "i8":
            a_codes, a_scales = contract.quantize(a, "i8", group, "f32")
            a = scaled(a_codes, a_scales, group)
            # Partial sums of a group may be scaled apart: up to 16 lanes each.
            roundings = 16 * contract.blocks(m, k, group)[1][1] + 6
        a = a.astype(np.float64)
        yield lab, a @ b.T, gamma(roundings, 2.0**-24) * (np.abs(a) @ np.abs(b).T)


def main():
    rng = np.random.default_rng(13)
    exact = [*integer_labs(rng), *mixed_integer_labs(rng)]
    bounded = [*plain_labs(rng), *small_float_labs(rng), *weight_labs(rng)]
    done = set(labgen.run([case[0] for case in exact + bounded]))
    for lab, want in exact:
        if lab in done:
            labgen.expect_same(lab, "c", want)
    for lab, want, allowed in bounded:
        if lab in done:
            close(lab, want, allowed)
    labgen.finish()


main()
