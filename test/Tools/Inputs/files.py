# Puts what is no file of labgen's where one should be, in an empty folder.
import os
import pathlib
import shutil
import signal
import subprocess
import time

import cases

SPEC = "axpy:n=100,type=f32"
MATRIX = ["labgen", "matrix", "list", "--no-time", "-o", "m"]


def run(*command, **environment):
    env = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)


def refused(name, got, *parts):
    one_line = got.stderr.startswith("error: ") and got.stderr.count("\n") == 1
    right = got.returncode == 1 and not got.stdout and one_line and all(p in got.stderr for p in parts)
    cases.case(name, not right and f"exit {got.returncode}, {got.stdout!r}, {got.stderr!r}")


def good(name, got):
    cases.case(name, got.returncode and f"exit {got.returncode}, {got.stderr!r}")


def fresh():
    shutil.rmtree("m", ignore_errors=True)
    shutil.copytree("whole", "m")
    return pathlib.Path("m")


def temporaries(folder):
    return list(pathlib.Path(folder).glob(".labgen-tmp-*"))


pathlib.Path("list").write_text(SPEC)
good("matrix", run(*MATRIX))
os.rename("m", "whole")
artifact = next(pathlib.Path("whole/artifacts").glob("*.so")).name

# Pipes are refused at once.
for name in ("manifest.json", "rows.jsonl", f"artifacts/{artifact}"):
    path = fresh() / name
    pathlib.Path("m/rows.jsonl").unlink()
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    refused(f"bench, {name} a pipe", run("labgen-run", "bench", "m", "--no-time"), "regular file")
    refused(f"matrix, {name} a pipe", run(*MATRIX), "regular file")
os.mkfifo("x.npy")
refused("--input", run("labgen", "run", SPEC, "--no-time", "--input", "x=x.npy"), "regular file")
# A list may come through one.
with subprocess.Popen(["cat", "list"], stdout=subprocess.PIPE) as cat:
    listed = run("labgen", "list", f"/proc/{os.getpid()}/fd/{cat.stdout.fileno()}")
    cases.case("list through a pipe", listed.stdout != SPEC + "\n" and listed)

# Links are not followed out of the folder.
outside = pathlib.Path("outside")
for name in ("rows.jsonl", "manifest.json", "report.txt", "report.csv", "report.json"):
    path = fresh() / name
    outside.write_text(path.read_text() if name == "manifest.json" else "somebody's text")
    before = outside.read_text()
    path.unlink()
    path.symlink_to(outside.resolve())
    if name != "manifest.json":  # read, and written only where cells are missing
        refused(f"{name} a link", run(*MATRIX), name)
    kept = outside.read_text() == before and path.is_symlink()
    cases.case(f"the file behind {name}", not kept and "it was changed")
outside.unlink()
for path in ("k.ll", "y.npy"):
    os.symlink("outside", path)
refused("compile", run("labgen", "compile", SPEC, "--stop-after", "llvm", "-o", "k.ll"), "k.ll")
refused("--output", run("labgen", "run", SPEC, "--no-time", "--output", "y=y.npy"), "y.npy")
cases.case("a dangling link", outside.exists() and "it was written through")

# Text that is no row stays; a row without its newline counts.
rows = fresh() / "rows.jsonl"
line = rows.read_text()
for text in ("my notes", '{"mine": 1', line + "my notes"):
    rows.write_text(text)
    refused(f"rows.jsonl with {text[-10:]!r}", run(*MATRIX), "rows.jsonl")
    cases.case(f"rows.jsonl keeps {text[-10:]!r}", rows.read_text() != text and "it is lost")
rows.write_text(line.rstrip("\n"))
good("a row without a newline", run(*MATRIX))
cases.case("the newline is added", rows.read_text() != line and f"rows.jsonl is {rows.read_text()!r}")

# The folder for temporary files.
good("an empty TMPDIR", run("labgen", "run", SPEC, "--no-time", TMPDIR=""))
refused("no TMPDIR", run("labgen", "run", SPEC, "--no-time", TMPDIR="/nowhere"), "/nowhere")
os.mkdir("tmp")
slow = ["labgen", "run", "gemm:m=512,n=512,k=512,a=f32,b=f32", "--no-time"]
with subprocess.Popen(slow, env={**os.environ, "TMPDIR": "tmp"}, stdout=subprocess.DEVNULL) as process:
    while process.poll() is None and not temporaries("tmp"):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
left = temporaries("tmp")
good("after a kill", run("labgen", "run", SPEC, "--no-time", TMPDIR="tmp"))
cases.case("what a killed run left", left and temporaries("tmp") and "it is still there")
cases.done()
