#!/usr/bin/env python3
"""How many kernels of the set ci are compiled for a GPU in a minute on one core.

PTX and HSACO are made by `labgen matrix`, which compiles each kernel in a child
of one warm process; cubins are those PTX files through ptxas, as `--emit cubin`
does it. The process is held to one core and what counts is the processor time
of it and its children, which other load on the machine hardly changes.

    bench/gpu_compile.py build/bin/labgen [--target nvvm:sm_90a]...
"""

import argparse
import glob
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

# Kernels per minute that labgen demands of itself.
LEAST = {"ptx": 300, "cubin": 150, "hsaco": 150}


def gpu_targets(labgen):
    """All of labgen's table."""
    said = subprocess.run([labgen, "chips", "--json"], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    return [row["target"] for row in rows if "wave_size" in row]


def find_ptxas():
    for folder in [*sys.path, sys.prefix + "/lib"]:
        for path in glob.glob(f"{folder}/nvidia/*/bin/ptxas"):
            return path
    return shutil.which("ptxas")


def spent():
    """Processor time of the children so far, and the clock, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, time.monotonic()


def measure(work):
    """(what work() returns, processor seconds, seconds by the clock)."""
    before = spent()
    result = work()
    return result, *(after - start for after, start in zip(spent(), before))


def compile_set(labgen, target, folder):
    """The artifacts of the set for a target that has no device here."""
    command = [labgen, "matrix", "ci", "--target", target, "--no-time", "-o", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    files = [p for p in pathlib.Path(folder, "artifacts").iterdir() if p.suffix != ".ll"]
    if done.returncode not in (0, 2) or not files:
        sys.exit(done.stderr.strip() or f"error: {' '.join(command)} made nothing")
    return sorted(map(str, files))


def assemble(ptxas, chip, files):
    for file in files:
        subprocess.run([ptxas, f"-arch={chip}", "-O3", file, "-o", file + ".cubin"], check=True)


def report(target, form, count, processor, clock):
    rate = count / processor * 60
    verdict = "" if rate >= LEAST[form] else "  too slow"
    print(f"{target:15} {form:6} {count:8} {processor:9.1f} {clock:9.1f} {rate:8.0f}"
          f" {LEAST[form]:6}{verdict}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labgen")
    parser.add_argument("--target", action="append")
    options = parser.parse_args()
    labgen = str(pathlib.Path(options.labgen).resolve())
    ptxas = find_ptxas()
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    print(f"{'target':15} {'form':6} {'kernels':>8} {'cpu s':>9} {'clock s':>9} {'per min':>8} {'least':>6}")
    with tempfile.TemporaryDirectory() as folder:
        # Roofs are probed and stored once, before anything is measured.
        pathlib.Path(folder, "one").write_text("axpy:n=1,type=f32\n")
        subprocess.run([labgen, "matrix", f"{folder}/one", "--no-time", "-o", f"{folder}/warm"],
                       capture_output=True, check=True)
        for target in options.target or gpu_targets(labgen):
            vendor, chip = target.split(":")
            files, processor, clock = measure(
                lambda: compile_set(labgen, target, f"{folder}/{chip}"))
            report(target, "ptx" if vendor == "nvvm" else "hsaco", len(files), processor, clock)
            if vendor == "nvvm" and ptxas:
                _, more, later = measure(lambda: assemble(ptxas, chip, files))
                report(target, "cubin", len(files), processor + more, clock + later)
    if not ptxas:
        print("no ptxas, no cubins; make setup installs one")


if __name__ == "__main__":
    main()
