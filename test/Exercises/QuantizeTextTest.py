# The measurements in the explanation of b04's drill 3, made anew: its tables are
# printed from the solution's quantizers and have to be in the text word by word.
import importlib.util
import pathlib
import sys
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "exercises/b04"))
import quantize_table as given

spec = importlib.util.spec_from_file_location("solution", ROOT / "solutions/b04/03_quantize_error.py")
solution = importlib.util.module_from_spec(spec)
spec.loader.exec_module(solution)

rms = lambda a: np.sqrt(np.mean(a**2))


def columns(start):
    """Which columns are outliers when their block begins at `start`."""
    return (np.arange(given.COLUMNS) >= start) & (np.arange(given.COLUMNS) < start + 8)


def weights(start):
    stream = np.random.default_rng(0)
    W = stream.normal(0.0, 0.05, (given.ROWS, given.COLUMNS))
    W[:, columns(start)] = stream.normal(0.0, 4.0, (given.ROWS, 8))
    return W.astype(np.float32)


class Explanation(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "solutions/b04/03_quantize_error.md").read_text()
        self.W, _ = given.make_data()

    def quantize(self, W, block):
        """(codes, errors) with blocks of `block` columns; 0 is the tensor."""
        if block == 0:
            codes, scales = solution.quantize_per_tensor(W)
        elif block == given.COLUMNS:
            codes, scales = solution.quantize_per_channel(W)
        else:
            codes, scales = solution.quantize_per_group(W, block)
        return codes, given.dequantize(codes, scales).astype(np.float64) - W

    def test_victims(self):
        outlier = columns(100)
        for name, block in [("per-tensor", 0), ("per-channel", 256), *((f"g={g}", g) for g in given.GROUPS)]:
            codes, error = self.quantize(self.W, block)
            hit = outlier.reshape(-1, block or 256).any(axis=1).repeat(block or 256)
            victims, clean = hit & ~outlier, ~hit
            relative = np.linalg.norm(error[:, ~outlier]) / np.linalg.norm(self.W[:, ~outlier].astype(np.float64))
            worst_clean = f"{np.abs(error[:, clean]).max():.5f}" if clean.any() else "-"
            row = (
                f"| {name} | {relative:.3f} | {100 * np.mean(codes[:, ~outlier] == 0):.1f}% | {victims.sum()}"
                f" | {rms(error[:, victims]):.4f} | {np.abs(error[:, victims]).max():.4f} | {worst_clean} |\n"
            )
            self.assertIn(row, self.text)

    def test_variants(self):
        for name, start, block in [
            ("g=8, outliers in columns 96..103", 96, 8),
            ("g=8, outliers in columns 104..111", 104, 8),
            ("g=4, outliers in columns 100..107", 100, 4),
            ("per-channel, outlier columns kept apart in fp16", 100, 256),
        ]:
            W = weights(start)
            if block == 256:
                W[:, columns(start)] = 0
            rest = self.quantize(W, block)[1][:, ~columns(start)]
            self.assertIn(f"| {name} | {np.abs(rest).max():.6f} | {rms(rest):.6f} |\n", self.text)

    def test_share_of_outliers(self):
        share = (self.W[:, columns(100)].astype(np.float64) ** 2).sum() / (self.W.astype(np.float64) ** 2).sum()
        self.assertIn(f"(measured: {100 * share:.1f}%)", self.text)

    def test_rounded_scales_change_the_table(self):
        """Why scales stay fp32 though they are billed as fp16."""
        X = given.make_data()[1]
        codes, scales = solution.quantize_per_tensor(self.W)
        rounded = scales.astype(np.float16).astype(np.float32)
        rows = [given.format_row("per-tensor", self.W, X, solution.to_codes(self.W, s), s, 16386) for s in (scales, rounded)]
        self.assertIn(" 0.049083 ", rows[0])
        self.assertIn(" 0.049071 ", rows[1])


if __name__ == "__main__":
    unittest.main()
