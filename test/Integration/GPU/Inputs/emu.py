"""Runs labs on the emulated device and ends the test: every row is a case that
must be ok, without findings, and pass a check of the caller's."""
import json
import pathlib
import subprocess

import cases


def run(lines, fault=lambda row: None):
    """One run per line of arguments of `labgen run`; `fault(row)` says what is
    wrong with a row that is ok, or nothing."""
    pathlib.Path("list").write_text("\n".join(lines))
    rows = subprocess.run(
        ["labgen", "run", "--batch", "list", "--device", "emu", "--no-time", "--json"],
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    for line, row in zip(lines, map(json.loads, rows)):
        right = row["status"] == "ok" and not row["findings"]
        cases.case(line, fault(row) if right else f"{row['status']}: {row['reason']} {row['findings']}")
    for line in lines[len(rows) :]:
        cases.case(line, "no row")
    cases.done()
