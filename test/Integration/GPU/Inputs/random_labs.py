"""Random labs on random chips: odd sizes, formats, groups, data and orders.
Every row must be ok, without findings. The same labs each time.

usage: random_labs.py SEED COUNT
"""
import random
import sys

import chips
import emu

seed, count = map(int, sys.argv[1:])
random.seed(seed)
pick = random.choice

CHIPS = chips.gpu_targets()
FLOATS = ["f32", "f16", "bf16"]
SMALL = "f8E4M3FN f8E5M2 f8E4M3FNUZ f4E2M1FN f6E2M3FN f6E3M2FN".split()
CODES = SMALL + ["i8", "i4"]
GROUPS = [1, 2, 3, 7, 8, 16, 31, 32, 33, 64, 100, 128, "channel", "tensor"]
SHORT = [0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65]
LONG = SHORT + [100, 127, 128, 129, 255, 257, 511, 1000, 1023, 1025]
DISTS = "normal normal ties outliers zeros extremes".split()


def codes():
    """Keys of a code with its scale: code, rest."""
    code, group, scale, zero = pick(CODES), pick(GROUPS), pick(FLOATS), ""
    if code in ("i8", "i4") and random.random() < 0.4:
        code = pick([code, "u" + code[1:]])
        zero = ",zero=" + code
    elif code in SMALL and random.random() < 0.3:
        group, scale = 32, "f8E8M0FNU"
    elif code == "f4E2M1FN" and random.random() < 0.4:
        scale = "f8E4M3FN"
    return code, f"group={group},scale={scale}{zero}"


def quantize():
    code, rest = codes()
    return f"quantize:m={pick(SHORT)},k={pick(LONG)},in={pick(FLOATS)},out={code},{rest}"


def dequantize():
    code, rest = codes()
    return f"dequantize:m={pick(SHORT)},k={pick(LONG)},in={code},out={pick(FLOATS)},{rest}"


def cast():
    types = FLOATS + CODES + ["f64", "u8"]
    return f"cast:n={pick(LONG) * pick([1, 7])},in={pick(types)},out={pick(types)}"


def exp():
    return f"exp:n={pick(LONG)},in={pick(FLOATS + SMALL)},out={pick(FLOATS + SMALL)}"


def axpy():
    return f"axpy:n={pick(LONG) * pick([1, 9])},type={pick(FLOATS + ['f64'])}"


def reduce():
    kind, rest = pick("sum dot max absmax sumsq".split()), ""
    if kind in ("sum", "dot", "sumsq"):
        order = pick("sequential blocked pairwise compensated".split())
        rest = f",order={order}"
        if order in ("blocked", "pairwise") and random.random() < 0.4:
            rest += f",block={pick([2, 3, 64, 100, 128, 1000, 4096])}"
    n = pick(LONG) * pick([1, 1, 20, 100])
    return f"reduce:n={n},type={pick(FLOATS + ['f64'])},kind={kind}{rest}"


def gemm():
    sizes = f"m={pick(SHORT)},n={pick(SHORT)},k={pick(LONG)}"
    more, a = pick(["", "", ",accumulate=yes"]), pick(FLOATS)
    if random.random() < 0.3:  # a few rows, long enough for several loads
        sizes = f"m={pick(range(1, 9))},n={pick(SHORT)},k={pick([512, 1056, 2064, 4100])}"
    if random.random() < 0.4:
        a = pick(FLOATS + ["i8"])
        return f"gemm:{sizes},a={a},b={a}{more}"
    code, rest = codes()
    if code[0] in "iu" and random.random() < 0.4:
        rest += ",compute=i8"
    return f"gemm:{sizes},a={a},b={code},{rest}{more}"


lines = [
    f"{pick([quantize, dequantize, cast, exp, axpy, reduce, gemm, gemm])()} "
    f"--target {pick(CHIPS)} --dist {pick(DISTS)} --order-seed {random.randint(1, 99)}"
    for _ in range(count)
]
emu.run(lines)
