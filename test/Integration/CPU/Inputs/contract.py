"""What the contract says the labs compute, in numpy and libm, to the bit.

Written from the contract's words alone and sharing no code with labgen's own
oracle. Arithmetic is numpy's in the type named; a fused multiply-add is the C
library's.
"""
import ctypes

import ml_dtypes
import numpy as np

F32 = np.float32
BF16 = ml_dtypes.bfloat16
FLOATS = {"f64": np.float64, "f32": F32, "f16": np.float16, "bf16": BF16}
SMALL_FLOATS = {
    "f8E5M2": ml_dtypes.float8_e5m2, "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3": ml_dtypes.float8_e4m3, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn, "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}
np.seterr(all="ignore")

_libm = ctypes.CDLL("libm.so.6")
_libm.fma.restype, _libm.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
_libm.fmaf.restype, _libm.fmaf.argtypes = ctypes.c_float, [ctypes.c_float] * 3


def half_fma(x, y, z):
    """In f16. Two roundings are one here: f64 has room for 53 bits, and where a
    sum of 22 bits and 11 has more, it is far from every tie of f16."""
    return float(np.float16(np.float64(x) * np.float64(y) + np.float64(z)))


def one_fma(dtype):
    return {np.dtype(np.float64): _libm.fma, np.dtype(np.float16): half_fma}.get(dtype, _libm.fmaf)


def fma(x, y, z):
    """x y + z in one rounding, in the type of z, element by element."""
    one = one_fma(z.dtype)
    wide = [np.broadcast_to(v, z.shape).ravel().tolist() for v in (x, y, z)]
    return np.array([one(*v) for v in zip(*wide)], z.dtype).reshape(z.shape)


# --- quantize ----------------------------------------------------------------

def blocks(m, k, group):
    """(row, column) slices of the groups, and the shape of the scales."""
    if group == "tensor":
        return [(slice(0, m), slice(0, k))], (1, 1)
    g = max(k, 1) if group == "channel" else group
    columns = max(-(-k // g), 1 if group == "channel" else 0)
    every = [(slice(i, i + 1), slice(j * g, min(k, (j + 1) * g)))
             for i in range(m) for j in range(columns)]
    return every, (m, columns)


def round_to(value, dtype):
    """To a narrower float: nearest, ties to even; beyond its range to its
    largest."""
    largest = F32(ml_dtypes.finfo(dtype).max)
    return np.minimum(F32(value), largest).astype(dtype)


def divide(block, s, inverse):
    """By a product with 1 / s where that is asked for and within f32."""
    reciprocal = F32(1) / s
    return block * reciprocal if inverse == "reciprocal" and np.isfinite(reciprocal) else block / s


ROUND = {
    "even": np.rint,
    # numpy has no half away: floor(|q| + 1/2) in f64 is exact for f32.
    "away": lambda q: np.copysign(np.floor(np.abs(q).astype(np.float64) + 0.5), q),
    "zero": np.trunc,
}


def quantize(x, code, group, scale, range="narrow", round="even", inverse="divide",
             divisor="stored"):
    """Codes (int8) and scales of x [m, k]."""
    x = x.astype(F32)
    high = {"i8": 127, "i4": 7}[code]
    low, steps = (-high, F32(high)) if range == "narrow" else (-high - 1, F32(high + 0.5))
    every, shape = blocks(*x.shape, group)
    q = np.zeros(x.shape, np.int8)
    scales = np.zeros(len(every), FLOATS[scale])
    for i, (rows, columns) in enumerate(every):
        block = x[rows, columns]
        if block.size == 0:
            continue
        if not np.isfinite(block).all():
            scales[i] = np.nan
            continue
        exact = np.abs(block).max() / steps
        scales[i] = round_to(exact, FLOATS[scale])
        s = F32(scales[i]) if divisor == "stored" else exact
        if scales[i] == 0:
            continue
        quotient = divide(block, s, inverse)
        q[rows, columns] = np.clip(ROUND[round](quotient), low, high)
    return q, scales.reshape(shape)


RANGE = {"i8": (-128, 127, np.int8), "u8": (0, 255, np.uint8), "i4": (-8, 7, np.int8),
         "u4": (0, 15, np.uint8)}


def quantize_asymmetric(x, code, group, scale, round="even", inverse="divide",
                        divisor="stored"):
    """Codes, scales and zero points of x [m, k]."""
    x = x.astype(F32)
    low, high, dtype = RANGE[code]
    every, shape = blocks(*x.shape, group)
    q = np.zeros(x.shape, dtype)
    scales, zeros = np.zeros(len(every), FLOATS[scale]), np.zeros(len(every), dtype)
    for i, (rows, columns) in enumerate(every):
        block = x[rows, columns]
        if not np.isfinite(block).all():
            scales[i] = np.nan
            continue
        least = np.minimum(block.min(initial=0), F32(0))
        most = np.maximum(block.max(initial=0), F32(0))
        exact = (most - least) / F32(high - low)
        if np.isinf(exact):
            exact = (most / F32(2) - least / F32(2)) / F32((high - low) / 2)
        scales[i] = round_to(exact, FLOATS[scale])
        q[rows, columns] = zeros[i] = low
        s = F32(scales[i]) if divisor == "stored" else exact
        if scales[i] == 0:
            continue
        zeros[i] = np.clip(np.rint(F32(low) - least / s), low, high)
        quotient = divide(block, s, inverse)
        codes = ROUND[round](quotient).astype(np.float64) + float(zeros[i])
        q[rows, columns] = np.clip(codes, low, high)
    return q, scales.reshape(shape), zeros.reshape(shape)


def dequantize(q, scales, group, out, zeros=None):
    y = np.zeros(q.shape, F32)
    for i, (rows, columns) in enumerate(blocks(*q.shape, group)[0]):
        zero = 0 if zeros is None else int(zeros.ravel()[i])
        y[rows, columns] = (q[rows, columns].astype(np.int32) - zero).astype(F32) * F32(
            scales.ravel()[i])
    return y.astype(FLOATS[out])


# --- axpy, reduce ------------------------------------------------------------

def axpy(alpha, x, y):
    acc = np.float64 if y.dtype == np.float64 else F32
    return fma(alpha.astype(acc), x.astype(acc), y.astype(acc)).astype(y.dtype)


def add_in_order(x, y, acc):
    """acc + x[0] + x[1] ..., or with the products x y fused."""
    if y is None:
        return np.add.accumulate(np.concatenate([[acc], x]), dtype=x.dtype)[-1]
    one = one_fma(x.dtype)
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        acc = one(a, b, acc)
    return x.dtype.type(acc)


def padded_steps(x):
    """[steps, 128] of x, and which of them are there."""
    steps = -(-len(x) // 128)
    there = np.arange(steps * 128).reshape(steps, 128) < len(x)
    rows = np.zeros((steps, 128), x.dtype)
    rows[there] = x
    return rows, there


def fold_block(x, y):
    acc = np.zeros(128, x.dtype)
    xs, there = padded_steps(x)
    ys = None if y is None else padded_steps(y)[0]
    for i in range(len(xs)):
        new = acc + xs[i] if ys is None else fma(xs[i], ys[i], acc)
        acc = np.where(there[i], new, acc)
    half = 64
    while half:
        acc = acc[:half] + acc[half:]
        half //= 2
    return acc[0]


def kahan(total, carry, x):
    y = x - carry
    t = total + y
    correction = (t - total) - y
    return t, np.where(np.isfinite(correction), correction, x.dtype.type(0))


def fold_compensated(x, y):
    total, carry = np.zeros(128, x.dtype), np.zeros(128, x.dtype)
    xs, there = padded_steps(x if y is None else x * y)
    for i in range(len(xs)):
        t, c = kahan(total, carry, xs[i])
        total, carry = np.where(there[i], t, total), np.where(there[i], c, carry)
    t, c = total[0], carry[0]
    for i in range(1, 128):
        t, c = kahan(t, c, total[i])
        t, c = kahan(t, c, -carry[i])
    return t


def levels(x, y, block, fold):
    """Block results reduced by the same rule until one is left."""
    while True:
        cut = range(0, len(x), block)
        results = np.array([fold(x[i:i + block], None if y is None else y[i:i + block])
                            for i in cut], x.dtype)
        if len(results) == 1:
            return results[0]
        x, y = results, None


def pairwise(x, y, block):
    cut = range(0, len(x), block)
    zero = x.dtype.type(0)
    nodes = [add_in_order(x[i:i + block], None if y is None else y[i:i + block], zero)
             for i in cut]
    while len(nodes) > 1:
        odd = nodes[-1:] if len(nodes) % 2 else []
        nodes = [a + b for a, b in zip(nodes[::2], nodes[1::2])] + odd
    return nodes[0]


def reduce(x, y, kind, order, block=None, acc=None):
    """One value in the accumulator's type (else f64 for f64, f32 for others)."""
    acc = acc or (np.float64 if x.dtype == np.float64 else F32)
    x = x.astype(acc)
    if kind in ("max", "absmax"):
        return largest(np.abs(x) if kind == "absmax" else x, kind)
    y = x if kind == "sumsq" else None if y is None else y.astype(acc)
    if len(x) == 0:
        return acc(0)
    if order == "sequential":
        return add_in_order(x, y, acc(0))
    block = block or (128 if order == "pairwise" else 16384)
    if order == "pairwise":
        return pairwise(x, y, block)
    return levels(x, y, block, fold_block if order == "blocked" else fold_compensated)


def largest(x, kind):
    """IEEE 754-2019 maximum: NaN wins, +0 is above -0."""
    acc = x.dtype.type
    if len(x) == 0:
        return acc(0 if kind == "absmax" else -np.inf)
    if np.isnan(x).any():
        return acc(np.nan)
    most = x.max()
    if most == 0:
        return acc(0) if (~np.signbit(x[x == 0])).any() else -acc(0)
    return most
