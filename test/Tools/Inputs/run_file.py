# Runs labs from the IR of every stage, and mutants of the vector stage.
import json
import pathlib
import re
import subprocess
import sys

import cases

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


def from_stage(spec, stage):
    name = stage + (".ll" if stage == "llvm" else ".mlir")
    subprocess.run(["labgen", "compile", spec, "--stop-after", stage, "-o", name], check=True)
    timed = stage == "vector"
    code, row = run(name, spec, *([] if timed else ["--no-time"]))
    right = row["status"] in ("ok", "suspect") and bool(row["time_s"]) == timed
    assert code == 0 and right, f"exit {code}, {row}"


def mutated(spec, text, pattern, replacement):
    found = list(re.finditer(pattern, text))
    assert found, f"no {pattern} to change in\n{text}"
    # The last one: the first may add to a zero, where a product is as good.
    last = found[-1]
    mutant = text[: last.start()] + last.expand(replacement) + text[last.end() :]
    pathlib.Path("mutant.mlir").write_text(mutant)
    code, row = run("mutant.mlir", spec)
    wrong = code == 1 and row["status"] in ("wrong", "error") and not row["time_s"]
    assert wrong, f"exit {code}, {row}"
    predicted = row["predicted_s"] is not None and row["gbps"] is None
    assert predicted, f"a wrong row must have a prediction and no speed: {row}"


for spec, mutations in LABS.items():
    for stage in ("lab", "tiled", "vector", "target", "llvm"):
        with cases.steps(f"{spec} from stage {stage}"):
            from_stage(spec, stage)
    text = pathlib.Path("vector.mlir").read_text()
    for pattern, replacement in mutations:
        with cases.steps(f"{spec} with {pattern} -> {replacement}"):
            mutated(spec, text, pattern, replacement)
cases.done()
