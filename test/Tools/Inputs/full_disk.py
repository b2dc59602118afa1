# Runs labgen under a file size limit (RLIMIT_FSIZE), in an empty folder.
import json
import os
import pathlib
import resource
import subprocess
import sys

import cases

SPEC = "axpy:n=4096,type=f32"


def labgen(arguments, limit, **options):
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        ["labgen", *arguments], stderr=subprocess.PIPE, text=True, preexec_fn=small, **options
    )


def must_fail(name, run, *parts):
    lines = run.stderr.splitlines()
    if run.returncode != 1 or len(lines) != 1 or not lines[0].startswith("error: "):
        sys.exit(f"{name}: exit {run.returncode}, stderr {run.stderr!r}")
    for part in parts:
        if part not in lines[0]:
            sys.exit(f"{name}: {part!r} is not in {lines[0]!r}")


def leftovers(*known):
    found = sorted(p.name for p in pathlib.Path(".").iterdir() if p.name not in known)
    if found:
        sys.exit(f"left behind: {found}")


unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

# One file, from each command that writes one.
with cases.steps("run --output"):
    run = labgen(["run", SPEC, "--no-time", "--output", "y=y.npy"], 65536)
    if run.returncode == 0:
        os.remove("y.npy")
    run = labgen(["run", "axpy:n=100000,type=f32", "--no-time", "--output", "y=y.npy"], 65536)
    must_fail("run --output", run, "y.npy")

with cases.steps("compile"):
    run = labgen(["compile", SPEC, "--stop-after", "llvm", "-o", "a.ll"], 100)
    must_fail("compile to a file", run, "a.ll")
    run = labgen(["compile", SPEC, "-o", "k"], 100)
    must_fail("compile to a folder", run)
    leftovers()

# Text on stdout that does not fit its file.
with cases.steps("compile to stdout"):
    with open("out.ll", "w") as out:
        run = labgen(["compile", SPEC, "--stop-after", "llvm"], 100, stdout=out)
    must_fail("compile to stdout", run, "stdout")
    os.remove("out.ll")

# A log of rows that cannot grow keeps whole rows, and the matrix goes on later.
with cases.steps("a log of rows"):
    pathlib.Path("list").write_text("".join(f"axpy:n={n},type=f32\n" for n in range(1, 6)))
    matrix = ["matrix", "list", "--no-time", "-o", "m"]
    run = labgen(matrix, unlimited, stdout=subprocess.DEVNULL)
    if run.returncode != 0:
        sys.exit(f"matrix: {run.stderr}")
    rows = pathlib.Path("m/rows.jsonl")
    whole = rows.read_text()
    rows.unlink()
    first, second = (len(line) + 1 for line in whole.splitlines()[:2])
    run = labgen(matrix, first + second + 10, stdout=subprocess.DEVNULL)
    must_fail("matrix", run, "rows.jsonl")
    if rows.read_text() != "".join(whole.splitlines(True)[:2]):
        sys.exit(f"rows.jsonl holds {rows.read_text()!r}")
    run = labgen(matrix, unlimited, stdout=subprocess.DEVNULL)
    if run.returncode != 0 or rows.read_text() != whole:
        sys.exit(f"matrix does not go on: {run.stderr} {rows.read_text()!r}")
    for line in whole.splitlines():
        json.loads(line)

# An artifact that does not fit ends the run with the cause, and settles nothing.
with cases.steps("an artifact"):
    artifact = max(pathlib.Path("m/artifacts").iterdir(), key=lambda p: p.stat().st_size)
    matrix[-1] = "n"
    run = labgen(matrix, artifact.stat().st_size - 1, stdout=subprocess.DEVNULL)
    must_fail("matrix without room for artifacts", run, "File too large")
    run = labgen(matrix, unlimited, stdout=subprocess.DEVNULL)
    rows = [json.loads(line) for line in pathlib.Path("n/rows.jsonl").read_text().splitlines()]
    if run.returncode != 0 or [row["status"] for row in rows] != ["ok"] * 5:
        sys.exit(f"matrix does not compile again: {run.stderr} {rows}")

# The same where a single run keeps its files: the cause stands in the line.
with cases.steps("run"):
    run = labgen(["run", SPEC, "--no-time"], 1000)
    must_fail("run", run, "File too large")
cases.done()
