"""f8, f6 and f4 codes, their float and E8M0 scales and products, against
ml_dtypes and exact exponents."""
import itertools
import math

import contract
import data
import labgen
import ml_dtypes
import numpy as np

F32 = np.float32
CODES = contract.SMALL_FLOATS
MANTISSA = {"f8E5M2": 2, "f8E4M3FN": 3, "f8E4M3": 3, "f8E5M2FNUZ": 2, "f8E4M3FNUZ": 3,
            "f6E2M3FN": 3, "f6E3M2FN": 2, "f4E2M1FN": 1}
RULES = ["floor", "rceil", "ceil", "even"]


def largest(code):
    return float(ml_dtypes.finfo(CODES[code]).max)


def exponent(value):
    """floor(log2(value)), exactly."""
    return math.frexp(value)[1] - 1


def scale_byte(amax, code, rule):
    """E8M0 byte of a finite group of absmax > 0."""
    most, e = largest(code), exponent(amax)
    if rule == "floor":
        s = e - exponent(most)
    elif rule == "ceil":
        s = e + (amax > math.ldexp(1, e)) - exponent(most)
    elif rule == "even":
        s = exponent(amax + math.ldexp(1, e - MANTISSA[code] - 1)) - exponent(most)
    else:
        s = e - exponent(most) + (math.ldexp(amax, -e) > math.ldexp(most, -exponent(most)))
    return min(max(s, -127), 127) + 127


def codes_of(quotient, code):
    """One rounding of f32 to the format, then saturation."""
    most = F32(largest(code))
    return np.clip(quotient, -most, most).astype(CODES[code]).view(np.uint8)


def quantize(x, code, group, scale, rule):
    x = x.astype(F32)
    every, shape = contract.blocks(*x.shape, group)
    mx = scale == "f8E8M0FNU"
    q = np.zeros(x.shape, np.uint8)
    scales = np.zeros(len(every), np.uint8 if mx else contract.FLOATS[scale])
    for i, (rows, columns) in enumerate(every):
        block = x[rows, columns]
        if not np.isfinite(block).all():
            scales[i] = 0xFF if mx else np.nan
            continue
        amax = np.abs(block).max()
        if amax == 0:
            continue
        if mx:
            scales[i] = scale_byte(float(amax), code, rule)
            s = F32(math.ldexp(1, int(scales[i]) - 127))
        else:
            scales[i] = contract.round_to(amax / F32(largest(code)), contract.FLOATS[scale])
            s = F32(scales[i])
        if s != 0:
            q[rows, columns] = codes_of(block / s, code)
    return q, scales.reshape(shape)


def quantize_nvfp4(x, code):
    """E4M3 scales of 16 values, relative to one global f32 scale."""
    x = x.astype(F32)
    every, shape = contract.blocks(*x.shape, 16)
    finite = np.abs(x[np.isfinite(x)])
    amax = finite.max() if finite.size else F32(0)
    whole = F32(amax) / F32(largest(code) * 448)
    q, scales = np.zeros(x.shape, np.uint8), np.zeros(len(every), np.uint8)
    for i, (rows, columns) in enumerate(every):
        block = x[rows, columns]
        if not np.isfinite(block).all():
            scales[i] = 0x7F
            continue
        own = np.abs(block).max() / F32(largest(code))
        if own == 0:
            continue
        if whole == 0:  # nothing is stored relative to it
            continue
        relative = np.minimum(own / whole, F32(448)).astype(ml_dtypes.float8_e4m3fn)
        scales[i] = relative.view(np.uint8)
        s = F32(relative) * whole
        if s != 0:
            q[rows, columns] = codes_of(block / s, code)
    return q, scales.reshape(shape), np.array([whole], F32)


def nvfp4_labs(rng):
    for i, (code, kind) in enumerate(itertools.product(["f4E2M1FN", "f8E4M3FN"], data.KINDS)):
        m, k = [1, 3, 16][i % 3], [256, 31, 17, 515][i % 4]
        x = data.floats(rng, kind, (m, k))
        spec = f"quantize:m={m},k={k},in=f32,out={code},group=16,scale=f8E4M3FN"
        lab = labgen.Lab(spec, {"x": x}, ("q", "scale", "global"), note=kind)
        lab.want = quantize_nvfp4(x, code)
        yield lab


def quantize_labs(rng):
    mx = itertools.product(CODES, ["f8E8M0FNU"], [32], RULES, range(2))
    plain = itertools.product(CODES, ["f32", "f16", "bf16"], [7, 16, 32, "channel", "tensor"],
                              ["floor"], range(1))
    for i, (code, scale, group, rule, turn) in enumerate([*mx, *plain]):
        kind = data.KINDS[(i + turn) % len(data.KINDS)]
        g = group if isinstance(group, int) else 70
        m, k = [1, 3, 16][i % 3], [16 * g, 2 * g - 1, g + 1, 33 * g, 17 * g + 3][i % 5]
        dtype = ["f32", "f32", "bf16", "f16"][(i // 2) % 4]
        x = data.floats(rng, kind, (m, k), contract.FLOATS[dtype])
        spec = f"quantize:m={m},k={k},in={dtype},out={code},group={group},scale={scale}"
        if scale == "f8E8M0FNU":
            spec += f",rule={rule}"
        lab = labgen.Lab(spec, {"x": x}, ("q", "scale"), note=kind)
        lab.want = quantize(x, code, group, scale, rule)
        yield lab


def every_code(rng, code, shape):
    width = int(code[1])
    return rng.integers(0, 2**width, shape).astype(np.uint8)


def dequantize_labs(rng):
    for i, (code, scale) in enumerate(itertools.product(CODES, ["f8E8M0FNU", "f32", "bf16"])):
        m, k = [1, 3, 16][i % 3], [64, 129, 509, 31][i % 4]
        group = 32 if scale == "f8E8M0FNU" else [7, 16, "channel", "tensor"][i % 4]
        q = every_code(rng, code, (m, k))
        shape = contract.blocks(m, k, group)[1]
        if scale == "f8E8M0FNU":
            scales = rng.integers(0, 256, shape).astype(np.uint8)
            values = scales.view(ml_dtypes.float8_e8m0fnu).astype(F32)
        else:
            scales = np.abs(rng.normal(0, 1, shape)).astype(contract.FLOATS[scale])
            values = scales.astype(F32)
        want = np.zeros((m, k), F32)
        for (rows, columns), s in zip(contract.blocks(m, k, group)[0], values.ravel()):
            want[rows, columns] = q[rows, columns].view(CODES[code]).astype(F32) * s
        spec = f"dequantize:m={m},k={k},in={code},out=f32,group={group},scale={scale}"
        lab = labgen.Lab(spec, {"q": q, "scale": scales}, ("y",))
        lab.want = (want,)
        yield lab


def main():
    rng = np.random.default_rng(13)
    labs = [*quantize_labs(rng), *nvfp4_labs(rng), *dequantize_labs(rng)]
    for lab in labgen.run(labs):
        for name, want in zip(lab.outputs, lab.want, strict=True):
            labgen.expect_same(lab, name, want)
    labgen.finish()


main()
