"""Data that breaks kernels: ties, zeros, NaN, Inf, subnormals, extremes."""
import ml_dtypes
import numpy as np

KINDS = ["normal", "ties", "zeros", "specials", "subnormals", "extremes"]


def floats(rng, kind, shape, dtype=np.float32):
    n = int(np.prod(shape, dtype=np.int64))
    info = ml_dtypes.finfo(dtype)
    low, high = float(np.log2(float(info.smallest_subnormal))), float(np.log2(float(info.max)))
    x = rng.normal(0, 1, n)
    if kind == "ties":  # halves of a power of two; the largest is 127 or 7 of it
        x = (rng.integers(-127, 127, n) + 0.5) * 2.0 ** rng.integers(-6, 3)
        x[rng.random(n) < 0.1] = rng.choice([127, -127, 7, -7]) * 2.0 ** rng.integers(-6, 3)
    elif kind == "zeros":
        x[rng.random(n) < 0.7] = 0
        x[rng.random(n) < 0.2] = -0.0
        x[: n // 2] = 0
    elif kind == "specials":
        some = rng.random(n)
        x[some < 0.02] = np.nan
        x[some > 0.98] = np.inf
        x[some > 0.99] = -np.inf
        x[: n // 3] = rng.normal(0, 1, n // 3)
    elif kind == "subnormals":
        x *= float(info.tiny) * 2.0 ** rng.uniform(-8, 3, n)
    elif kind == "extremes":
        x = np.sign(x) * 2.0 ** rng.uniform(low, high, n)
        x[rng.random(n) < 0.1] = float(info.max)
        x[rng.random(n) < 0.1] = float(info.smallest_subnormal)
        x[: n // 2] *= 2.0 ** (low / 2)
    with np.errstate(over="ignore", under="ignore"):
        return x.astype(dtype).reshape(shape)
