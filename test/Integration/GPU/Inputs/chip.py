"""The set ci for one chip: every cell right on the emulated device, without a
finding, with exactly the traffic of the cost model, and as machine code that
the vendor's tools accept, small and without spills.

usage: chip.py TARGET BIN
"""
import functools
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import cases

target, tools = sys.argv[1:]
vendor, chip = target.split(":")

# Nothing is left out today; a cell that a chip cannot do would be listed here
# with its reason.
UNSUPPORTED = {}
MAX_CODE_BYTES = 64 << 10


def find_ptxas():
    for folder in sys.path + [sys.prefix + "/lib"]:
        for path in glob.glob(f"{folder}/nvidia/*/bin/ptxas"):
            return path
    return shutil.which("ptxas")


def readelf(path, *flags):
    return subprocess.run(
        ["llvm-readelf", *flags, path], capture_output=True, text=True, check=True
    ).stdout


def code_bytes(path):
    sections = json.loads(readelf(path, "-S", "--elf-output-style=JSON"))[0]["Sections"]
    return sum(
        s["Section"]["Size"]
        for s in sections
        if s["Section"]["Name"]["Name"].startswith(".text")
    )


def faults_of_cubin(ptx, ptxas):
    run = subprocess.run(
        [ptxas, "-v", f"-arch={chip}", ptx, "-o", "k.cubin"], capture_output=True, text=True
    )
    said = run.stdout + run.stderr
    if run.returncode:
        yield said.splitlines()[0]
        return
    figures = re.findall(r"(\d+) bytes (?:stack frame|spill \w+)", said)
    if not figures or any(map(int, figures)):
        yield f"bytes of stack, spill stores and loads: {figures}"
    yield from faults_of_size("k.cubin")


def faults_of_hsaco(path):
    notes = readelf(path, "--notes")
    for figure in re.findall(r"\.[sv]gpr_spill_count:\s*(\d+)", notes):
        if int(figure):
            yield f"spills {figure} registers"
    if re.search(r" UND +[^ \n]", readelf(path, "--dyn-syms")):
        yield "has undefined symbols"
    yield from faults_of_size(path)


def faults_of_size(path):
    size = code_bytes(path)
    if not 0 < size <= MAX_CODE_BYTES:
        yield f"{size} bytes of machine code"


def faults_of_row(row):
    if row["status"] == "skipped" and row["spec"] in UNSUPPORTED:
        return
    if row["status"] != "ok" or row["findings"]:
        yield f"{row['status']}: {row['reason']} {row['findings']}"
        return
    if row["time_s"] is not None:
        yield "an emulated row carries a time"
    for way in "read", "written":
        counted, model = row["counters"][f"argument_bytes_{way}"], row[f"bytes_{way}"]
        if counted != model:
            yield f"{counted} bytes {way}, the cost model says {model}"


run = subprocess.run(
    ["labgen", "matrix", "ci", "--target", target, "--device", "emu", "--no-time", "--json"]
    + ["-o", "out"],
    capture_output=True,
    text=True,
)
rows = [json.loads(line) for line in run.stdout.splitlines()]
for row in rows:
    cases.case(row["spec"], "; ".join(faults_of_row(row)))

artifacts = sorted(str(p) for p in pathlib.Path("out/artifacts").iterdir() if p.suffix != ".ll")
if vendor == "nvvm":
    ptxas = find_ptxas()
    if not ptxas:
        sys.exit("no ptxas; make setup installs one")
    look = functools.partial(faults_of_cubin, ptxas=ptxas)
else:
    os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"
    look = faults_of_hsaco
for artifact in artifacts:
    cases.case(artifact, "; ".join(look(artifact)))
with cases.steps("labgen matrix ci"):
    assert run.returncode == 0, f"exit {run.returncode}: {run.stderr.strip()}"
    assert rows and len(rows) == len(artifacts), f"{len(rows)} rows, {len(artifacts)} artifacts"
cases.done()
