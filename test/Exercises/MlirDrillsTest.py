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
