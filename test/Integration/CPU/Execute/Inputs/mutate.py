"""Mutation test of the checks: one operation of a right kernel is changed.

usage: mutate.py MOST

Takes the vector stage of each lab, changes one operation (an add to a sub, an
index by one, ...), and runs the file against its spec: the row must be wrong or
an error, without a time, for one of the distributions at least (some code only
runs on NaN, on zero groups, ...). Unchanged it must be ok for all of them. Of
each kind of change at most MOST places are tried, spread over the kernel.
"""
import json
import pathlib
import re
import subprocess
import sys

import cases

# What is changed, by a pattern and its replacement on one line.
CHANGES = {
    "add to sub": (r"arith\.addf", "arith.subf"),
    "mul to add": (r"arith\.mulf", "arith.addf"),
    "div to mul": (r"arith\.divf", "arith.mulf"),
    "fma to mul": (r"math\.fma (%\w+), (%\w+), %\w+", r"arith.mulf \1, \2"),
    "fma to add": (r"math\.fma (%\w+), (%\w+), %\w+", r"arith.addf \1, \2"),
    "max to min": (r"(arith\.|<)max(ui|imumf)\b", r"\1min\2"),
    "sum to max": (r"vector\.reduction <add>, (%\w+)(?: fastmath<\w+>)? : (vector<\d+x)(f32|i32)",
                   lambda m: f"vector.reduction <{'maximumf' if m[3] == 'f32' else 'maxsi'}>, {m[1]} : {m[2]}{m[3]}"),
    "low nibble for high": (r"arith\.shrsi %(\w+), ", r"arith.shrui %\1, "),
    "other column": (r"arith\.divui (%\w+), (%\w+) : index", r"arith.ceildivui \1, \2 : index"),
}
DISTS = ["normal", "extremes", "zeros", "ties"]
# Spec -> type of the memref whose last index is moved by one (its scales, or
# else an input; or none), and the changes tried, each of which must be found. Left out is
# what need not show: a maximum is found whatever becomes of the other elements, and
# what compensates an error may be too small to be one itself.
LABS = {
    "quantize:m=3,k=104,in=f32,out=i8,group=32,scale=f32":
        ("memref<3x4xf32>", ["add to sub", "mul to add", "div to mul", "fma to mul", "fma to add"]),
    "quantize:m=3,k=1000,in=f32,out=i4,group=channel,scale=f16":
        ("memref<3x1xf16>", ["add to sub", "mul to add", "div to mul", "fma to mul", "fma to add"]),
    "dequantize:m=3,k=2080,in=i8,out=f32,group=128,scale=f32":
        ("memref<3x17xf32>", ["mul to add", "other column"]),
    "dequantize:m=3,k=100,in=i4,out=bf16,group=24,scale=f32":
        ("memref<3x5xf32>", ["mul to add", "low nibble for high"]),
    "axpy:n=100,type=f32": ("memref<100xf32>", ["fma to mul", "fma to add"]),
    "reduce:n=1000,type=f32,kind=sum": ("memref<1000xf32>", ["add to sub"]),
    "reduce:n=1000,type=bf16,kind=dot,order=compensated": ("memref<1000xbf16>", ["mul to add"]),
    "reduce:n=1000,type=f64,kind=sumsq,order=pairwise": ("memref<1000xf64>", ["add to sub", "fma to mul", "fma to add"]),
    "reduce:n=16,type=f16,kind=max": (None, ["max to min"]),
    "gemm:m=5,n=7,k=96,a=f32,b=f32": ("memref<7x96xf32>", ["fma to mul", "fma to add", "sum to max"]),
    "gemm:m=24,n=40,k=96,a=f32,b=f32": ("memref<40x96xf32>", ["fma to mul", "fma to add"]),
    "gemm:m=5,n=7,k=96,a=i8,b=i8": ("memref<7x96xi8>", ["sum to max"]),
    "gemm:m=5,n=7,k=96,a=f32,b=i8,group=32,scale=f32":
        ("memref<7x3xf32>", ["fma to mul", "fma to add", "mul to add"]),
    "gemm:m=1,n=7,k=96,a=f32,b=i8,group=32,scale=f32,compute=i8":
        ("memref<7x3xf32>", ["add to sub", "mul to add", "div to mul", "fma to mul", "fma to add", "sum to max"]),
}


