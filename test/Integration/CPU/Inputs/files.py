"""Arrays go through .npy files unchanged, in every format a lab reads or writes.

What --output writes of an argument is fed back with --input, and the same lab
computes the same from it. Scalars are read as [] and [1], bf16 as its bits and
as the two-byte voids numpy writes for ml_dtypes, and a wrong array is refused
by a row that names file and fault.
"""
import pathlib

import contract
import labgen
import ml_dtypes
import numpy as np

FORMS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16,
         "i8": np.int8, "i4": np.int8}


def check(lab, name, dtype, shape):
    got = lab.out[name]
    if got.dtype != dtype or got.shape != shape or not got.flags.c_contiguous:
        labgen.fault(lab, name, "is", got.dtype, got.shape, "not", dtype, shape)


def around(rng):
    """quantize -> codes and scales -> dequantize -> the same values again."""
    for code in ("i8", "i4"):
        for scale in ("f32", "f16", "bf16"):
            for out in ("f32", "f16", "bf16"):
                x = rng.normal(0, 1, (5, 77)).astype(contract.FLOATS[out])
                form = f"group=32,scale={scale}"
                store = labgen.Lab(f"quantize:m=5,k=77,in={out},out={code},{form}", {"x": x},
                                   ("q", "scale"))
                if not labgen.run([store]):
                    continue
                check(store, "q", FORMS[code], (5, 77))
                check(store, "scale", FORMS[scale], (5, 3))
                load = labgen.Lab(f"dequantize:m=5,k=77,in={code},out={out},{form}", store.out,
                                  ("y",))
                if not labgen.run([load]):
                    continue
                check(load, "y", FORMS[out], (5, 77))
                scales = store.out["scale"]
                if scale == "bf16":
                    scales = scales.view(ml_dtypes.bfloat16)
                want = contract.dequantize(store.out["q"], scales, 32, out)
                labgen.expect_same(load, "y", want)


def floats(rng):
    """axpy with alpha 1 and y 0 copies; its output is its input again."""
    labs = []
    for name, dtype in contract.FLOATS.items():
        x = rng.normal(0, 1, 101).astype(dtype)
        x[:4] = [np.nan, np.inf, -np.inf, float(ml_dtypes.finfo(dtype).smallest_subnormal)]
        forms = [x] if name != "bf16" else [x, x.view(np.uint16)]
        for form in forms:
            for alpha in (np.array(1, dtype), np.array([1], dtype)):
                labs.append(labgen.Lab(f"axpy:n=101,type={name}",
                                       {"alpha": alpha, "x": form, "y": np.zeros(101, dtype)},
                                       ("y",)))
                labs[-1].want = x
    empty = np.zeros((0, 8), np.float32)
    labs.append(labgen.Lab("quantize:m=0,k=8,in=f32,out=i8,group=8,scale=f32", {"x": empty},
                           ("q", "scale")))
    for lab in labgen.run(labs):
        if lab is labs[-1]:
            check(lab, "q", np.int8, (0, 8))
            check(lab, "scale", np.float32, (0, 1))
            continue
        check(lab, "y", FORMS[lab.spec.split("=")[-1]], (101,))
        again = labgen.Lab(lab.spec, {**lab.inputs, "x": lab.out["y"]}, ("y",))
        labgen.expect_same(lab, "y", lab.want)
        for lab2 in labgen.run([again]):
            labgen.expect_same(lab2, "y", lab.want)


def wrong():
    """(spec, name, array) and a word that the reason must hold beside the file."""
    axpy, load = "axpy:n=4,type=f32", "dequantize:m=2,k=4,in=i4,out=f32,group=4,scale=f32"
    good = np.zeros(4, np.float32)
    cases = [
        (axpy, "x", good.astype(np.float64), "f8"), (axpy, "x", good[:3], "3"),
        (axpy, "x", good.reshape(2, 2), "2"), (axpy, "x", good.astype(">f4"), ">f4"),
        (axpy, "alpha", good, "4"), (axpy, "x", good.astype(np.int32), "i4"),
        (load, "q", np.full((2, 4), 8, np.int8), "8"),
        (load, "q", np.full((2, 4), -9, np.int8), "-9"),
        (load, "q", np.asfortranarray(np.zeros((2, 4), np.int8)), "Fortran"),
        (load, "q", np.zeros((2, 4), np.uint8), "u1"),
        (load, "scale", np.zeros((2, 2), np.float32), "2"),
        (load, "scale", np.zeros((2, 1), np.float16), "f2"),
    ]
    lines = []
    for i, (spec, name, array, _) in enumerate(cases):
        np.save(f"wrong{i}.npy", array)
        lines.append(f"{spec} --input {name}=wrong{i}.npy --output y=y{i}.npy")
    for i, (row, case) in enumerate(zip(labgen.run_lines(lines), cases, strict=True)):
        reason = row["reason"] or ""
        labgen.right(lines[i])
        if row["status"] != "error" or f"wrong{i}.npy" not in reason or case[3] not in reason:
            labgen.fault(lines[i], row["status"], reason)
        if pathlib.Path(f"y{i}.npy").exists():
            labgen.fault(lines[i], "left its output behind")


def main():
    rng = np.random.default_rng(17)
    around(rng)
    floats(rng)
    wrong()
    labgen.finish()


main()
