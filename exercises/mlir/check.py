# Says whether a drill of this folder is solved, and if not, what is wrong with
# it. Python alone: `make check-exercise N=3` at the root calls it.
#
# usage: check.py N [--labgen PATH] [--folder DIR]
import argparse
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EMULATED = ["nvvm:sm_90a", "rocdl:gfx942"]


class Drill:
    def __init__(self, name, spec, targets, extra=None):
        self.name, self.spec, self.targets, self.extra = name, spec, targets, extra


# Of drill 2: x and y are read, y is written, 8 floats to a sector. A twentieth
# more is for alpha, which every warp reads, once or in each turn of a loop.
LEAST_SECTORS = {"read": 2 * 65536 / 8, "written": 65536 / 8}
NEAR = 1.05


def schedule_wrong(text, row):
    """What is left to do in drill 2; nothing when it is done."""
    count = row["counters"]
    if "#lab.schedule" not in text:
        return "the op has no schedule; write one, that is the drill"
    if count["emu_threads"] != 1024 or "threads 128" not in row["schedule"]:
        return f"{count['emu_threads']:.0f} threads run, by {row['schedule']}; keep 8 blocks of 128"
    # The threads of a block take the tiles of the level around them in turn; a
    # tile of 0 is all there is.
    levels = [int(size) for size in re.findall(r"\[(\d+)\]", row["schedule"])]
    around, own = [65536, *levels][-2:]
    tiles = -(-around // (own or around))
    turns = -(-tiles // 128)
    if tiles != 128 * turns:
        return (
            f"{around} elements at a time are {tiles} tile{'s' * (tiles != 1)} for 128 threads, which leaves"
            f" {100 * (1 - tiles / (128 * turns)):.0f}% of the threads idle; give every thread as many tiles"
        )
    for way, least in LEAST_SECTORS.items():
        got = count[f"sectors_{way}"]
        if got > NEAR * least:
            return f"{got:.0f} sectors are {way} where {least:.0f} would do; bring neighbouring threads together"


def in_own_lines(finding, drill, text):
    """A finding of the emulated device, with the lines of the drill's file in
    place of the instructions that became of them, its own line first."""
    lines = text.splitlines()
    function = re.search(r"func\.func @(\w+)", text)[1]

    def line(match):
        return f"line {match[1]}, '{lines[int(match[1]) - 1].strip().split(' : ')[0]}'"

    instruction = rf"\b{function}: (?:(?!\b{function}: ).)+? \[{re.escape(drill.name)}:(\d+):\d+\]"
    told = re.sub(instruction, line, finding)
    own = re.fullmatch(r"(.*), at (line \d+, '.*?')( \(\d+ times\))?", told)
    return f"{own[2]}: {own[1]}{own[3] or ''}" if own else told


DRILLS = {
    1: Drill("01_write_a_lab.mlir",
             "quantize:m=16,k=96,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU,rule=rceil", ["cpu:native"]),
    2: Drill("02_change_a_schedule.mlir", "axpy:n=65536,type=f32", EMULATED, schedule_wrong),
    3: Drill("03_scale_index.mlir", "dequantize:m=4,k=192,in=i8,out=f32,group=48,scale=f32", ["cpu:native"]),
    4: Drill("04_missing_barrier.mlir", "dequantize:m=8,k=512,in=i8,out=f32,group=32,scale=f32", EMULATED),
    5: Drill("05_packed_codes.mlir", "dequantize:m=4,k=64,in=i4,out=f32,group=32,scale=f32", ["cpu:native"]),
}


def fail(what):
    sys.exit(f"error: {what}")


def run(labgen, folder, drill, target):
    """The row of the drill's file on a target; ends the program where there is none."""
    command = [labgen, "run", drill.name, "--spec", drill.spec, "--target", target, "--no-time", "--json"]
    if not target.startswith("cpu"):
        command += ["--device", "emu"]
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    except OSError:
        fail(f"there is no {labgen}; make build makes it")
    if not done.stdout:
        fail(done.stderr.strip().removeprefix("error: "))
    return json.loads(done.stdout)


def check(drill, labgen, folder):
    for target in drill.targets:
        row = run(labgen, folder, drill, target)
        text = (folder / drill.name).read_text()
        if row["status"] != "ok":
            # A finding says why, the first wrong element only where.
            what = in_own_lines(row["findings"][0], drill, text) if row["findings"] else row["reason"]
            fail(f"{drill.name} on {target}: {what}; hints.md helps")
        what = drill.extra and drill.extra(text, row)
        if what:
            fail(f"{drill.name} on {target}: {what}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("number", nargs="?", default="")
    parser.add_argument("--labgen", type=pathlib.Path, default=HERE.parents[1] / "build/bin/labgen")
    parser.add_argument("--folder", type=pathlib.Path, default=HERE)
    options = parser.parse_args()
    drill = DRILLS.get(int(options.number)) if options.number.isdecimal() else None
    if drill is None:
        given = f"there is no drill '{options.number}'" if options.number else "no drill was named"
        fail(f"{given}; use make check-exercise N=1 to N={max(DRILLS)}")
    check(drill, options.labgen.resolve(), options.folder)
    print(f"{drill.name}: solved")


main()
