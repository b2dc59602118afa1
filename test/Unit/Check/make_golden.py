#!/usr/bin/env python3
"""Writes Golden.inc: CRCs of what numpy and ml_dtypes make of small labs.

An oracle for the oracle: nothing here calls labgen. Data comes from the same
published generator (Philox4x32-10), arithmetic is numpy's float32, casts are
ml_dtypes', fused multiply-adds are exact fractions rounded once. Needs numpy
and ml_dtypes; run it again after a change of meaning:
  make_golden.py > Golden.inc
"""
import zlib
from fractions import Fraction

import ml_dtypes
import numpy as np

F32 = np.float32
np.seterr(all="ignore")

DTYPES = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "i32": np.int32,
    "bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn, "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn, "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "i8": np.int8, "u8": np.uint8, "i4": np.int8, "u4": np.uint8,
}
INT_RANGE = {"i8": (-128, 127), "u8": (0, 255), "i4": (-8, 7), "u4": (0, 15)}
BITS = {"i4": 4, "u4": 4, "f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}


# --- data ------------------------------------------------------------------

def philox(seed, flat, stream):
    m = np.uint64(0xFFFFFFFF)
    c = [flat.astype(np.uint64) & m, flat.astype(np.uint64) >> np.uint64(32),
         np.full(flat.shape, stream, np.uint64), np.zeros(flat.shape, np.uint64)]
    k = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), p1 & m,
             (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), p0 & m]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def normal(words):
    u = (words[0].astype(np.float64) + 0.5) * 2.0**-32
    m, e = np.frexp(u)  # m in [1/2, 1)
    m, e = m * 2, e - 1
    high = m > 1.4142135623730951
    m, e = np.where(high, m * 0.5, m), np.where(high, e + 1, e).astype(np.float64)
    z = (m - 1) / (m + 1)
    s = np.full_like(z, 1.0 / 13)
    for odd in (11, 9, 7, 5, 3, 1):
        s = s * (z * z) + 1.0 / odd
    radius = np.sqrt(-2 * (e * 0.6931471805599453 + 2 * z * s))
    x = 6.283185307179586 * (np.abs(words[1].astype(np.float64) * 2.0**-32 - 0.5) - 0.25)
    t = np.full_like(x, 1.0 / 355687428096000)
    for c in (-1307674368000, 6227020800, -39916800, 362880, -5040, 120, -6, 1):
        t = t * (x * x) + 1.0 / c
    return radius * (x * t)


def draw(dist, shape, argument, dtype, seed=1):
    flat = np.arange(int(np.prod(shape)), dtype=np.uint64)
    words = philox(seed, flat, argument + 1)
    if dist == "uniform":
        mantissa = {"f64": 52, "f32": 23, "bf16": 7, "f16": 10}[dtype]
        x = words[0].astype(np.uint32).view(np.int32) * 2.0**-31 * (1 - 2.0**-(mantissa + 1))
    else:
        x = normal(words)
        if dist == "outliers":
            x = np.where(words[2] % np.uint64(64) == 0, x * 100, x)
    if dtype != "f64":
        x = x.astype(F32).astype(DTYPES[dtype])
    return x.reshape(shape)


# --- packing ---------------------------------------------------------------

