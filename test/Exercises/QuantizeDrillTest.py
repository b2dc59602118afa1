# Drill 3 of b04 as a learner meets it: byte for byte before and after it is
# solved, from its own folder and through its Makefile; right answers pass
# however they are written, and every wrong one ends in one line with exit code
# 1 that names the row of the table and the first place.
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

    def test_right_answers_written_differently(self):
        channel = "scales = np.abs(W).max(axis=1, keepdims=True) / np.float32(127)"
        groups = "scales = np.abs(groups).max(axis=2) / np.float32(127)"
        codes = "np.clip(np.rint(W / divisor), -127, 127).astype(np.int8)"
        loops = (
            "scales = np.zeros((64, columns // g), np.float32)\n"
            "    codes = np.zeros(W.shape, np.int8)\n"
            "    for i in range(rows):\n"
            "        for j in range(columns // g):\n"
            "            part = W[i, j * g : (j + 1) * g]\n"
            "            scales[i, j] = max(part.max(), -part.min()) / 127\n"
            "            codes[i, j * g : (j + 1) * g] = [round(w / scales[i, j]) for w in part]\n"
            "    return codes, scales\n"
        )
        for change in [
            (channel, "scales = np.maximum(W.max(1), -W.min(1)).reshape(64, 1) / 127"),
            (channel, "scales = np.linalg.norm(W, np.inf, axis=1, keepdims=True).astype(np.float64) / 127"),
            (channel, "scales = np.float32(1 / 127) * np.sort(np.abs(W), axis=1)[:, -1:]"),
            (groups, "scales = np.abs(groups.astype(np.float64)).max(axis=-1) * (1 / 127)"),
            (groups, loops),
            (codes, "np.clip(np.floor(W / divisor + 0.5), -127, 127).astype(np.int8)"),
            (codes, "(np.sign(W) * np.minimum(127, np.round(np.abs(W) * (1 / divisor)))).astype('int8')"),
            ("codes.size + 2 * scales.size", "codes.nbytes + scales.nbytes // 2"),
            ("codes.size + 2 * scales.size", "float(len(codes.tobytes()) + scales.astype(np.float16).nbytes)"),
        ]:
            with self.subTest(change=change):
                got = self.lay(change)
                self.assertEqual((got.stdout, got.stderr, got.returncode), (SOLVED, "", 0))

    def test_half_solved(self):
        """Places may be filled in any order, and what is open stays open."""
        got = self.lay(("codes.size + 2 * scales.size", "0"))
        self.assertEqual(got.stdout, re.sub(r"\d+ +\d\.\d\dx$", lambda m: f"{0:5d}      nanx", SOLVED, flags=re.M))
        for place in ("groups = W.reshape(rows, columns // g, g)", "return codes.size + 2 * scales.size"):
            got = self.lay((place, "raise NotImplementedError"))
            self.assertEqual((got.stderr, got.returncode), ("", 0))
            self.assertIn(OPEN.splitlines()[-1], got.stdout)

    def test_plausible_tables_are_judged(self):
        """Each prints a table that looks right."""
        channel = "np.abs(W).max(axis=1, keepdims=True) / np.float32(127)"
        groups = "np.abs(groups).max(axis=2) / np.float32(127)"
        for change, words in [
            ((channel, channel.replace("127", "128")), ("per-channel: quantize_per_channel(W)", "gives row 0 the scale")),
            ((channel, channel.replace("127", "127.5")), ("per-channel", "row 0")),
            ((channel, channel + " * 2"), ("per-channel", "row 0")),
            ((channel, "W.max(axis=1, keepdims=True) / np.float32(127)"), ("per-channel", "row ")),
            ((channel, "np.abs(W).max(axis=1, keepdims=True)[::-1] / np.float32(127)"), ("per-channel", "row 0")),
            ((channel, "np.full((64, 1), np.abs(W).max() / 127)"), ("per-channel", "row 0")),
            ((channel, f"({channel}).astype(np.float16)"), ("per-channel", "float16")),
            ((channel, f"({channel}).astype(np.float16).astype(np.float32)"), ("per-channel", "row 0")),
            ((groups, groups.replace("127", "128")), ("per-group g=128: quantize_per_group(W, 128)", "row 0, columns 0..127")),
            ((groups, groups + " if g != 16 else np.abs(groups).max(axis=2) / 128"),
             ("per-group g=16: quantize_per_group(W, 16)", "row 0, columns 0..15")),
            ((groups, "np.tile(np.abs(groups).max(axis=2)[:, :1], columns // g) / 127"), ("per-group g=128", "row 0, columns 128..255")),
            (("rows, columns // g, g)", "rows, g, columns // g).swapaxes(1, 2)"), ("per-group g=128", "row 0")),
            (("np.rint(", "np.trunc("), ("per-tensor: quantize_per_tensor(W)", "row 0, column ", "nearest")),
            (("np.rint(W / divisor)", "np.rint(W / divisor) * (W < 3)"), ("per-tensor", "row ", "the code 0")),
            (("np.rint(W / divisor), -127, 127", "np.rint(W / divisor), -126, 126"), ("per-tensor", "the code 126", "127.00 times")),
            (("np.rint(W / divisor)", "np.rint(-W / divisor)"), ("per-tensor", "row 0, column ")),
            (("codes.size + 2 * scales.size", "codes.size + scales.size"), ("per-tensor: stored_bytes returned 16385",)),
            (("codes.size + 2 * scales.size", "codes.size + scales.nbytes"), ("16388", "1 scales", "float32")),
            (("codes.size + 2 * scales.size", "codes.size + 2 * scales.shape[1] * 64"), ("per-tensor: stored_bytes returned 16512",)),
        ]:
            with self.subTest(change=change):
                self.refused(self.lay(change), *words)

    def test_what_raises(self):
        """One line with the learner's own line, not a stack."""
        self.refused(
            self.lay(("axis=1, keepdims=True", "axis=1")),
            "per-channel: quantize_per_channel(W) raised ValueError", "(64,256) (64,)", NAME, "rint(W / divisor)",
        )
        self.refused(self.lay(("codes.size +", "codes.sise +")), "stored_bytes raised AttributeError", "codes.sise")

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
