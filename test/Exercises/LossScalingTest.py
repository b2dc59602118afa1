# The landmarks of b04's drill 2, recomputed from the histogram in its text:
# values spread over each bin are cast to fp16 by numpy, unscaled and scaled.
import pathlib
import re
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRILL = (ROOT / "exercises/b04/02_loss_scaling.md").read_text()
SOLUTION = (ROOT / "solutions/b04/02_loss_scaling.md").read_text()
LARGEST = 0.6
SMALLEST_NORMAL = 2.0**-14
POINTS = 1000  # per count of the histogram


def histogram(text):
    """[(log2 lower, log2 upper, count)] of the first table of bins."""
    bins = []
    for low, high, count in re.findall(r"^\| (-\d+) to (-\d+|the largest, 0\.6) \| (\d+) \|", text, re.M):
        upper = np.log2(LARGEST) if "largest" in high else float(high)
        bins.append((float(low), upper, int(count)))
    return bins


def gradients():
    """Midpoints of equal steps in log2, as many as each bin counts, and the largest."""
    parts = [low + (high - low) * (np.arange(n * POINTS) + 0.5) / (n * POINTS) for low, high, n in histogram(DRILL)]
    return np.append(2.0 ** np.concatenate(parts), LARGEST)


def fate(values):
    """Percent that are zero, subnormal and Inf once they are fp16."""
    with np.errstate(over="ignore"):
        half = values.astype(np.float16).astype(np.float64)
    subnormal = (half > 0) & (half < SMALLEST_NORMAL)
    return tuple(100 * np.mean(part) for part in (half == 0, subnormal, np.isinf(half)))


class Landmarks(unittest.TestCase):
    def test_histogram(self):
        bins = histogram(DRILL)
        self.assertEqual(sum(count for _, _, count in bins), 1000)
        self.assertEqual(bins, histogram(SOLUTION))
        for (_, upper, _), (lower, _, _) in zip(bins, bins[1:]):
            self.assertEqual(upper, lower)

    def test_shares_counted(self):
        fates = dict.fromkeys(("zero", "subnormal", "normal"), 0)
        for count, name in re.findall(r"^\| -\d+ to [^|]+\| (\d+) \| (\w+) \|", SOLUTION, re.M):
            fates[name] += int(count)
        self.assertEqual(fates, {"zero": 31, "subnormal": 668, "normal": 301})

    def test_shares_cast(self):
        zero, subnormal, infinite = fate(gradients())
        self.assertEqual((f"{zero:.1f}", f"{subnormal:.1f}", infinite), ("3.1", "66.8", 0))

    def test_scales(self):
        values = gradients()
        self.assertGreater(fate(values * 2.0**7)[0], 0)
        self.assertEqual(fate(values * 2.0**8)[0], 0)
        zero, subnormal, infinite = fate(values * 2.0**16)
        self.assertEqual((zero, f"{subnormal:.1f}", infinite), (0, "0.2", 0))
        self.assertGreater(fate(values * 2.0**17)[2], 0)
        usable = [k for k in range(40) if LARGEST * 2.0**k <= float(np.finfo(np.float16).max)]
        self.assertEqual(max(usable), 16)

    def test_ties(self):
        half = lambda x: float(np.float64(x).astype(np.float16))
        self.assertEqual(half(2.0**-25), 0)
        self.assertEqual(half(np.nextafter(2.0**-25, 1)), 2.0**-24)
        self.assertEqual(half(2.0**-33 * 2.0**8), 0)
        self.assertEqual(half(65519), 65504)

    def test_memory(self):
        sums = []
        for name in ("fp32", "mixed, fp16"):
            row = re.search(rf"^\| {name} \|(.*)\|$", SOLUTION, re.M)[1]
            *parts, total = [cell.strip() for cell in row.split("|")]
            self.assertEqual(sum(int(part) for part in parts if part != "-"), int(total))
            sums.append(int(total))
        self.assertEqual(sums, [16, 16])


if __name__ == "__main__":
    unittest.main()
