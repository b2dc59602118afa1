# What the lab group-sweep says of itself and of the drill: the same bytes, errors
# that agree to a quarter, and the drill's very codes and scales from the drill's
# weights. LABGEN names the tool.
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises/b04"))
import quantize_table as given

spec = importlib.util.spec_from_file_location("solution", ROOT / "solutions/b04/03_quantize_error.py")
solution = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solution)

COLUMNS = ["rel err W", "rel err Wx", "rest max err", "rest rms err"]


def labgen(*words):
    done = subprocess.run([os.environ["LABGEN"], *map(str, words)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def published():
    """Name -> figures of the solved table in the drill's README."""
    solved = (ROOT / "exercises/b04/README.md").read_text().split("```text")[2]
    rows = re.findall(r"^(per-\S+(?: g=\d+)?) +([\d. ]+)x$", solved, re.M)
    return {name: [float(figure) for figure in figures.split()] for name, figures in rows}


class GroupSweep(unittest.TestCase):
    def test_bytes_agree_and_errors_to_a_quarter(self):
        lab = json.loads(labgen("lab", "group-sweep", "--no-time", "--json"))
        lines = {line["scheme"]: line for line in lab["tables"][0]["lines"]}
        self.assertEqual(lines.keys(), published().keys())
        digits = 0
        for name, (*errors, stored, ratio) in published().items():
            line = lines[name]
            self.assertEqual(line["bytes"], stored)
            self.assertAlmostEqual(line["vs f32"], ratio, places=2)
            for column, error in zip(COLUMNS, errors, strict=True):
                self.assertLess(abs(line[column] / error - 1), 0.25, f"{name}, {column}")
                digits += f"{line[column]:.3g}" != f"{error:.3g}"
        self.assertGreater(digits, 0)
        said = " ".join(lab["notice"])
        for words in ("exercises/b04", "numpy", "agree to a quarter, not to the digit", "--input x=W.npy"):
            self.assertIn(words, said)
        for text in ("exercises/b04/README.md", "solutions/b04/03_quantize_error.md"):
            self.assertRegex(" ".join((ROOT / text).read_text().split()), "to a quarter, not to the digit|within a quarter .* other digits")

    def test_the_drills_weights_give_the_drills_codes(self):
        W, _ = given.make_data()
        schemes = [("tensor", solution.quantize_per_tensor(W)), ("channel", solution.quantize_per_channel(W))]
        schemes += [(g, solution.quantize_per_group(W, g)) for g in given.GROUPS]
        with tempfile.TemporaryDirectory() as folder:
            q, scale = f"{folder}/q.npy", f"{folder}/scale.npy"
            np.save(f"{folder}/w.npy", W)
            for group, (codes, scales) in schemes:
                labgen("run", f"quantize:m=64,k=256,in=f32,out=i8,group={group},scale=f32", "--no-time", "--json",
                       "--input", f"x={folder}/w.npy", "--output", f"q={q}", "--output", f"scale={scale}")
                np.testing.assert_array_equal(np.load(q), codes, f"group={group}")
                np.testing.assert_array_equal(np.load(scale).view(np.uint32), scales.view(np.uint32), f"group={group}")


if __name__ == "__main__":
    unittest.main()
