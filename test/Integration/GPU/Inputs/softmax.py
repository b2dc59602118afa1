"""Softmax on every chip of the table beside the CPU's: rows are right, clean of
findings, and have the same bits everywhere.

usage: softmax.py
"""
import json
import subprocess

import cases
import chips as table
import numpy as np

SPECS = [
    "softmax:m=3,n=1,in=f32,out=f32",
    "softmax:m=9,n=7,in=bf16,out=f32",
    "softmax:m=2,n=129,in=f16,out=bf16",
    "softmax:m=5,n=1000,in=f32,out=f16",
    "softmax:m=2,n=255,in=f32,out=f8E4M3FN",
    "softmax:m=3,n=37,in=f8E5M2,out=f6E2M3FN",
    "softmax:m=3,n=37,in=f4E2M1FN,out=f4E2M1FN",
    "softmax:m=4,n=300,in=f32,out=f32,shift=no",
]
# A second level of block sums.
LONG = "softmax:m=1,n=33000,in=f32,out=f32"


def run(lines):
    with open("list", "w") as file:
        file.write("\n".join(lines))
    said = subprocess.run(["labgen", "run", "--batch", "list", "--no-time", "--json"],
                          capture_output=True, text=True).stdout
    return [json.loads(line) for line in said.splitlines()]


chips = table.gpu_targets()
labs = [(spec, dist, target) for target in ["cpu:x86-64-v3", *chips] for spec in SPECS for dist in ("normal", "extremes")]
labs += [(LONG, "normal", target) for target in ("cpu:x86-64-v3", "nvvm:sm_90a", "rocdl:gfx942")]
rows = run([f"{spec} --dist {dist} --target {target} --output y={i}.npy" + ("" if target.startswith("cpu") else " --device emu")
            for i, (spec, dist, target) in enumerate(labs)])
first = {}


def fault(i, row, spec, dist):
    """What is wrong with a row, if anything."""
    if row["status"] != "ok" or row["findings"]:
        return f"{row['status']} {row['reason']} {row['findings']}"
    y = np.load(f"{i}.npy")
    bits = y.view(f"u{y.itemsize}")
    wanted = first.setdefault((spec, dist), bits)
    nans = np.isnan(y) if y.dtype.kind == "f" else np.zeros(y.shape, bool)
    return "" if np.array_equal(bits[~nans], wanted[~nans]) else f"other bits than {labs[0][2]}"


cases.case("every chip of the table", "" if len(chips) >= 10 else f"{len(chips)} chips")
for i, (row, (spec, dist, target)) in enumerate(zip(rows, labs, strict=True)):
    cases.case(f"{target} {spec} {dist}", fault(i, row, spec, dist))
cases.done()
