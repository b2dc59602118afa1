"""Codes where x / s lies next to a tie: the kernel's quotient against numpy's.

Quantizers divide by multiplying with a reciprocal and correcting. An error of
one unit in the last place would turn codes where the quotient is next to n +
1/2, so each group holds its largest value and seven such x, for scales of many
mantissas (all: each) and exponents down to subnormal and up to overflow.
"""
import argparse

import labgen
import numpy as np

ROW = 1024  # groups in a row of the matrix
# Biased exponents of absmax: subnormal and tiny scales, the edges between the
# kernel's ways to divide, the middle, the largest.
EXPONENTS = [0, 1, 3, 6, 7, 8, 26, 27, 28, 33, 34, 100, 127, 134, 226, 227, 233, 234, 253, 254]


def near_ties(rng, exponent, mantissas):
    """[groups, 8]: absmax of the mantissas, then seven neighbours of ties."""
    most = (np.uint32(exponent << 23) | mantissas).astype(np.uint32).view(np.float32)
    s = most / np.float32(127)
    ties = (rng.integers(-127, 127, (len(most), 7)) + 0.5) * s[:, None].astype(np.float64)
    ties = ties.astype(np.float32)
    away = rng.integers(-2, 3, ties.shape).astype(np.int32)
    stays = (ties.view(np.int32) & 0x7FFFFFFF) <= 2  # no bits below 0's
    ties = (ties.view(np.int32) + np.where(stays, 0, away)).view(np.float32)
    ties = np.clip(ties, -most[:, None], most[:, None])
    return np.concatenate([most[:, None], ties], axis=1), s


def lab_of(rng, exponent, mantissas):
    x, s = near_ties(rng, exponent, mantissas)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(s[:, None] > 0, np.rint(x / s[:, None]), 0)
    shape = (-1, 8 * ROW)
    lab = labgen.Lab(f"quantize:m={len(x) // ROW},k={8 * ROW},in=f32,out=i8,group=8,scale=f32",
                     {"x": x.reshape(shape)}, ("q", "scale"), note=f"exponent {exponent}, from mantissa {mantissas[0]}")
    return lab, np.clip(q, -127, 127).astype(np.int8).reshape(shape), s.reshape(-1, ROW)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every mantissa")
    every = parser.parse_args().all
    rng = np.random.default_rng(16)
    for exponent in EXPONENTS:
        # One mantissa in 64, at a distance that is no power of two.
        steps = [np.arange(i, i + 2**20) for i in range(0, 2**23, 2**20)]
        if not every:
            steps = [np.arange(2**17) * 63 % 2**23 + exponent]
        for mantissas in steps:
            lab, codes, scales = lab_of(rng, exponent, mantissas)
            if labgen.run([lab]):
                labgen.expect_same(lab, "q", codes)
                labgen.expect_same(lab, "scale", scales)
    labgen.finish()


main()