def spread(places, most):
    """At most `most` of the places, the first and the last among them."""
    if len(places) <= most:
        return places
    return [places[i * (len(places) - 1) // (most - 1)] for i in range(most)]


def made_again(lines):
    """Places of a compensated sum that is made again because it came out as Inf or NaN: it does so
    again whatever is changed. The integration test of extremes holds its values."""
    first = next((i for i, line in enumerate(lines) if line.strip() == "} else {"), len(lines))
    indent = re.match(" *", lines[first])[0] if first < len(lines) else ""
    return range(first, next((i for i in range(first + 1, len(lines)) if lines[i].startswith(indent + "}")), first))


def mutants(text, matrix, most, left_out):
    """(what was changed, changed text) of every change that applies."""
    lines = text.split("\n")
    left_out = left_out(lines)
    zeros = set(re.findall(r"(%\w+) = arith\.constant (?:dense<)?0\.0", text))

    def changes(name, pattern, at):
        if at in left_out or not re.search(pattern, lines[at]):
            return False
        # Nothing is added.
        if name in ("add to sub", "fma to mul") and zeros & set(re.findall(r"%\w+", lines[at])):
            return False
        # The first guess of a quotient, which the next line corrects.
        guess = re.match(r"\s*(%\w+) = arith\.mulf", lines[at])
        return not (name == "mul to add" and guess and f"math.fma {guess[1]}, " in lines[at + 1])

    for name, (pattern, replacement) in CHANGES.items():
        for at in spread([i for i in range(len(lines)) if changes(name, pattern, i)], most):
            changed = re.sub(pattern, replacement, lines[at], count=1)
            yield name, "\n".join([*lines[:at], changed, *lines[at + 1 :]])
    if matrix is None:
        return
    access = re.compile(r"(vector|memref)\.(load|store) .*\[(?:%\w+, )?(%\w+)\] .*" + re.escape(matrix))
    for at in spread([i for i, line in enumerate(lines) if access.search(line) and i not in left_out], most):
        match = access.search(lines[at])
        index = match[3]
        before = [
            "%mutant_one = arith.constant 1 : index",
            f"%mutant_index = arith.addi {index}, %mutant_one : index",
        ]
        end = match.end(3)
        changed = lines[at][: match.start(3)] + "%mutant_index" + lines[at][end:]
        yield "index by one", "\n".join([*lines[:at], *before, changed, *lines[at + 1 :]])


def run(lines):
    """Rows and exit code of a batch."""
    pathlib.Path("batch.txt").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["labgen", "run", "--batch", "batch.txt", "--json"], capture_output=True, text=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if len(rows) != len(lines):
        sys.exit(f"{len(rows)} rows of {len(lines)} runs: {done.stderr}")
    return rows, done.returncode


most = int(sys.argv[1])
whole, mutated = [], {}
for number, (spec, (matrix, expected)) in enumerate(LABS.items()):
    name = f"lab{number}.mlir"
    subprocess.run(["labgen", "compile", spec, "--stop-after", "vector", "-o", name], check=True)
    whole += [f"{name} --spec {spec} --no-time --dist {dist}" for dist in DISTS]
    found = set()
    left_out = made_again if "compensated" in spec else lambda lines: ()
    for count, (kind, text) in enumerate(mutants(pathlib.Path(name).read_text(), matrix, most, left_out)):
        if kind not in (*expected, "index by one"):
            continue
        pathlib.Path(f"lab{number}-{count}.mlir").write_text(text)
        mutated[f"lab{number}-{count}.mlir --spec {spec}"] = kind
        found.add(kind)
    if missing := {*expected, *(["index by one"] if matrix else [])} - found:
        sys.exit(f"{spec}: nothing to change for {sorted(missing)}")

rows, code = run(whole)
if code != 0 or any(row["status"] != "ok" for row in rows):
    bad = [(line, row["reason"]) for line, row in zip(whole, rows) if row["status"] != "ok"]
    sys.exit(f"unchanged, exit {code}: {bad}")
alive = list(mutated)
for dist in DISTS:
    # A kernel that is right is timed; once is enough to see that wrong ones are not.
    options = "" if dist == DISTS[0] else " --no-time"
    rows, code = run([f"{line} --dist {dist}{options}" for line in alive])
    caught = [row["status"] in ("wrong", "error") for row in rows]
    if any(row["time_s"] for row, wrong in zip(rows, caught) if wrong) or code != int(any(caught)):
        cases.case(f"rows of {dist}", f"exit {code}, or a wrong row has a time: {rows}")
    alive = [line for line, wrong in zip(alive, caught) if not wrong]
    if not alive:
        break
for line, kind in mutated.items():
    cases.case(f"{line}: {kind}", line in alive and "not caught")
cases.done()
