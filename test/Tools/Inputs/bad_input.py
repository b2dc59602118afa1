# Runs command lines that must be refused and compares every byte they say.
#
# Each case in the file given as argument is a command line and the one error
# line it must print ({any} stands for what differs between machines): exit code
# as in front, nothing on stdout, nothing new on disk.
# Usage: bad_input.py CASES [--record], in an empty folder.
import pathlib
import re
import shlex
import struct
import subprocess
import sys

import cases
import numpy as np


def make_files():
    """What the cases read: good and bad .npy files, lists, IR."""
    good = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.save("x.npy", good)
    np.save("f64.npy", good.astype(np.float64))
    np.save("shape.npy", good.reshape(4, 2))
    np.save("fortran.npy", np.asfortranarray(good))
    np.save("bigendian.npy", good.astype(">f4"))
    np.save("code.npy", np.full((2, 4), 8, dtype=np.int8))
    whole = pathlib.Path("x.npy").read_bytes()
    pathlib.Path("truncated.npy").write_bytes(whole[:-1])
    pathlib.Path("longer.npy").write_bytes(whole + b"\0")
    pathlib.Path("header.npy").write_bytes(whole[:9])
    pathlib.Path("text.npy").write_text("1 2 3\n")
    pathlib.Path("empty.npy").write_bytes(b"")
    huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 99999999999999999999)}\n"
    pathlib.Path("huge.npy").write_bytes(
        b"\x93NUMPY\x01\0" + struct.pack("<H", len(huge)) + huge.encode()
    )
    pathlib.Path("folder").mkdir()
    pathlib.Path("specs.txt").write_text("axpy:n=5,type=f32\naxpy:n=x,type=f32\n")
    pathlib.Path("none.txt").write_text("# nothing here\n")
    pathlib.Path("two.txt").write_text("axpy:n=5,type=f32\naxpy:n=6,type=f32\n")
    pathlib.Path("syntax.mlir").write_text("func.func @f(%a: memref<4xf32>) {\n  lab.axpy %a\n}\n")
    pathlib.Path("other.mlir").write_text("func.func @f() {\n  return\n}\n")
    pathlib.Path("syntax.ll").write_text("define void @f(ptr %a {\n  ret void\n}\n")


def commands(path):
    """Pairs of exit code and words, and the wanted line."""
    lines = [l for l in path.read_text().splitlines() if l and not l.startswith("#")]
    for command, error in zip(lines[::2], lines[1::2], strict=True):
        code, _, rest = command.partition(" ")
        yield int(code), rest, error


def files():
    return {p: p.stat().st_mtime_ns for p in pathlib.Path(".").rglob("*")}


def main():
    path = pathlib.Path(sys.argv[1])
    record = "--record" in sys.argv
    make_files()
    before = files()
    for code, command, error in commands(path):
        run = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=120)
        got = (run.returncode, run.stdout, run.stderr)
        wanted = ".*".join(re.escape(part) for part in error.split("{any}")) + "\n"
        if record:
            print(run.returncode, command)
            print(run.stderr.rstrip("\n"))
            continue
        why = ""
        if got[:2] != (code, "") or not re.fullmatch(wanted, run.stderr):
            why = f"\n  want {(code, '', error)}\n  got  {got}"
        if (now := files()) != before:
            why += f"\n  left something behind: {now.keys() - before.keys()}"
            before = now
        cases.case(command, why)
    if not record:
        cases.done()


main()
