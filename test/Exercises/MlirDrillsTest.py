# The drills of exercises/mlir: each fails as it is given, passes with its
# solution laid over it, and fails again when any changed line of the solution
# is taken back. LABGEN names the tool.
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRILLS = ROOT / "exercises/mlir"
SOLUTIONS = ROOT / "solutions/mlir"
NAMES = sorted(path.name for path in DRILLS.glob("*.mlir"))


def check(number, folder, *more):
    command = [sys.executable, "-B", DRILLS / "check.py", str(number), "--labgen", os.environ["LABGEN"]]
    command += ["--folder", folder, *more]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def code(text):
    """The lines that are no comment."""
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("//")]


def reverted(given, solved):
    """The solution with one changed line as it was given, for each such line."""
    for kind, a0, a1, b0, b1 in difflib.SequenceMatcher(None, given, solved, autojunk=False).get_opcodes():
        for i in range(max(a1 - a0, b1 - b0) if kind != "equal" else 0):
            new = solved[:]
            new[min(b0 + i, b1) : min(b0 + i + 1, b1)] = given[min(a0 + i, a1) : min(a0 + i + 1, a1)]
            yield new


class Drills(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, got):
        self.assertEqual((got.stdout, got.returncode), ("", 1), got.stderr)
        self.assertRegex(got.stderr, r"\Aerror: [^\n]+; [^\n]+\n\Z")

    def lay(self, name, lines):
        (self.folder / name).write_text("\n".join(lines) + "\n")
        return check(int(name[:2]), self.folder)

    def test_names(self):
        self.assertEqual(NAMES, sorted(path.name for path in SOLUTIONS.glob("*.mlir")))
        self.assertEqual([int(name[:2]) for name in NAMES], list(range(1, len(NAMES) + 1)))
        hints, answers = (DRILLS / "hints.md").read_text(), (SOLUTIONS / "README.md").read_text()
        for number in range(1, len(NAMES) + 1):
            self.assertIn(f"\n## Drill {number}\n", hints)
            self.assertIn(f"\n## {number}. ", answers)

    def test_each(self):
        for name in NAMES:
            given, solved = (code((folder / name).read_text()) for folder in (DRILLS, SOLUTIONS))
            with self.subTest(name, state="as given"):
                shutil.copy(DRILLS / name, self.folder)
                self.refused(check(int(name[:2]), self.folder))
            with self.subTest(name, state="solved"):
                shutil.copy(SOLUTIONS / name, self.folder)
                got = check(int(name[:2]), self.folder)
                self.assertEqual((got.stdout, got.stderr, got.returncode), (f"{name}: solved\n", "", 0))
            changes = list(reverted(given, solved))
            self.assertTrue(changes)
            for lines in changes:
                with self.subTest(name, state="reverted", lines=lines):
                    self.refused(self.lay(name, lines))

    def schedule(self, levels):
        text = (DRILLS / "02_change_a_schedule.mlir").read_text()
        given = "block [8192] threads 128, thread [64]"
        self.assertIn(given + ">", text)
        return self.lay("02_change_a_schedule.mlir", text.replace(given + ">", levels + ">").splitlines())

    def test_schedules_that_waste(self):
        """All compute the right numbers; some of every sector or of every block is wasted."""
        for levels, words in [
            ("block [8192] threads 128, loop [4], thread [4]", "1 tile for 128 threads, which leaves 99% of the threads idle"),
            ("block [8192] threads 128, loop [512], thread [512]", "99% of the threads idle"),
            ("block [8192] threads 128, thread [0]", "99% of the threads idle"),
            ("block [8192] threads 128, loop [8], thread [4]", "98% of the threads idle"),
            ("block [8192] threads 128, loop [256], thread [4]", "50% of the threads idle"),
            ("block [8192] threads 128, loop [516], thread [4]", "129 tiles for 128 threads"),  # one has two of them
            ("block [8192] threads 128, loop [1024], thread [8]", "sectors are read where 16384 would do"),
            ("block [8192] threads 128, thread [8]", "sectors are read where 16384 would do"),
            ("block [512] threads 128, thread [4]", "keep 8 blocks of 128"),
            ("block [4096] threads 64, loop [256], thread [4]", "keep 8 blocks of 128"),
        ]:
            with self.subTest(levels):
                got = self.schedule(levels)
                self.refused(got)
                self.assertIn(words, got.stderr)

    def test_schedules_as_good(self):
        for levels in ("loop [256], thread [2]", "loop [128], thread [1]", "thread [4]", "loop [4096], loop [512], thread [4]"):
            with self.subTest(levels):
                got = self.schedule(f"block [8192] threads 128, {levels}")
                self.assertEqual((got.stdout, got.stderr), ("02_change_a_schedule.mlir: solved\n", ""))

    def barriers(self, where):
        """Drill 4 with its barriers at the lines that `where` makes of its code."""
        lines = (DRILLS / "04_missing_barrier.mlir").read_text().splitlines()
        (middle,) = [i for i, line in enumerate(lines) if line.strip() == "gpu.barrier"]
        return self.lay("04_missing_barrier.mlir", where(lines, middle)), lines

    def test_findings_show_the_learners_lines(self):
        """Whichever barrier is missing: the file's own lines, and no LLVM IR."""
        for where, first in [
            (lambda lines, middle: lines, "memref.load %shared"),
            (lambda lines, middle: lines[:middle] + lines[middle + 1 :], "memref.load %shared"),
            (lambda lines, middle: lines[: middle + 1] + lines[middle:], "memref.load %shared"),  # twice in one place
        ]:
            got, _ = self.barriers(where)
            self.refused(got)
            text = (self.folder / "04_missing_barrier.mlir").read_text().splitlines()
            number, source = re.search(r"nvvm:sm_90a: line (\d+), '([^']*)': racecheck", got.stderr).groups()
            self.assertIn(first, source)
            self.assertIn(source, text[int(number) - 1])
            self.assertRegex(got.stderr, r"by thread \(\d+,0,0\) \(line \d+, 'memref.store %fetched, %shared\[%thread\]'\)")
            self.assertNotRegex(got.stderr, "addrspace|align 4|store float")

    def test_cause_before_effects(self):
        """A barrier that not all threads reach lets races happen; it is what is named."""
        inside = lambda at: lambda lines, middle: (
            [line for i, line in enumerate(lines[:at(lines)]) if i != middle] + ["        gpu.barrier"]
            + [line for i, line in enumerate(lines) if i >= at(lines) and i != middle]
        )
        stored = lambda lines: 1 + next(i for i, line in enumerate(lines) if "memref.store %fetched" in line)
        both = lambda lines, middle: lines[: stored(lines)] + ["        gpu.barrier"] + lines[stored(lines) :]
        for where in (inside(stored), both):
            got, _ = self.barriers(where)
            self.refused(got)
            number = re.search(r"nvvm:sm_90a: line (\d+), '[^']*gpu.barrier': synccheck: ", got.stderr)[1]
            text = (self.folder / "04_missing_barrier.mlir").read_text().splitlines()
            self.assertEqual(text[int(number) - 1].strip(), "gpu.barrier")

    def test_other_places_for_the_barrier(self):
        """At the beginning of the loop's body it orders the same."""
        got, _ = self.barriers(lambda lines, middle: [
            part for line in lines for part in (["      gpu.barrier", line] if line.strip() == "scf.if %fetches {" else [line])])
        self.assertEqual((got.stdout, got.stderr), ("04_missing_barrier.mlir: solved\n", ""))

    def test_schedule_left_out(self):
        """The chosen schedule is as good, but writing one is the drill."""
        name = "02_change_a_schedule.mlir"
        text = (SOLUTIONS / name).read_text()
        self.refused(self.lay(name, re.sub(r"\{schedule = .*?>\}", "", text, flags=re.S).splitlines()))

    def test_no_such_drill(self):
        for number in ("0", str(len(NAMES) + 1), "x", "\N{SUPERSCRIPT TWO}", ""):
            got = check(number, DRILLS)
            self.refused(got)
            self.assertIn(f"N=1 to N={len(NAMES)}", got.stderr)

    def test_no_labgen(self):
        got = check(1, DRILLS, "--labgen", "/nonexistent/labgen")
        self.refused(got)
        self.assertIn("make build", got.stderr)


if __name__ == "__main__":
    unittest.main()
