# Kills and interrupts a matrix and checks what is left, in an empty folder.
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import cases

COUNT = 12
SPECS = [f"axpy:n={n},type=f32" for n in range(1000, 1000 + COUNT)]
COMMAND = ["labgen", "matrix", "list", "--no-time", "-o", "m"]
ROWS = pathlib.Path("m/rows.jsonl")


def fail(text):
    sys.exit(f"{text}\nrows.jsonl: {ROWS.read_text() if ROWS.exists() else None!r}")


def start():
    return subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop_after(rows, number):
    """Sends `number` once that many rows are there; what the process says."""
    process = start()
    while process.poll() is None:
        if ROWS.exists() and ROWS.read_bytes().count(b"\n") >= rows:
            break
        time.sleep(0.001)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def specs():
    return [json.loads(line)["spec"] for line in ROWS.read_text().splitlines()]


def run():
    return subprocess.run(COMMAND, capture_output=True, text=True, timeout=120)


pathlib.Path("list").write_text("\n".join(SPECS))

# Killed: at most the row being written is lost, and its line is dropped.
with cases.steps("a matrix that is killed"):
    stop_after(2, signal.SIGKILL)
    before = ROWS.read_text()
    if not before.startswith("{") or before.count("\n") < 2:
        fail("no rows after the kill")
    with ROWS.open("a") as log:
        log.write('{"spec": "axpy:n=10')

# Interrupted: exit 130 and the line that goes on, or done before the signal.
with cases.steps("an interrupt"):
    code, out, err = stop_after(before.count("\n") + 1, signal.SIGINT)
    if code == 130:
        if err != "note: interrupted; this goes on from here: labgen matrix list --no-time -o m\n":
            fail(f"stderr {err!r}")
        if out or not 2 <= len(specs()) < COUNT:
            fail(f"stdout {out!r}")
        json.loads(pathlib.Path("m/manifest.json").read_text())
    elif code != 0:
        fail(f"exit {code}: {err}")

with cases.steps("what goes on"):
    done = run()
    if done.returncode != 0 or done.stderr:
        fail(f"exit {done.returncode}: {done.stderr}")
    if not ROWS.read_text().startswith(before) or specs() != SPECS:
        fail("rows are not those of the list, once each")
    if f"{COUNT} rows: {COUNT} ok" not in done.stdout:
        fail(done.stdout)
    for name in ("report.txt", "report.csv", "report.json", "manifest.json"):
        if not pathlib.Path("m", name).stat().st_size:
            fail(f"{name} is empty")

# Nothing left to do: the same report, and no row twice.
with cases.steps("nothing left to do"):
    if run().returncode != 0 or specs() != SPECS:
        fail("running a finished matrix changed it")

# Another matrix in the folder is refused and leaves it as it was.
with cases.steps("another matrix"):
    pathlib.Path("list").write_text(SPECS[0])
    other = run()
    if other.returncode != 1 or not other.stderr.startswith("error: m holds another matrix ("):
        fail(f"exit {other.returncode}: {other.stderr}")
    if specs() != SPECS or other.stdout:
        fail("another matrix wrote into the folder")

# SIGTERM at any time: the process is ended by it, or ends in order with 143; a
# folder it leaves can be gone on with.
with cases.steps("SIGTERM"):
    pathlib.Path("list").write_text("\n".join(SPECS))
    COMMAND[-1] = "t"
    for delay in (0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4):
        process = start()
        time.sleep(delay)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        if process.returncode not in (143, -signal.SIGTERM, 0):
            sys.exit(f"SIGTERM after {delay} s: exit {process.returncode}: {err}")
        if process.returncode == 143 and "this goes on from here: labgen matrix list" not in err:
            sys.exit(f"SIGTERM after {delay} s: {err}")
    done = run()
    if done.returncode != 0 or f"{COUNT} rows: {COUNT} ok" not in done.stdout:
        sys.exit(f"after SIGTERM: exit {done.returncode}: {done.stderr} {done.stdout}")

def children(pid):
    try:
        return [int(p) for p in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


# A compiler that was killed settles nothing: its cell is compiled again.
with cases.steps("a killed compiler"):
    for attempt in range(20):
        COMMAND[-1] = f"k{attempt}"
        process = start()
        while process.poll() is None and not children(process.pid):
            time.sleep(0.0005)
        for child in children(process.pid)[:1]:
            os.kill(child, signal.SIGKILL)
        out, err = process.communicate(timeout=120)
        if "the compiler crashed (signal 9" in out:
            break
    else:
        sys.exit("no compiler could be killed")
    if process.returncode != 1:
        sys.exit(f"a killed compiler: exit {process.returncode}: {err} {out}")
    again = run()
    if again.returncode != 0 or f"{COUNT} rows: {COUNT} ok" not in again.stdout:
        sys.exit(f"after a killed compiler: exit {again.returncode}: {again.stderr} {again.stdout}")
cases.done()
