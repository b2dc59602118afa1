"""Casts through `labgen run`, files in and out, against ml_dtypes.

ml_dtypes rounds to nearest even, once, and overflows to Inf or NaN: labgen's
defaults. It is fed f32, never f64, which it takes through f32. Where its
contract is another, nothing is compared, and nothing else is left out:
- a NaN keeps its sign there and has none here: any NaN is as good as another;
- NaN into f4 and f6 gives the code of -0 there, the largest value here;
- E8M0 ties go up there, to the even byte here; zero and what is subnormal in f32
  are left out too (0.6 rounds those wrongly).
"""
import labgen
import ml_dtypes
import numpy as np

SMALL = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}
BITS = {"bf16": 16, "f16": 16, "f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}
WITHOUT_NAN = ("f6E2M3FN", "f6E3M2FN", "f4E2M1FN")


def bits_of(values):
    """As files hold them: the bits of the small formats, f32 and f64 plain."""
    unsigned = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
    return values.view(unsigned[values.dtype.itemsize])


def all_values(name):
    count = 1 << BITS.get(name, 8)
    unsigned = np.uint16 if count > 256 else np.uint8
    return np.arange(count, dtype=unsigned).view(SMALL[name])


def in_file(values):
    return values if values.dtype in (np.float32, np.float64, np.float16) else bits_of(values)


def decisive(name):
    """f32: all f16 and bf16 values; values and middles of a format, each with
    the floats next to it."""
    with np.errstate(all="ignore"):
        values = all_values(name).astype(np.float64)
    values = np.unique(np.abs(values[np.isfinite(values)]))
    place = values[-1] - values[-2]
    points = np.concatenate([values, (values[1:] + values[:-1]) / 2, values[-1] + place * np.array([0.5, 1])])
    with np.errstate(over="ignore"):
        points = points.astype(np.float32)
    below, above = np.nextafter(points, np.float32(0)), np.nextafter(points, np.float32(np.inf))
    points = np.concatenate([points, below, above])
    wide = [all_values(other).astype(np.float32) for other in ("f16", "bf16")]
    return np.concatenate([points, -points, *wide])


def comparable(x, target):
    """Which inputs both contracts say the same of; x is f32."""
    if target in WITHOUT_NAN:
        return ~np.isnan(x)
    if target == "f8E8M0FNU":
        tie = (x.view(np.uint32) & 0x7FFFFF) == 0x400000
        return ~tie & ~(np.abs(x) < np.finfo(np.float32).tiny)
    return np.ones(x.shape, bool)


def casts():
    for target in SMALL:
        yield "f32", target, decisive(target)
    for source in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
        for target in SMALL:
            if target != source:
                yield source, target, all_values(source)
    for source in SMALL:
        for target in ("f32", "f64"):
            yield source, target, all_values(source)


def compare(lab, source, target, x):
    dtype = SMALL.get(target, {"f32": np.float32, "f64": np.float64}.get(target))
    with np.errstate(all="ignore"):
        exact = x.astype(np.float32)  # of every source
        want = exact.astype(dtype)
    got = np.ascontiguousarray(lab.out["y"]).view(dtype)
    same = bits_of(got) == bits_of(want)
    if target not in WITHOUT_NAN:
        same |= np.isnan(got) & np.isnan(want)
    keep = comparable(exact, target)
    wrong = np.nonzero(~same & keep)[0]
    if len(wrong):
        at = wrong[0]
        labgen.fault(lab, f"{exact[at]!r} gave {got[at]}, not {want[at]};", len(wrong), "differ")
    if np.count_nonzero(keep) < len(x) / 4:
        labgen.fault(lab, "hardly anything was compared")


def main():
    cases = []
    for source, target, x in casts():
        spec = f"cast:n={len(x)},in={source},out={target}"
        cases.append((labgen.Lab(spec, {"x": in_file(x)}, ("y",)), source, target, x))
    labgen.run([case[0] for case in cases])
    for case in cases:
        if case[0].row["status"] == "ok":
            compare(*case)
    labgen.finish()


main()