def packed(array, fmt):
    """Bytes as kernels see them: rows of the last dimension, low bits first."""
    if fmt not in BITS:
        return np.ascontiguousarray(array).tobytes()
    width, out = BITS[fmt], b""
    codes = array.view(np.uint8) & ((1 << width) - 1)
    for row in codes:
        word = sum(int(c) << (width * i) for i, c in enumerate(row))
        out += word.to_bytes((len(row) * width + 7) // 8, "little")
    return out


# --- quantize and dequantize -------------------------------------------------

def fmax(fmt):
    return F32(ml_dtypes.finfo(DTYPES[fmt]).max) if fmt not in INT_RANGE else F32(INT_RANGE[fmt][1])


def round_codes(v, mode, seed, flat):
    if mode == "even":
        return np.rint(v)
    whole = np.trunc(v)
    if mode == "away":
        return np.where(np.abs(v - whole) >= 0.5, whole + np.sign(v), whole)
    if mode == "stochastic":
        r = philox(seed, flat, 0)[0].astype(np.float64)
        fraction = np.floor(np.abs(v - whole).astype(np.float64) * 2.0**32)
        return np.where(r < fraction, whole + np.sign(v), whole)
    return whole


def e8m0(amax, out, rule):
    top = float(fmax(out))
    emax, e = int(np.floor(np.log2(top))), int(np.frexp(float(amax))[1]) - 1
    if rule == "floor":
        s = e - emax
    elif rule == "ceil":
        s = e + (2.0**e < amax) - emax
    elif rule == "rceil":
        s = next(s for s in range(-300, 300) if top * 2.0**s >= amax)
    else:
        mantissa = ml_dtypes.finfo(DTYPES[out]).nmant
        s = int(np.frexp(float(amax) + 2.0**(e - mantissa - 1))[1]) - 1 - emax
    return min(max(s, -127), 127) + 127


def quantize(x, key):
    m, k = x.shape
    out, scale, zero = key["out"], key["scale"], key.get("zero")
    group = key["group"]
    along = max(k, 1) if group in ("channel", "tensor") else int(group)
    blocks = ([[(slice(0, m), slice(0, k))]] if group == "tensor" else
              [[(slice(r, r + 1), slice(c, min(c + along, k))) for c in range(0, k, along)]
               for r in range(m)])
    x = x.astype(F32)
    flat = np.arange(m * k, dtype=np.uint64).reshape(m, k)
    q = np.zeros((m, k), DTYPES[out])
    rows, cols = len(blocks), len(blocks[0])
    scales, zeros = np.zeros((rows, cols), DTYPES[scale]), np.zeros((rows, cols), np.int32)
    glob = F32(1)
    if scale == "f8E4M3FN":
        glob = F32(np.abs(x).max() / F32(float(fmax(out)) * 448))
    for i, row in enumerate(blocks):
        for j, at in enumerate(row):
            b, amax = x[at], F32(np.abs(x[at]).max())
            if amax == 0:
                continue
            if zero:
                low, high = INT_RANGE[out]
                lo, hi = F32(min(b.min(), 0)), F32(max(b.max(), 0))
                s = (hi - lo) / F32(high - low)
            elif out in INT_RANGE:
                high = INT_RANGE[out][1]
                full = key.get("range") == "full"
                low = -high - 1 if full else -high
                s = amax / (F32(high) + F32(0.5) if full else F32(high))
            else:
                s = amax / fmax(out)
            if scale == "f8E8M0FNU":
                scales.view(np.uint8)[i, j] = e8m0(amax, out, key.get("rule", "floor"))
            elif scale == "f8E4M3FN":
                scales[i, j] = np.minimum(s / glob, F32(448)).astype(DTYPES[scale])
            else:
                scales[i, j] = s.astype(DTYPES[scale])
            stored = scales[i, j].astype(F32) * glob
            d = s if key.get("divisor") == "unrounded" else stored
            z = F32(np.clip(np.rint(F32(low) - lo / d), low, high)) if zero else F32(0)
            zeros[i, j] = int(z)
            inverse = F32(1) / d
            v = b * inverse if key.get("inverse") == "reciprocal" and np.isfinite(inverse) else b / d
            if out in INT_RANGE:
                code = round_codes(v, key.get("round", "even"), int(key.get("seed", 0)), flat[at])
                q[at] = np.clip(code + z, low, high).astype(DTYPES[out])
            else:
                q[at] = np.clip(v, -fmax(out), fmax(out)).astype(DTYPES[out])
    return q, scales, zeros, glob


def dequantize(q, scales, zeros, glob, key):
    m, k = q.shape
    along = max(k, 1) if key["group"] in ("channel", "tensor") else int(key["group"])
    columns = np.arange(k) // along
    rows = np.zeros(m, int) if key["group"] == "tensor" else np.arange(m)
    s = scales.astype(F32)[rows][:, columns] * glob
    value = (q.astype(np.int32) - zeros[rows][:, columns]).astype(F32) if key.get("zero") else q.astype(F32)
    return (value * s).astype(DTYPES[key["out"]])


# --- axpy and reduce ---------------------------------------------------------

def exact(x):
    return Fraction(float(x))


def rounded(value, kind):
    """A fraction to the nearest f32 or f64, ties to even."""
    if value == 0:
        return kind(0)
    p = 24 if kind is F32 else 53
    a, e = abs(value), 0
    e = a.numerator.bit_length() - a.denominator.bit_length() - p
    while a / Fraction(2)**e >= 2**p:
        e += 1
    while a / Fraction(2)**e < 2**(p - 1):
        e -= 1
    n = round(a / Fraction(2)**e)  # Python rounds half to even
    result = float(n * Fraction(2)**e)
    return kind(result if value > 0 else -result)


def fma(a, b, c, kind):
    return rounded(exact(a) * exact(b) + exact(c), kind)


def fold(values):
    values = list(values)
    while len(values) > 1:
        half = len(values) // 2
        values = [values[i] + values[i + half] for i in range(half)]
    return values[0]


def block_sum(x, y, kind, order):
    step = (lambda acc, i: acc + x[i]) if y is None else (lambda acc, i: fma(x[i], y[i], acc, kind))
    if order in ("sequential", "pairwise"):
        acc = kind(0)
        for i in range(len(x)):
            acc = step(acc, i)
        return acc
    if order == "blocked":
        acc = [kind(0)] * 128
        for i in range(len(x)):
            acc[i % 128] = step(acc[i % 128], i)
        return fold(acc)

    def add(pair, v):
        s, c = pair
        u = v - c
        t = s + u
        return t, (t - s) - u
    pairs = [(kind(0), kind(0))] * 128
    for i in range(len(x)):
        pairs[i % 128] = add(pairs[i % 128], x[i] if y is None else x[i] * y[i])
    total = pairs[0]
    for s, c in pairs[1:]:
        total = add(add(total, s), -c)
    return total[0]


def reduce(x, y, kind, order, block):
    x, y = x.astype(kind), None if y is None else y.astype(kind)
    if order == "sequential":
        return block_sum(x, y, kind, order)
    level = [block_sum(x[i:i + block], None if y is None else y[i:i + block], kind, order)
             for i in range(0, len(x), block)]
    while len(level) > 1:
        if order == "pairwise":
            level = [level[i] + level[i + 1] if i + 1 < len(level) else level[i]
                     for i in range(0, len(level), 2)]
        else:
            level = [block_sum(level[i:i + block], None, kind, order)
                     for i in range(0, len(level), block)]
    return level[0]


# --- the table ---------------------------------------------------------------

def emit(spec, dist, tensors):
    """One line: argument=CRC-32 of its bytes."""
    crcs = " ".join(f"{n}={zlib.crc32(packed(a, f)):08x}" for n, f, a in tensors)
    print(f'{{"{spec}", "{dist}", "{crcs}"}},')


def quantized(q, scales, zeros, glob, key, code):
    found = [("q", code, q), ("scale", key["scale"], scales)]
    if key.get("zero"):
        found.append(("zero", key["zero"], zeros.astype(DTYPES[key["zero"]])))
    if key["scale"] == "f8E4M3FN":
        found.append(("global", "f32", np.array([glob], F32)))
    return found


def emit_quantize(m, k, dist="normal", **key):
    spec = f"quantize:m={m},k={k}," + ",".join(f"{a}={b}" for a, b in key.items())
    x = draw(dist, (m, k), 0, key["in"])
    emit(spec, dist, [("x", key["in"], x)] + quantized(*quantize(x, key), key, key["out"]))


def emit_dequantize(m, k, dist="normal", **key):
    spec = f"dequantize:m={m},k={k}," + ",".join(f"{a}={b}" for a, b in key.items())
    source = dict(key, out=key["in"])
    found = quantize(draw(dist, (m, k), 0, "f32"), source)
    y = dequantize(*found, key)
    emit(spec, dist, quantized(*found, key, key["in"]) + [("y", key["out"], y)])


def emit_cast(n, source, to, dist):
    x = draw(dist, (n,), 0, source)
    if to in INT_RANGE:
        low, high = INT_RANGE[to]
        y = np.clip(np.rint(x.astype(np.float64)), low, high).astype(DTYPES[to])
    else:
        y = x.astype(DTYPES[to])
    # One row: packed() takes the last dimension.
    emit(f"cast:n={n},in={source},out={to}", dist, [("x", source, x), ("y", to, y[None])])


def emit_axpy(n, type_, dist):
    alpha, x, y = (draw(dist, s, i, type_) for i, s in enumerate(((), (n,), (n,))))
    kind = np.float64 if type_ == "f64" else F32
    result = np.array([fma(alpha, x[i], y[i], kind) for i in range(n)], kind).astype(DTYPES[type_])
    emit(f"axpy:n={n},type={type_}", dist, [("x", type_, x), ("y", type_, result)])


def emit_reduce(n, type_, kind, order, block, dist="normal"):
    x = draw(dist, (n,), 0, type_)
    y = draw(dist, (n,), 1, type_) if kind == "dot" else x if kind == "sumsq" else None
    acc = np.float64 if type_ == "f64" else F32
    r = reduce(x, y, acc, order, block)
    tail = "" if order == "sequential" else f",block={block}"
    emit(f"reduce:n={n},type={type_},kind={kind},order={order}{tail}", dist,
         [("r", "f64" if type_ == "f64" else "f32", np.array(r, acc))])


def main():
    print("// Made by make_golden.py with numpy and ml_dtypes; do not edit.")
    for out in ("i8", "i4"):
        for group in ("tensor", "channel", "256", "32", "16", "8", "3", "1"):
            for scale in ("f32", "f16", "bf16"):
                emit_quantize(5, 291, out=out, group=group, scale=scale, **{"in": "f32"})
        for k in (1, 2, 31, 33, 2048, 2049, 4100):
            emit_quantize(2, k, "outliers", out=out, group="channel", scale="f32", **{"in": "f32"})
            emit_quantize(2, k, "uniform", out=out, group="100", scale="f16", **{"in": "f32"})
        for source in ("bf16", "f16"):
            emit_quantize(3, 130, out=out, group="64", scale="f16", **{"in": source})
        emit_quantize(2, 5000, out=out, group="300", scale="f32", **{"in": "f32"})
        for extra in ({"range": "full"}, {"round": "away"}, {"round": "zero"}, {"inverse": "reciprocal"},
                      {"divisor": "unrounded"}, {"round": "stochastic", "seed": 7}):
            emit_quantize(7, 257, out=out, group="32", scale="f16", **{"in": "f32"}, **extra)
    for out in ("i8", "u8", "i4", "u4"):
        for group in ("32", "tensor"):
            emit_quantize(3, 131, out=out, group=group, scale="f32", zero=out, **{"in": "f32"})
    for out in ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"):
        emit_quantize(3, 131, out=out, group="32", scale="f32", **{"in": "f32"})
        for rule in ("floor", "rceil", "ceil", "even"):
            emit_quantize(3, 131, "outliers", out=out, group="32", scale="f8E8M0FNU", rule=rule, **{"in": "f32"})
    for out in ("f8E4M3FN", "f4E2M1FN"):
        emit_quantize(4, 100, "outliers", out=out, group="16", scale="f8E4M3FN", **{"in": "f32"})
    for code in ("i8", "i4", "f8E4M3FN", "f4E2M1FN", "f6E3M2FN"):
        for out in ("f32", "bf16", "f16"):
            emit_dequantize(3, 77, out=out, group="32", scale="f16", **{"in": code})
    for code in ("i8", "u4"):
        emit_dequantize(3, 77, out="f32", group="16", scale="f32", zero=code, **{"in": code})
    emit_dequantize(4, 100, out="f32", group="16", scale="f8E4M3FN", **{"in": "f4E2M1FN"})
    emit_dequantize(4, 100, out="f32", group="32", scale="f8E8M0FNU", **{"in": "f8E5M2"})
    for to in ("bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f6E2M3FN", "f4E2M1FN", "i8", "i4", "u8"):
        emit_cast(2500, "f32", to, "outliers")
    emit_cast(999, "f64", "f32", "normal")
    emit_cast(999, "bf16", "f8E5M2", "normal")
    emit_cast(999, "f16", "f32", "uniform")
    for type_ in ("f64", "f32", "bf16", "f16"):
        emit_axpy(2053, type_, "normal")
        for kind in ("sum", "dot", "sumsq"):
            for order, block in (("sequential", 0), ("blocked", 512), ("pairwise", 100), ("compensated", 300)):
                emit_reduce(2053, type_, kind, order, block)
    for n in (1, 127, 128, 129, 16384, 16385, 40001):
        for order, block in (("blocked", 16384), ("pairwise", 128), ("compensated", 16384), ("blocked", 2)):
            if block > 2 or n < 1000:
                emit_reduce(n, "f32", "sum", order, block, "uniform")


if __name__ == "__main__":
    main()
