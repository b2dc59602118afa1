#!/usr/bin/env python3
"""The CPU kernels against this machine's roofs: one core, one run.

Each lab is run with the schedule labgen chose and, where that prefetches or
stores around the caches, with the same schedule without; the two take turns.
Prints medians over the rounds, the roof measured beside them (same ISA,
footprint and read:write mix) and what labgen demands of itself.

    bench/kernels.py build/bin/labgen [--rounds 3] [--threads 1]
"""

import argparse
import json
import re
import statistics
import subprocess
import sys

# Lab, which roof it is held to, and the least share of it.
LABS = [
    ("gemm:m=1024,n=1024,k=1024,a=f32,b=f32", "gflops", 0.70),
    ("quantize:m=16384,k=4096,in=f32,out=i8,group=32,scale=f32", "gbps", 0.75),
    ("quantize:m=4096,k=16384,in=f32,out=f8E4M3FN,group=32,scale=f8E8M0FNU",
     "gbps", 0.75),
    ("quantize:m=4096,k=16384,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU",
     "gbps", 0.75),
    ("dequantize:m=4096,k=16384,in=i8,out=f32,group=32,scale=f32", "gbps", 0.75),
    ("dequantize:m=4096,k=16384,in=f4E2M1FN,out=f32,group=32,scale=f8E8M0FNU",
     "gbps", 0.75),
    ("dequantize:m=4096,k=16384,in=f4E2M1FN,out=bf16,group=16,scale=f8E4M3FN",
     "gbps", 0.5),
    ("cast:n=67108864,in=f32,out=f8E4M3FN", "gbps", 0.75),
    ("cast:n=67108864,in=f32,out=f4E2M1FN", "gbps", 0.75),
    ("cast:n=67108864,in=f32,out=i8", "gbps", 0.75),
    ("axpy:n=67108864,type=f32", "gbps", 0.88),
    ("reduce:n=67108864,type=f32,kind=sum", "gbps", 0.88),
    ("gemm:m=1,n=14336,k=4096,a=f32,b=i8,group=32,scale=f32,compute=i8",
     "gbps", 0.75),
]


def run(labgen, spec, threads, schedule=None):
    """One row of `labgen run`."""
    command = [labgen, "run", spec, "--threads", str(threads), "--json"]
    if schedule:
        command += ["--schedule", schedule]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    if not lines:
        sys.exit(done.stderr.strip() or f"error: {command} printed nothing")
    row = json.loads(lines[-1])
    if not row["time_s"]:
        sys.exit(f"error: {spec} is {row['status']}: {row['reason']}")
    return row


def without_hints(schedule):
    """The schedule without prefetch and non-temporal stores; None if alike."""
    inner = re.sub(r"^#lab\.schedule<(.*)>$", r"\1", schedule)
    plain = re.sub(r"(nontemporal|prefetch = \d+)(, )?", "",
                   inner).replace(", >", ">")
    plain = re.sub(r", kernel<>", "", plain)
    return None if plain == inner else plain


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labgen")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    header = f"{'lab':66} {'achieved':>9} {'roof':>7} {'share':>6} {'least':>6}"
    print(f"{header} {'plain':>6}")
    for spec, unit, least in LABS:
        rows, plain_rows = [], []
        for _ in range(options.rounds):
            rows.append(run(options.labgen, spec, options.threads))
            plain = without_hints(rows[-1]["schedule"])
            if plain:
                plain_rows.append(
                    run(options.labgen, spec, options.threads, plain))
        share = statistics.median(r[unit] / r["roof"][unit] for r in rows)
        achieved = statistics.median(r[unit] for r in rows)
        roof = statistics.median(r["roof"][unit] for r in rows)
        against = "-"
        if plain_rows:
            ratio = achieved / statistics.median(r[unit] for r in plain_rows)
            against = f"{ratio:.2f}x"
        print(f"{spec:66} {achieved:9.1f} {roof:7.1f} {share:6.0%} {least:6.0%}"
              f" {against:>6}", flush=True)
    print("achieved and roof in GB/s (GFLOP/s for the square gemm); plain: the "
          "default schedule's speed over its own without prefetch and "
          "non-temporal stores")


if __name__ == "__main__":
    main()
