"""Runs labs on the emulated device and ends the test: every row must be ok,
without findings, and pass a check of the caller's."""
import json
import pathlib
import subprocess
import sys


def run(lines, fault=lambda row: None):
    """One run per line of arguments of `labgen run`; `fault(row)` says what is
    wrong with a row that is ok, or nothing."""
    pathlib.Path("list").write_text("\n".join(lines))
    rows = subprocess.run(
        ["labgen", "run", "--batch", "list", "--device", "emu", "--no-time", "--json"],
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    bad = 0
    for line, row in zip(lines, map(json.loads, rows)):
        why = row["reason"]
        if row["status"] == "ok" and not row["findings"]:
            why = fault(row)
        if why:
            bad += 1
            print(line, row["status"], why)
    print(f"{len(rows)} of {len(lines)} rows, {bad} bad")
    sys.exit(bad > 0 or len(rows) != len(lines))
