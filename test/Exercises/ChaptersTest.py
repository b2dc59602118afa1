# The tables and examples of docs/numerics.md and docs/roofline.md, held against
# formats that others implemented (numpy, ml_dtypes) and against each other.
import pathlib
import re
import unittest

import ml_dtypes
import numpy as np

from calc import evaluate

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMERICS = (ROOT / "docs/numerics.md").read_text()
ROOFLINE = (ROOT / "docs/roofline.md").read_text()
B05 = (ROOT / "exercises/b05/README.md").read_text()
FORMATS = {
    "fp32": np.float32,
    "bf16": ml_dtypes.bfloat16,
    "fp16": np.float16,
    "fp8 E4M3FN (OCP)": ml_dtypes.float8_e4m3fn,
    "fp8 E5M2 (OCP)": ml_dtypes.float8_e5m2,
    "fp8 E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "fp8 E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}


def rows(text):
    """First cell -> the other cells, of every table row of a text."""
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return {cells[0]: cells[1:] for cells in found}


def cast(value, dtype):
    with np.errstate(over="ignore"):
        return float(np.float64(value).astype(dtype))


class Numerics(unittest.TestCase):
    def test_formats(self):
        table = rows(NUMERICS)
        for name, dtype in FORMATS.items():
            with self.subTest(name):
                size, bits, largest, normal, subnormal, roundoff = table[name]
                info = ml_dtypes.finfo(dtype)
                self.assertEqual(int(size), np.dtype(dtype).itemsize)
                self.assertEqual(bits, f"{info.nexp}, {info.nmant}")
                self.assertEqual(float(largest), float(f"{float(info.max):.5g}"))
                self.assertEqual(evaluate(normal), float(info.smallest_normal))
                self.assertEqual(evaluate(subnormal), float(info.smallest_subnormal))
                self.assertEqual(evaluate(roundoff), float(info.eps) / 2)

    def test_tf32(self):
        """A mantissa of fp16 with the exponents of fp32."""
        fp32, fp16, tf32 = (rows(NUMERICS)[name] for name in ("fp32", "fp16", "tf32"))
        self.assertEqual(tf32[1], "8, 10")
        self.assertEqual((tf32[3], tf32[5]), (fp32[3], fp16[5]))
        self.assertEqual(evaluate(tf32[4]), evaluate(tf32[3]) * evaluate("2^-10"))

    def test_bytes_of_two_families(self):
        table = rows(NUMERICS)
        for byte in ("0x38", "0x7E", "0x7F", "0x80"):
            for dtype, said in zip((ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz), table[byte]):
                value = float(np.array([int(byte, 16)], np.uint8).view(dtype)[0])
                self.assertEqual(repr(float(said)), repr(value), byte)  # repr tells -0 and NaN

    def test_conversion_between_families(self):
        """The recipe of section 5, on all 256 bytes."""
        codes = np.arange(256, dtype=np.uint8)
        moved = codes.copy()
        moved[codes == 0x80] = 0x00
        moved[(codes == 0x7F) | (codes == 0xFF)] = 0x80
        before = codes.view(ml_dtypes.float8_e4m3fn).astype(np.float32)
        after = moved.view(ml_dtypes.float8_e4m3fnuz).astype(np.float32) * 2
        np.testing.assert_array_equal(before, after)

    def test_overflow(self):
        self.assertEqual([cast(x, np.float16) for x in (65519.9, 65520)], [65504, np.inf])
        self.assertEqual(cast(464, ml_dtypes.float8_e4m3fn), 448)
        self.assertTrue(np.isnan(cast(464.1, ml_dtypes.float8_e4m3fn)))

    def test_exp(self):
        for dtype, last, result, first in [
            (np.float16, 11.0859375, 65248, 11.09375),
            (ml_dtypes.bfloat16, 88.5, 2.7249e38, 89),
            (ml_dtypes.float8_e4m3fn, 6, 416, 6.5),
            (ml_dtypes.float8_e5m2, 10, 20480, 12),
        ]:
            self.assertEqual(float(np.nextafter(dtype(last), dtype(100))), first)
            self.assertAlmostEqual(cast(np.exp(np.float64(last)), dtype) / result, 1, places=4)
            self.assertFalse(np.isfinite(cast(np.exp(np.float64(first)), dtype)))

    def test_vanishing_updates_and_stalled_sums(self):
        for dtype, step, stall in [
            (ml_dtypes.bfloat16, 2.0**-8, 256),
            (np.float16, 2.0**-11, 2048),
            (np.float32, 2.0**-24, 2**24),
        ]:
            one, u = dtype(1), dtype(step)
            self.assertEqual(one + u, one)
            self.assertGreater(cast(1 + float(np.nextafter(u, one)), dtype), 1)
            self.assertEqual(dtype(stall) + one, dtype(stall))
            self.assertEqual(float(dtype(stall - 1) + one), stall)


class Roofline(unittest.TestCase):
    def test_hardware_and_ridges(self):
        for name in ("MI300X", "H100 SXM"):
            bandwidth, memory, peak, ridge = rows(ROOFLINE)[name]
            number = lambda cell: float(cell.split()[0])
            self.assertEqual(round(number(peak) / number(bandwidth)), int(ridge))
            self.assertEqual([bandwidth, memory, peak, ridge], rows(B05)[name])

    def test_every_formula_of_the_drills_is_derived(self):
        """b05's README lists them; section 2 has to have a heading with each."""
        section = ROOFLINE.split("\n## ")[2]
        self.assertTrue(section.startswith("2. "))
        headings = re.findall(r"^### (.*)$", section, re.M)
        formulas = [line for line in B05.split("## Formulas")[1].split("\n## ")[0].splitlines() if line.startswith("| ")]
        names = [line.split("|")[1].strip() for line in formulas[1:]]
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            self.assertTrue(any(heading.lower().startswith(name.lower()) for heading in headings), name)


if __name__ == "__main__":
    unittest.main()
