# Runs the numerics labs and compares what they say.
#
# Usage: labs.py GOLDEN [--record] compares the printed text of the labs whose
# every figure is exact, the figures of the drills, and both with the emulated
# GPUs. labs.py --all compares every lab on every device.
import json
import pathlib
import subprocess
import sys

import cases

DEVICES = [[], ["--target", "nvvm:sm_90a", "--device", "emu"], ["--target", "rocdl:gfx942", "--device", "emu"]]
EXACT = ["formats", "exp-overflow", "vanishing-update", "dot", "sum-orders"]
BOUNDED = ["mixed-precision", "group-sweep"]
PUBLISHED = ["exp-overflow", "vanishing-update"]
faults = []


def report(name):
    """What was found since the last report is of this case."""
    cases.case(name, "\n".join(faults))
    faults.clear()


def labgen(*words):
    run = subprocess.run(["labgen", "lab", *words, "--no-time"], capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        faults.append(f"{words}: exit {run.returncode} {run.stderr} {run.stdout[-500:]}")
    return run.stdout


def fixed(lab, cells):
    """The figures of a line that every device has to give. Products are held to
    a bound, not to bits: what is left of them is the rounding of the inputs."""
    loose = {"time"}
    if lab == "mixed-precision":
        loose.add("error of arithmetic")
        if cells["error in all"] == cells["error of arithmetic"]:
            loose.add("error in all")
    return {key: value for key, value in cells.items() if key not in loose}


def figures(name, device):
    """The tables of a lab (all of them by name): {lab: [lines of each table]}."""
    found = {}
    for line in labgen(name, *device, "--json").splitlines():
        lab = json.loads(line)
        if not lab["passed"] or not lab["notice"] or not lab["checks"]:
            faults.append(f"{lab['lab']} on {lab['target']}: {lab['checks']} {lab['notice']}")
        if bool(device) != (lab["device"] == "emu"):
            faults.append(f"{lab['lab']} ran on {lab['device']}, not as {device} asks")
        found[lab["lab"]] = [
            [fixed(lab["lab"], cells) for cells in table["lines"]] for table in lab["tables"]
        ]
    return found


def expect_published(found, device):
    """Results that follow from the formats alone."""
    exp = {line["format"]: (line["last x"], line["exp(x)"], line["next x"], line["exp(x) "]) for line in found["exp-overflow"][0]}
    want = {
        "f16": (11.0859375, 65248, 11.09375, "inf"),
        "f8E4M3FN": (6, 416, 6.5, "nan"),
        "f8E5M2": (10, 20480, 12, "inf"),
    }
    for name, line in want.items():
        if exp[name] != line:
            faults.append(f"{device}: exp in {name} ends {exp[name]}, not {line}")
    last, value, following, beyond = exp["bf16"]
    if (last, f"{value:.4e}", following, beyond) != (88.5, "2.7249e+38", 89, "inf"):
        faults.append(f"{device}: exp in bf16 ends {exp['bf16']}")
    steps, counts = found["vanishing-update"][:2]
    for line in steps:
        p = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[line["format"]]
        if (line["step"], line["w + step - 1"], line["w + it - 1"]) != (2.0**-p, 0, 2.0 ** (1 - p)):
            faults.append(f"{device}: {line}")
    stalls = {line["format"]: line["stalls at"] for line in counts}
    if stalls != {"f16": 2048, "bf16": 256, "f32": 2**24, "f64": 2**53}:
        faults.append(f"{device}: sums of ones stall at {stalls}")


def compare():
    """Every lab, on a CPU and on emulated GPUs."""
    on_cpu = figures("all", DEVICES[0])
    report("every lab")
    for device in DEVICES[1:]:
        found = figures("all", device)
        if found.keys() != on_cpu.keys():
            faults.append(f"{found.keys()} are not the labs {on_cpu.keys()}")
        report(f"every lab {device}")
        for lab, tables in found.items():
            for got, want in zip(sum(tables, []), sum(on_cpu.get(lab, []), []), strict=True):
                if got != want:
                    faults.append(f"{got} is not the CPU's {want}")
            report(f"{lab} {device} and the CPU")


def main():
    if sys.argv[1] == "--all":
        compare()
    else:
        golden = pathlib.Path(sys.argv[1])
        text = "".join(labgen(name) for name in EXACT)
        if "--record" in sys.argv:
            golden.write_text(text)
        elif text != golden.read_text():
            faults.append(f"{golden.name} is not what is printed:\n{text}")
        report(golden.name)
        for name in BOUNDED:
            figures(name, DEVICES[0])
            report(name)
        for device in DEVICES:
            found = {}
            for name in PUBLISHED:
                found |= figures(name, device)
            expect_published(found, device)
            report(f"published figures {device}")
    cases.done()


main()
