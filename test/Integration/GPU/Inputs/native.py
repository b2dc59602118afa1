"""A chip's own conversions and the expansions they stand for give the same
bits: every lab runs by the schedule that was chosen and by the same one without
`extend` and `truncate`. Any NaN equals any NaN where a format has several.

usage: native.py
"""
import json
import pathlib
import re
import subprocess

import cases
import chips
import numpy as np

# What the words of the table stand for.
FORMATS = {
    "native_f8": {"none": [], "ocp": ["f8E4M3FN", "f8E5M2"], "fnuz": ["f8E4M3FNUZ", "f8E5M2FNUZ"]},
    "native_f6_f4": {"none": [], "f4": ["f4E2M1FN"],
                     "f6, f4 and E8M0": ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN", "f8E8M0FNU"]},
}
BITS = {"f8E8M0FNU": 8, "f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}
DISTS = ("normal", "uniform", "ties", "outliers", "extremes")


def is_nan(codes, name):
    """Which codes of a format are NaN."""
    if codes.dtype.kind == "f":
        return np.isnan(codes)
    if name.endswith("FNUZ"):
        return codes == 0x80
    if name == "f8E8M0FNU":
        return codes == 0xFF
    first = {"f8E4M3FN": 0x7F, "f8E5M2": 0x7D}.get(name, 0x100)
    return (codes & 0x7F) >= first


def floats():
    """Where casts to small formats decide: all of f16 with at most 5 bits of
    mantissa, some of bf16, one ulp to either side, infinities, NaNs, extremes."""
    f16 = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    bits = np.concatenate([f16[f16 % (1 << 18) == 0], np.arange(0, 1 << 16, 37, dtype=np.uint32) << 16])
    bits = np.concatenate([bits - 1, bits, bits + 1])
    edges = [0, 1, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF]
    bits = np.concatenate([bits, edges, np.array(edges) | 0x80000000]).astype(np.uint32)
    return bits.view(np.float32)


def labs(formats):
    """(spec, further arguments, output, format of the output)."""
    x = floats()
    np.save("x.npy", x)
    for name in [one for one in formats if one != "f8E8M0FNU"]:
        rules = ["", ",overflow=saturate", ",overflow=saturate,nan=max"] if name.startswith("f8") else [""]
        for rule in rules:
            yield f"cast:n={len(x)},in=f32,out={name}{rule}", "--input x=x.npy", "y", name
        for dist in DISTS:
            scale = "f8E8M0FNU" if dist != "uniform" else "f32"
            yield f"quantize:m=3,k=135,in=f32,out={name},group=32,scale={scale}", f"--dist {dist}", "q", name
            if dist in ("normal", "extremes"):
                yield f"gemm:m=2,n=5,k=135,a=f32,b={name},group=32,scale={scale}", f"--dist {dist}", "c", ""
    for name in formats:
        every = np.tile(np.arange(1 << BITS.get(name, 8), dtype=np.uint8), 3)[:-1]
        np.save(f"{name}.npy", every)
        for out in "f32", "f16", "f8E5M2":
            if out != name:
                yield f"cast:n={len(every)},in={name},out={out}", f"--input x={name}.npy", "y", out
    if "f8E4M3FN" in formats:
        yield "quantize:m=5,k=64,in=bf16,out=f8E4M3FN,group=16,scale=f8E4M3FN", "--dist ties", "q", "f8E4M3FN"
        yield "dequantize:m=5,k=67,in=f8E4M3FN,out=f16,group=16,scale=f8E4M3FN", "--dist extremes", "y", ""


def run(lines):
    pathlib.Path("list").write_text("\n".join(lines))
    said = subprocess.run(["labgen", "run", "--batch", "list", "--device", "emu", "--no-time", "--json"],
                          capture_output=True, text=True).stdout
    return [json.loads(row) for row in said.splitlines()]


def expanded(row):
    """The schedule of a row with no list of conversions, and how many it had."""
    schedule, lists = re.subn(r"(, )?\b(extend|truncate) = \[[^\]]+\]", "", row["schedule"])
    schedule = schedule.replace("<, ", "<")
    return re.fullmatch(r"#lab.schedule<(.*)>", schedule)[1], lists


def same(i, name):
    one, other = np.load(f"{i}.npy"), np.load(f"{i}e.npy")
    nans = is_nan(one, name), is_nan(other, name)
    raw = f"u{one.itemsize}"
    return one.shape == other.shape and np.all((one.view(raw) == other.view(raw)) | (nans[0] & nans[1]))


def fault(i, name, rows):
    bad = [row["reason"] for row in rows if row["status"] != "ok" or row["findings"]]
    if bad:
        return str(bad)
    # NVIDIA's instruction makes no Inf.
    row = rows[0]
    makes_inf = row["target"].startswith("nvvm") and re.match(r"cast:n=\d+,in=f32,out=f8E5M2($|,round)", row["spec"])
    if not expanded(row)[1] and not makes_inf:
        return f"a list of conversions expected: {row['schedule']}"
    return "" if same(i, name) else "not the bits of the expansion"


for row in chips.samples("native_f8", "native_f6_f4"):
    chip, formats = row["target"], sum((FORMATS[key][row[key]["value"]] for key in FORMATS), [])
    if not formats:
        continue
    every = list(enumerate(labs(formats)))
    native = run([f"{spec} {more} --target {chip} --output {out}={i}.npy" for i, (spec, more, out, _) in every])
    plain = run([f"{spec} {more} --target {chip} --output {out}={i}e.npy --schedule '{expanded(row)[0]}'"
                 for (i, (spec, more, out, _)), row in zip(every, native)])
    for (i, (spec, more, _, name)), *rows in zip(every, native, plain, strict=True):
        cases.case(f"{chip} {spec} {more}", fault(i, name, rows))
cases.done()
