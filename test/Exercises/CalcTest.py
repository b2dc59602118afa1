# Every figure that a chapter or a solution calculates holds to its last printed
# digit, and the evaluator that says so finds wrong figures.
import pathlib
import unittest

from calc import evaluate, fault, lines_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The texts that have figures: each has to have calc lines.
TEXTS = [
    "docs/numerics.md",
    "docs/roofline.md",
    "solutions/b04/01_format_selection.md",
    "solutions/b04/02_loss_scaling.md",
    "solutions/b04/03_quantize_error.md",
    "solutions/b05/01_size_a_model.md",
    "solutions/b05/02_kv_cache_budget.md",
    "solutions/b05/03_regime_diagnosis.md",
]


class Texts(unittest.TestCase):
    def test_figures(self):
        for path in sorted(p for top in ("docs", "exercises", "solutions") for p in (ROOT / top).rglob("*.md")):
            for number, line in lines_of(path.read_text()):
                with self.subTest(f"{path.relative_to(ROOT)}:{number}: {line}"):
                    self.assertIsNone(fault(line))

    def test_every_text_calculates(self):
        for name in TEXTS:
            with self.subTest(name):
                self.assertGreaterEqual(len(list(lines_of((ROOT / name).read_text()))), 10)


class Evaluator(unittest.TestCase):
    def test_values(self):
        for expression, value in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("2^3^2", 512),
            ("-2^2", -4),
            ("2^-2 * 4", 1),
            ("7 / 2 - 0.5", 3),
            ("floor(-0.5)", -1),
            ("log2(2^14)", 14),
            ("sqrt(9) * 1e3", 3000),
        ]:
            self.assertEqual(evaluate(expression), value, expression)

    def test_right_figures(self):
        for line in ["2 / 3 = 0.67", "2 / 3 = 0.667", "1 / 8 = 0.13", "1 / 8 = 0.12", "2^40 = 1.0995e12", "3 - 5 = -2", "2^-3 = 1.25e-1"]:
            self.assertIsNone(fault(line), line)

    def test_wrong_figures(self):
        for line in ["2 / 3 = 0.66", "2 / 3 = 0.668", "2^40 = 1.0996e12", "3 - 5 = 2", "10^12 + 1 = 1000000000002", "5 / 2 = 2.51"]:
            self.assertIn("the value is", fault(line) or "", line)

    def test_what_is_no_calculation(self):
        for line in ["1 + 1", "= 2", "1 = ", "1 + = 2", "1 / 0 = 1", "2 ** 3 = 8", "x = 1", "exp(1) = 2.7", "2^0.5 = 1.41",
                     "2^9999 = 1", "__import__('os') = 1", "True = 1", "1 if 1 else 2 = 1", "floor(1, 2) = 1", "1 = 1 GB"]:  # fmt: skip
            self.assertIsNotNone(fault(line), line)


if __name__ == "__main__":
    unittest.main()
