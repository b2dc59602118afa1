"""Counts instructions in the hottest loop of an artifact.

usage: hot_loop.py FOLDER INSTRUCTION: of the innermost loops in the artifact
of FOLDER, takes the one with most of INSTRUCTION; prints how many it holds,
each register class it uses, and every access to the stack (a spill).
"""
import pathlib
import re
import subprocess
import sys

folder, wanted = sys.argv[1:]
artifact = next(pathlib.Path(folder).rglob("*.so"))
listing = subprocess.run(
    ["llvm-objdump", "-d", "--no-show-raw-insn", str(artifact)],
    capture_output=True, text=True, check=True,
).stdout

code = []
for line in listing.splitlines():
    match = re.match(r"\s*([0-9a-f]+):\s+(?:\{vex\}\s+)?(\S+)\s*(.*)", line)
    if match:
        code.append((int(match[1], 16), match[2], match[3]))

loops = []
for address, name, operands in code:
    target = re.match(r"0x([0-9a-f]+)", operands) if name.startswith("j") else None
    if target and int(target[1], 16) <= address:
        loops.append((int(target[1], 16), address))
innermost = [
    (start, end) for start, end in loops
    if not any((s, e) != (start, end) and start <= s and e <= end for s, e in loops)
]


def body(loop):
    return [(name, operands) for address, name, operands in code if loop[0] <= address <= loop[1]]


def count(loop):
    return sum(name == wanted for name, _ in body(loop))


hottest = max(innermost, key=count)
print(f"{wanted}: {count(hottest)}")
for kind in ("xmm", "ymm", "zmm"):
    used = {r for _, operands in body(hottest) for r in re.findall(rf"%{kind}\d+", operands)}
    if used:
        print(f"{kind}: {len(used)}")
for name, operands in body(hottest):
    # A spill lies at a fixed place; what is indexed is a local copy of a tile.
    if re.search(r"\(%r[sb]p\)", operands):
        print(f"spill: {name} {operands}")
