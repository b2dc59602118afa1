# Runs labs from the IR of every stage, and mutants of the vector stage.
import json
import pathlib
import re
import subprocess
import sys

FMA = r"(?:math|vector)\.fma (%\w+), (%\w+), %\w+"
# Spec -> mutations of its vector stage: pattern and replacement.
LABS = {
    "axpy:n=100,type=f32": [(FMA, r"arith.mulf \1, \2")],
    "reduce:n=1000,type=f32,kind=sum": [(r"arith\.addf", "arith.subf")],
    "reduce:n=500,type=f64,kind=dot,order=pairwise": [(FMA, r"arith.mulf \1, \2")],
    "dequantize:m=3,k=100,in=i4,out=f32,group=32,scale=f32": [
        (r"arith\.mulf", "arith.addf"),
        # A group index that is off.
        (r"arith\.divui (%\w+), (%\w+)", r"arith.remui \1, \2"),
    ],
    "quantize:m=3,k=100,in=f32,out=i8,group=32,scale=f32": [
        (r"<maxui>", "<minui>"),
        (r"arith\.divf", "arith.mulf"),
    ],
    "gemm:m=5,n=7,k=96,a=f32,b=i8,group=32,scale=f32": [
        (FMA, r"arith.mulf \1, \2"),
        (r"arith\.mulf", "arith.addf"),
    ],
    "gemm:m=5,n=7,k=96,a=f32,b=f32": [(FMA, r"arith.mulf \1, \2")],
}


def run(name, spec, *options):
    words = ["labgen", "run", name, "--spec", spec, "--json", *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    if done.stderr or done.stdout.count("\n") != 1:
        sys.exit(f"{name} {spec}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.returncode, json.loads(done.stdout)


for spec, mutations in LABS.items():
    for stage in ("lab", "tiled", "vector", "target", "llvm"):
        name = stage + (".ll" if stage == "llvm" else ".mlir")
        subprocess.run(
            ["labgen", "compile", spec, "--stop-after", stage, "-o", name], check=True
        )
        timed = stage == "vector"
        code, row = run(name, spec, *([] if timed else ["--no-time"]))
        right = row["status"] in ("ok", "suspect") and bool(row["time_s"]) == timed
        if code != 0 or not right:
            sys.exit(f"{spec} from stage {stage}: exit {code}, {row}")
    text = pathlib.Path("vector.mlir").read_text()
    for pattern, replacement in mutations:
        found = list(re.finditer(pattern, text))
        if not found:
            sys.exit(f"{spec}: no {pattern} to change in\n{text}")
        # The last one: the first may add to a zero, where a product is as good.
        last = found[-1]
        mutant = text[: last.start()] + last.expand(replacement) + text[last.end() :]
        pathlib.Path("mutant.mlir").write_text(mutant)
        code, row = run("mutant.mlir", spec)
        if code != 1 or row["status"] not in ("wrong", "error") or row["time_s"]:
            sys.exit(f"{spec} with {pattern} -> {replacement}: exit {code}, {row}")
        if row["predicted_s"] is None or row["gbps"] is not None:
            sys.exit(f"a wrong row must have a prediction and no speed: {row}")
