#!/usr/bin/env python3
# Makes MlDtypesTable.inc: what ml_dtypes and numpy say about the small formats,
# so that ConvertTest has an oracle labgen did not write. Run it with the
# project's Python environment and commit what it prints:
#   python make_ml_dtypes_table.py > MlDtypesTable.inc
import math
import re

import ml_dtypes
import numpy as np

SMALL = {
    "F8E5M2": ml_dtypes.float8_e5m2,
    "F8E4M3FN": ml_dtypes.float8_e4m3fn,
    "F8E4M3": ml_dtypes.float8_e4m3,
    "F8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "F8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F6E2M3FN": ml_dtypes.float6_e2m3fn,
    "F6E3M2FN": ml_dtypes.float6_e3m2fn,
    "F4E2M1FN": ml_dtypes.float4_e2m1fn,
    "F8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}
LARGE = {"BF16": ml_dtypes.bfloat16, "F16": np.float16, "F32": np.float32}


def literal(value):
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "-INFINITY" if value < 0 else "INFINITY"
    return re.sub(r"\.?0*p", "p", float(value).hex())


def block(items):
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) > 78:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line])


def code(dtype, value):
    cast = np.array([value]).astype(dtype)
    return int(cast.view(f"u{cast.dtype.itemsize}")[0])


def small(name, dtype):
    bits = ml_dtypes.finfo(dtype).bits
    codes = np.arange(2**bits, dtype=np.uint8)
    values = codes.view(dtype).astype(np.float64)
    # Numbers that stress the rounding: every midpoint of neighbours and the f32
    # on both sides of it, up to one step beyond the largest number. (From f64
    # ml_dtypes rounds twice, by way of f32.)
    finite = sorted({float(v) for v in values if math.isfinite(v)})
    points = []
    for low, high in zip(finite, finite[1:] + [2 * finite[-1] - finite[-2]]):
        low, middle, high = map(np.float32, [low, (low + high) / 2, high])
        points += [np.nextafter(middle, low), middle, np.nextafter(middle, high)]
    with np.errstate(all="ignore"):
        answers = [code(dtype, p) for p in points]
    print(f"// {dtype.__name__}")
    print(f"const double values{name}[] = {{\n{block(map(literal, values))}\n}};")
    # The points follow from the values, so their codes are enough.
    print(f"const uint8_t midpoints{name}[] = {{\n{block(map(str, answers))}\n}};\n")


def large(name, dtype):
    generator = np.random.default_rng(1)
    width = np.dtype(dtype).itemsize * 8
    source = np.float64 if dtype in (np.float16, np.float32) else np.float32
    codes = generator.integers(0, 2**width, 48, dtype=np.uint64)
    codes[:8] = [0, 1, 2, 3, 5, 7, 9, 11]  # subnormals
    points = []
    for bits in codes.astype(f"u{width // 8}"):
        pair = np.array([bits, bits + type(bits)(1)]).view(dtype).astype(np.float64)
        if np.isfinite(pair).all():
            middle = source(pair.mean())
            pair = pair.astype(source)
            points += [np.nextafter(middle, pair[0]), middle, np.nextafter(middle, pair[1])]
    with np.errstate(all="ignore"):
        pairs = [f"{{{literal(p)}, {code(dtype, p):#x}}}" for p in points]
    print(f"// {np.dtype(dtype).name}")
    print(f"const Rounded rounded{name}[] = {{\n{block(pairs)}\n}};\n")


print(f"""// Written by make_ml_dtypes_table.py with ml_dtypes {ml_dtypes.__version__} and
// numpy {np.__version__}: the value of every code, and the code (round to
// nearest even, no saturation) of three numbers for each finite value, in
// ascending order: the f32 below the midpoint to the next one, the midpoint, the
// f32 above it; for the largest, the midpoint to where the next would be.
""")
for name, dtype in SMALL.items():
    small(name, dtype)
for name, dtype in LARGE.items():
    large(name, dtype)
