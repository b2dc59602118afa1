# Checks the Python front of the calculator: the same output as labgen-run
# model, help without a compiler, one line for what is missing, a quick start.
# Usage: calculator.py ROOT LABGEN_RUN, in an empty folder.
import os
import pathlib
import subprocess
import sys
import time

import cases

root, tool = sys.argv[1:]
front = os.path.join(root, "tools", "model_calculator.py")
shape = "--layers 32 --hidden 4096 --heads 32 --kv-heads 8 --ffn 14336 --gated yes --vocab 128256".split()
here = pathlib.Path.cwd()
cache = {**os.environ, "XDG_CACHE_HOME": str(here / "cache")}


def run(arguments, command=(sys.executable, front), **environment):
    env = {**cache, **environment}
    env = {key: value for key, value in env.items() if value is not None}
    return subprocess.run([*command, *arguments], capture_output=True, text=True, env=env)


def check(what, good, *details):
    cases.case(what, not good and f"{details}")


def folder(name, programs):
    """A PATH with nothing but links to these programs."""
    (here / name).mkdir()
    for link, target in programs.items():
        os.symlink(target, here / name / link)
    return str(here / name)


def which(name):
    return subprocess.run(["/bin/sh", "-c", f"command -v {name}"], capture_output=True, text=True).stdout.strip()


# Before anything is built: help, and what is missing.
empty = folder("empty", {})
helped = run(["--help"], PATH=empty, CXX=None)
theirs = run(["model", "--help"], (tool,)).stdout
ours = helped.stdout.replace("python tools/model_calculator.py", "labgen-run model")
check("help", helped.returncode == 0 and ours == theirs, ours, theirs)
none = run(shape, PATH=empty, CXX=None)
check("no compiler", (none.returncode, none.stdout) == (2, ""), none)
check("no compiler", none.stderr.startswith("error: no C++17 compiler") and "apt-get install g++" in none.stderr, none)
wrong = run(shape, CXX="no-such-compiler")
check("$CXX", wrong.returncode == 2 and "$CXX is 'no-such-compiler'" in wrong.stderr, wrong)
bare = here / "bare-c++"
bare.write_text(f'#!/bin/sh\nexec {which("c++")} -nostdinc++ -nostdinc "$@"\n')
bare.chmod(0o755)
old = run(shape, CXX=str(bare))
check("old compiler", old.returncode == 2 and old.stderr.count("\n") == 1 and "C++17" in old.stderr, old)
check("nothing kept", not list(here.glob("cache/**/calculator-*")))

# Built once, then quick and the same.
first = run(shape)
check("first", first.returncode == 0 and "building the model calculator" in first.stderr, first.stderr)
for arguments in (shape, [*shape, "--json"], [*shape, "--chip", "L4", "--kv-dtype", "fp8", "--tp", "4"]):
    again, direct = run(arguments), run(["model", *arguments], (tool,))
    check("same output", (again.returncode, again.stdout, again.stderr) == (0, direct.stdout, ""), again.stderr)
for bad in ([*shape, "--context", "0"], [*shape, "--chip", "B20"], ["--layer", "3"], ["nothere.json"]):
    again, direct = run(bad), run(["model", *bad], (tool,))
    check("same refusal", (again.returncode, again.stderr) == (1, direct.stderr), again, direct)


def quickest(command):
    best = 1e9
    for _ in range(15):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, env=cache)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


python, front_ms, tool_ms = (
    quickest([sys.executable, "-c", "pass"]),
    quickest([sys.executable, front, *shape]),
    quickest([tool, "model", *shape]),
)
check("the front's start", front_ms - python - tool_ms < 50, python, front_ms, tool_ms)
check("the tool's answer", tool_ms < 50, tool_ms)
linked = subprocess.run(["ldd", *here.glob("cache/labgen/calculator/calculator-*")], capture_output=True, text=True)
check("no LLVM", linked.returncode == 0 and "LLVM" not in linked.stdout and "MLIR" not in linked.stdout, linked)
cases.done()
