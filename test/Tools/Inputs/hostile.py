# Gives names with control characters to every tool, in an empty folder.
# Usage: hostile.py MODEL_CALCULATOR
import json
import os
import pathlib
import struct
import subprocess
import sys

import cases

EVIL = "a\nerror: forged\x1b[2J\x7f\u202e\u009b"
SPEC = "axpy:n=4,type=f32"


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, timeout=120, env={**os.environ, **environment})


def unclean(text, lines=None):
    """What is not printable, or not so many lines."""
    bad = [c for c in text.decode(errors="surrogateescape") if c != "\n" and not c.isprintable()]
    if bad or b"\nerror: forged" in text or (lines is not None and text.count(b"\n") != lines):
        return repr(text)
    return ""


def refused(name, *command, code=1, **environment):
    got = run(*command, **environment)
    why = unclean(got.stderr, 1)
    if got.returncode != code or got.stdout or not got.stderr.startswith(b"error: "):
        why = f"exit {got.returncode}, {got.stdout!r}, {got.stderr!r}"
    if len(got.stderr) > 520:
        why = f"{len(got.stderr)} bytes"
    cases.case(name, why)


def npy(name, descr):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (4,), }\n" % descr
    data = text.encode()
    pathlib.Path(name).write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(data)) + data)


# Paths, words of the command line, headers, functions.
refused("set", "labgen", "matrix", EVIL, "-o", "m")
refused("folder", "labgen-run", "bench", EVIL)
refused("report", "labgen-run", "report", EVIL)
refused("config", "labgen-run", "model", EVIL)
refused("command", "labgen", EVIL)
refused("labgen-opt", "labgen-opt", EVIL)
refused("option", "labgen", "run", SPEC, "--" + EVIL)
refused("output", "labgen", "compile", SPEC, "-o", EVIL + "/x", "--stop-after", "lab")
refused("long", "labgen-run", "bench", "/".join(["long" * 20] * 40))
npy("descr.npy", EVIL)
npy(EVIL + ".npy", "<f8")
for file in ("descr.npy", EVIL + ".npy"):
    refused(f"input {file!r}", "labgen", "run", SPEC, "--no-time", "--input", "x=" + file)
escaped = "".join(c if c.isalnum() else "".join(f"\\{b:02X}" for b in c.encode()) for c in EVIL)
pathlib.Path("f.ll").write_text(f'define void @"{escaped}"(ptr %x) {{\n  ret void\n}}\n')
refused("function", "labgen", "run", "f.ll", "--spec", SPEC, "--no-time")
refused("compiler", sys.executable, sys.argv[1], "--layers", "1", code=2, CXX=EVIL, XDG_CACHE_HOME=os.getcwd())

# Rows of a folder that travelled.
pathlib.Path("list").write_text(SPEC)
run("labgen", "matrix", "list", "--no-time", "-o", "m")
log = pathlib.Path("m/rows.jsonl")
row = json.loads(log.read_text())
row.update(spec="no spec " + EVIL, chip=EVIL, status="error", reason=EVIL, findings=[EVIL])
log.write_text(json.dumps(row) + "\n")
shown = run("labgen-run", "report", "m")
reason_shown = b"\\nerror: forged" in shown.stdout
cases.case("report of a folder", unclean(shown.stdout) or not reason_shown and f"the reason is not shown: {shown}")
cases.case("report.txt", unclean(pathlib.Path("m/report.txt").read_bytes()))
# JSON is escaped and exact.
printed = run("labgen-run", "report", "m", "--json").stdout
exact = json.loads(printed)["reason"] == EVIL
cases.case("report --json", unclean(printed, 1) or not exact and repr(printed))
cases.done()
