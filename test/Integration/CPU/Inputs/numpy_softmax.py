"""labgen's softmax and numpy's in f64 on the same inputs.

usage: numpy_softmax.py TARGET...
"""
import json
import subprocess
import sys

import cases
import ml_dtypes
import numpy as np

SIZES = [(1, 1), (3, 7), (2, 127), (2, 128), (2, 129), (5, 1000), (1, 16384), (2, 16385), (1, 40000)]
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn}


def rows(m, n, in_type, seed):
    """Ordinary rows, and between them what decides: equal elements, far ones,
    infinities and NaN."""
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 4, (m, n)).astype(np.float32)
    if m > 1:
        x[1] = 3
    if m > 2:
        x[2, :: max(n // 3, 1)] = -100
    if m > 3:
        x[3] = -np.inf
    if m > 4:
        x[4, n // 2] = np.nan
    return x.astype(in_type)


def expected(x, shift):
    x = x.astype(np.float64)
    with np.errstate(all="ignore"):
        top = np.max(x, axis=1, keepdims=True) if shift else 0
        e = np.exp(x - top)
        return e / np.sum(e, axis=1, keepdims=True)


lines, labs = [], []
for target in sys.argv[1:]:
    for m, n in SIZES:
        for name, kind in TYPES.items():
            if n > 2000 and name != "f32":
                continue
            for shift in (True, False):
                i = len(labs)
                x = rows(m, n, kind, i)
                if name in ("bf16", "f8E4M3FN"):
                    np.save(f"{i}.npy", x.view(np.uint16 if name == "bf16" else np.uint8))
                else:
                    np.save(f"{i}.npy", x)
                more = "" if shift else ",shift=no"
                lines.append(f"softmax:m={m},n={n},in={name},out=f32{more} --target {target} "
                             f"--input x={i}.npy --output y={i}y.npy --no-time")
                labs.append((x, shift))
with open("list", "w") as file:
    file.write("\n".join(lines))
said = subprocess.run(["labgen", "run", "--batch", "list", "--json"], capture_output=True, text=True).stdout
found = [json.loads(line) for line in said.splitlines()]
for i, (row, (x, shift)) in enumerate(zip(found, labs, strict=True)):
    name = f"{row['target']} {row['spec']}"
    if row["status"] != "ok":
        cases.case(name, f"{row['status']}: {row['reason']}")
        continue
    y, want = np.load(f"{i}y.npy").astype(np.float64), expected(x, shift)
    bound = np.inf if row["bound"] is None else row["bound"]
    same = (np.isnan(y) & np.isnan(want)) | (np.abs(y - want) <= bound)
    wrong = [f"y{tuple(at)} is {y[tuple(at)]}, expected {want[tuple(at)]}, bound {bound}" for at in np.argwhere(~same)[:1]]
    cases.case(name, "".join(wrong))
cases.done()
