#!/usr/bin/env python3
"""What a cast kernel costs to make: compile time and machine code of each pair.

Compiles `cast:n=1000003` between all formats of the table, a process each, and
prints the pairs that are beyond the bars (150 ms, 16 KiB), then the largest and
the slowest. Times are of the whole command, medians of the rounds.

    bench/cast_code.py build/bin/labgen [--rounds 3] [--target cpu:native] [--rules ,round=zero]
"""

import argparse
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_MS, MOST_BYTES = 150, 16 << 10


def formats(labgen):
    """Names in the first column of `labgen formats`, under its rule."""
    lines = subprocess.run([labgen, "formats"], capture_output=True, text=True, check=True).stdout.splitlines()
    rule = next(i for i, line in enumerate(lines) if line.startswith("---"))
    names = []
    for line in lines[rule + 1:]:
        if not line.strip():
            break
        names.append(line.split()[0])
    return names


def code_bytes(path):
    """Bytes of the executable sections of an ELF file."""
    data = Path(path).read_bytes()
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    total = 0
    for i in range(count):
        flags, _, _, length = struct.unpack_from("<QQQQ", data, table + i * size + 8)
        total += length if flags & 4 else 0  # SHF_EXECINSTR
    return total


def compile_once(labgen, spec, target):
    """Milliseconds, and bytes of code."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = subprocess.run([labgen, "compile", spec, "--target", target, "-o", f"{folder}/kernel"],
                              capture_output=True, text=True)
        took = 1000 * (time.perf_counter() - begin)
        if done.returncode:
            sys.exit(f"{spec}: {done.stderr.strip()}")
        return took, code_bytes(next(Path(folder).glob("kernel/**/*.so")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labgen")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--target", default="cpu:native")
    parser.add_argument("--rules", default="", help="what follows the formats in a spec")
    options = parser.parse_args()
    rows = []
    names = formats(options.labgen)
    for source in names:
        for target in names:
            spec = f"cast:n=1000003,in={source},out={target}{options.rules}"
            runs = [compile_once(options.labgen, spec, options.target) for _ in range(options.rounds)]
            rows.append((statistics.median(ms for ms, _ in runs), runs[0][1], spec))
    for ms, size, spec in rows:
        if ms > MOST_MS or size > MOST_BYTES:
            print(f"beyond the bars: {spec:45} {ms:7.0f} ms {size:7} bytes")
    ms, size, spec = max(rows)
    print(f"slowest of {len(rows)}: {spec} {ms:.0f} ms (median {statistics.median(r[0] for r in rows):.0f} ms)")
    ms, size, spec = max(rows, key=lambda r: r[1])
    print(f"largest: {spec} {size} bytes (median {statistics.median(r[1] for r in rows):.0f})")


if __name__ == "__main__":
    main()
