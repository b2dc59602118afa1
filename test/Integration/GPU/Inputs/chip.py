"""The set ci for one chip: every cell right on the emulated device, without a
finding, with exactly the traffic of the cost model, and as machine code that
the vendor's tools accept, small and without spills.

usage: chip.py TARGET BIN
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

target, tools = sys.argv[1:]
vendor, chip = target.split(":")
faults = []

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


def check_cubin(ptx, ptxas):
    run = subprocess.run(
        [ptxas, "-v", f"-arch={chip}", ptx, "-o", "k.cubin"], capture_output=True, text=True
    )
    said = run.stdout + run.stderr
    if run.returncode:
        return faults.append(f"{ptx}: {said.splitlines()[0]}")
    figures = re.findall(r"(\d+) bytes (?:stack frame|spill \w+)", said)
    if not figures or any(map(int, figures)):
        faults.append(f"{ptx}: bytes of stack, spill stores and loads: {figures}")
    return check_size("k.cubin", ptx)


def check_hsaco(path):
    notes = readelf(path, "--notes")
    for figure in re.findall(r"\.[sv]gpr_spill_count:\s*(\d+)", notes):
        if int(figure):
            faults.append(f"{path}: spills {figure} registers")
    if re.search(r" UND +[^ \n]", readelf(path, "--dyn-syms")):
        faults.append(f"{path}: has undefined symbols")
    check_size(path, path)


def check_size(path, name):
    size = code_bytes(path)
    if not 0 < size <= MAX_CODE_BYTES:
        faults.append(f"{name}: {size} bytes of machine code")


def check_row(row):
    name = row["spec"]
    if row["status"] == "skipped" and name in UNSUPPORTED:
        return
    if row["status"] != "ok" or row["findings"]:
        return faults.append(f"{name}: {row['status']}: {row['reason']}")
    if row["time_s"] is not None:
        faults.append(f"{name}: an emulated row carries a time")
    for way in "read", "written":
        counted, model = row["counters"][f"argument_bytes_{way}"], row[f"bytes_{way}"]
        if counted != model:
            faults.append(f"{name}: {counted} bytes {way}, the cost model says {model}")


run = subprocess.run(
    ["labgen", "matrix", "ci", "--target", target, "--device", "emu", "--no-time", "--json"]
    + ["-o", "out"],
    capture_output=True,
    text=True,
)
rows = [json.loads(line) for line in run.stdout.splitlines()]
if run.returncode:
    faults.append(f"labgen matrix: exit {run.returncode}: {run.stderr.strip()}")
for row in rows:
    check_row(row)

artifacts = sorted(str(p) for p in pathlib.Path("out/artifacts").iterdir() if p.suffix != ".ll")
if vendor == "nvvm":
    ptxas = find_ptxas()
    if not ptxas:
        sys.exit("no ptxas; make setup installs one")
    for artifact in artifacts:
        check_cubin(artifact, ptxas)
else:
    os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"
    for artifact in artifacts:
        check_hsaco(artifact)
for fault in faults[:20]:
    print(fault)
print(f"{target}: {len(rows)} rows, {len(artifacts)} artifacts, {len(faults)} faults")
sys.exit(bool(faults) or not rows or len(artifacts) != len(rows))
