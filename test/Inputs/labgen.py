"""Runs labs from Python: many at once, arrays in and out, faults gathered.

Tests import it as labgen, work in the current folder and end with finish().
Every lab that ran is a case. Nothing here knows what a lab should compute.
"""
import json
import pathlib
import subprocess

import cases
import numpy as np

faults = {}  # of each case, by its name


def right(case):
    """The case, a Lab or words, is one, and nothing is wrong with it so far."""
    return faults.setdefault(str(case), [])


def fault(case, *words):
    right(case).append(" ".join(str(word) for word in words))


def finish():
    """Reports every case and ends the test."""
    for name, found in faults.items():
        cases.case(name, "; ".join(found))
    cases.done()


def run_lines(lines, processes=2):
    """One row per line of arguments of `labgen run`, in the order of lines."""
    processes = max(min(processes, len(lines)), 1)
    running = []
    for i in range(processes):
        pathlib.Path(f"batch{i}.txt").write_text("\n".join(lines[i::processes]) + "\n")
        with open(f"rows{i}.jsonl", "w") as rows:
            command = ["labgen", "run", "--batch", f"batch{i}.txt", "--no-time", "--json"]
            running.append(subprocess.Popen(command, stdout=rows))
    result = [None] * len(lines)
    for i, process in enumerate(running):
        process.wait()
        text = pathlib.Path(f"rows{i}.jsonl").read_text()
        rows = [json.loads(line) for line in text.splitlines()]
        if len(rows) != len(lines[i::processes]):
            fault("labgen run --batch", f"{len(rows)} rows of {len(lines[i::processes])} lines, exit {process.returncode}")
            rows += [{"status": "missing", "reason": None}] * len(lines)
        result[i::processes] = rows[: len(lines[i::processes])]
    return result


class Lab:
    """A spec, its inputs by name, the outputs wanted, and options of run.

    After run(): row, and out[name] for every output of a row that is ok."""

    def __init__(self, spec, inputs=None, outputs=(), options="", note=None):
        self.spec, self.inputs, self.outputs = spec, inputs or {}, outputs
        self.options, self.note = options, note
        self.row, self.out = None, {}

    def __str__(self):
        return " ".join(filter(None, [self.spec, self.options, self.note and f"({self.note})"]))


def run(labs, processes=2):
    """Runs every lab; one that is not ok is a fault. Gives those that are."""
    saved = {}  # one array may be the input of many labs
    lines = []
    for i, lab in enumerate(labs):
        line = f"{lab.spec} {lab.options}"
        for name, array in lab.inputs.items():
            if id(array) not in saved:
                saved[id(array)] = f"in{len(saved)}.npy"
                np.save(saved[id(array)], array)
            line += f" --input {name}={saved[id(array)]}"
        for name in lab.outputs:
            line += f" --output {name}=out{i}-{name}.npy"
        lines.append(line)
    for lab, line, row in zip(labs, lines, run_lines(lines, processes), strict=True):
        lab.row = row
        right(lab)
        if row["status"] != "ok":
            fault(lab, row["status"], row["reason"], line)
    for i, lab in enumerate(labs):
        for name in lab.outputs if lab.row["status"] == "ok" else ():
            path = pathlib.Path(f"out{i}-{name}.npy")
            lab.out[name] = np.load(path)
            path.unlink()
    for path in saved.values():
        pathlib.Path(path).unlink()
    return [lab for lab in labs if lab.row["status"] == "ok"]


def expect_same(lab, name, want):
    """Bit for bit, any NaN as good as another."""
    got = lab.out[name]
    if got.dtype == np.uint16 and want.dtype != np.uint16:
        got = got.view(want.dtype)  # bf16 is written as its bits
    if got.shape != want.shape or got.dtype != want.dtype:
        fault(lab, name, got.dtype, got.shape, "is not", want.dtype, want.shape)
        return
    bits = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[want.dtype.itemsize]
    same = got.view(bits) == want.view(bits)
    if want.dtype.kind not in "iu":
        same |= (got != got) & (want != want)
    if not same.all():
        at = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(~same)))
        here = at if want.ndim else ()
        fault(lab, f"{name}{list(at)} is {got[here]}, not {want[here]};",
              np.count_nonzero(~same), "differ")
