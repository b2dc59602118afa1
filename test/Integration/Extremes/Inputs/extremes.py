"""Quantizers, casts, axpy and reductions of values at the ends of their formats,
on CPUs and on the emulated device, against exact rationals.

A row must be ok (labgen's own oracle), and codes, scales, zero points, global
scale, counts, what they dequantize to, casts and reductions must have the bits
of labs.py. Without --all a sample: every base once, rules and targets in turn.
"""
import argparse
import itertools

import exact
import labgen
import labs as contract
import numpy as np
import values

# The oldest and the newest conversions of each vendor.
TARGETS = ["", "--target cpu:x86-64-v3"]
TARGETS += [f"--target {chip} --device emu" for chip in ("nvvm:sm_100a", "rocdl:gfx950")]
MORE = [f"--target {chip} --device emu" for chip in ("nvvm:sm_80", "nvvm:sm_90a", "rocdl:gfx942")]
ROUNDS = ["even", "away", "zero", "stochastic"]
FLOAT_CODES = ["f8E5M2", "f8E4M3FN", "f8E4M3", "f8E5M2FNUZ", "f8E4M3FNUZ", "f6E2M3FN",
               "f6E3M2FN", "f4E2M1FN"]


class Cases:
    """Labs to run, each with what its outputs must be."""

    def __init__(self, everything):
        self.everything, self.labs, self.turn = everything, [], 0

    def add(self, spec, inputs, want, counts=None, note=None):
        """On one target in turn."""
        targets = TARGETS + MORE if self.everything else TARGETS
        self.turn += 1
        lab = labgen.Lab(spec, inputs, tuple(want), targets[self.turn % len(targets)], note)
        lab.want, lab.counts = want, counts
        self.labs.append(lab)

    def check(self):
        for lab in labgen.run(self.labs):
            for name, want in lab.want.items():
                labgen.expect_same(lab, name, want)
            for name, want in (vars(lab.counts) if lab.counts else {}).items():
                if lab.row["counts"][name] != want:
                    labgen.fault(lab, f"counts {name}:",
                                 lab.row["counts"][name], "not", want)
        labgen.finish()


# --- quantize and dequantize -------------------------------------------------

def bases():
    """code, scale type, zero point type, groups that go with them."""
    floats = ["f32", "f16", "bf16"]
    for code, scale in itertools.product(["i8", "i4"], floats):
        yield code, scale, None, [32, 5, 300, "channel", "tensor"]
    for code, scale in itertools.product(["i8", "u8", "i4", "u4"], floats):
        yield code, scale, code, [32, 16, 6, 300, "channel", "tensor"]
    for code, scale in itertools.product(FLOAT_CODES, floats):
        yield code, scale, None, [16, 32, 7, "channel", "tensor"]
    for code in FLOAT_CODES:
        yield code, "f8E8M0FNU", None, [32]
    for code in ("f4E2M1FN", "f8E4M3FN"):
        yield code, "f8E4M3FN", None, [16, "channel", "tensor"]


def rule_sets(code, scale, zero):
    """Every setting of the keys that go with a base, the defaults first."""
    mx, plain = scale == "f8E8M0FNU", code in ("i8", "i4") and not zero
    rules = ["floor", "rceil", "ceil", "even"] if mx else [None]
    divisors = ["stored"] if mx else ["stored", "unrounded"]
    for rule, range_, inverse, divisor, mode in itertools.product(
            rules, [None, "full"] if plain else [None], ["divide", "reciprocal"], divisors, ROUNDS):
        keys = {"rule": rule, "range": range_, "round": mode, "inverse": inverse,
                "divisor": divisor, "seed": 7 if mode == "stochastic" else None}
        yield {key: value for key, value in keys.items() if value is not None}


def matrix(rng, rules, source, group):
    """m, k and data whose groups meet every absmax of interest in turn."""
    amaxes = values.amaxes(rules, source)
    n = {"channel": 33, "tensor": 35}.get(group, group)
    if group == "tensor":
        return 5, 7, values.group(rng, rules, source, n, amaxes[int(rng.integers(len(amaxes)))])
    chosen = [amaxes[i] for i in rng.permutation(len(amaxes))[:24]]
    if n > 100:
        chosen = [chosen[i] for i in rng.permutation(len(chosen))[:6]]
    parts = [values.group(rng, rules, source, n, amax) for amax in chosen]
    parts += list(values.special_groups(rng, rules, source, n))
    parts = [parts[i] for i in rng.permutation(len(parts))]
    if group == "channel":
        return len(parts), n, sum(parts, [])
    # Rows of whole registers of groups, or of half of one and a short last one.
    per_row = 16 if len(parts) >= 16 and rng.random() < 0.5 else 3
    rest = 0 if per_row == 16 else int(rng.integers(n))
    rows = [sum(parts[i:i + per_row], []) for i in range(0, len(parts) - per_row + 1, per_row)]
    rows = [row + row[:rest] for row in rows]
    return len(rows), len(rows[0]), sum(rows, [])


def global_matrix(rng, rules, source, group):
    """The same under a global scale: the tensor's absmax is one of interest, and
    its groups go down to what their relative scales cannot hold."""
    amaxes = values.amaxes(contract.Rules(rules.name, "f32"), source)
    most = amaxes[int(rng.integers(len(amaxes)))]
    if rng.random() < 0.5:  # what makes a global scale 0, subnormal or hardly normal
        tiny = float(rules.code.largest * 448) * 2.0 ** float(rng.integers(-151, -120))
        most = values.near(source, tiny, int(rng.integers(-1, 2))) or most
    n = 16 if group == 16 else 33
    ratios = [1, 1 / 2, 2.0**-8, 1 / 448, 2.0**-9, 2.0**-17, 2.0**-18, 2.0**-19, 2.0**-20, 0]
    parts = [values.group(rng, rules, source, n, values.near(source, most * r)) for r in ratios]
    if group == "tensor":
        return 3, 11, parts[0]
    parts += list(values.special_groups(rng, rules, source, n))[: int(rng.integers(7))]
    if group == "channel":
        return len(parts), n, sum(parts, [])
    return 1, len(parts) * n - 3, sum(parts, [])[:-3]


def add_quantizer(cases, rng, base, group, keys, source, out):
    code, scale, zero, _ = base
    rules = contract.Rules(code, scale, zero, **keys)
    make = global_matrix if scale == "f8E4M3FN" else matrix
    m, k, x = make(rng, rules, source, group)
    codes, scales, zeros, whole, counts = contract.quantize(rules, x, m, k, group)
    shape = contract.groups(m, k, group)[1]
    want = {"q": exact.stored(code, codes, (m, k)), "scale": scale_array(scale, scales, shape)}
    if zero:
        want["zero"] = exact.stored(zero, zeros, shape)
    if whole is not None:
        want["global"] = exact.stored("f32", [whole], (1,))
    types = f",group={group},scale={scale}" + (f",zero={zero}" if zero else "")
    spec = f"quantize:m={m},k={k},in={source},out={code}{types}"
    spec += "".join(f",{key}={value}" for key, value in keys.items())
    cases.add(spec, {"x": exact.in_file(exact.stored(source, x, (m, k)))}, want, counts)
    if cases.turn % 4:
        return
    # And back, from what was wanted.
    y = contract.dequantize(codes, scales, zeros, whole, m, k, group, out)
    inputs = {name: exact.in_file(array) for name, array in want.items()}
    cases.add(f"dequantize:m={m},k={k},in={code},out={out}{types}", inputs,
              {"y": exact.stored(out, y, (m, k))})


def scale_array(scale, scales, shape):
    """A scale of 0 is byte 0 where the type has none."""
    if scale == "f8E8M0FNU":
        codes = [exact.FORMATS[scale].code(v) if v else 0 for v in scales]
        return np.array(codes, np.uint8).reshape(shape)
    return exact.stored(scale, scales, shape)


def quantizers(cases, rng):
    for i, base in enumerate(bases()):
        settings = list(rule_sets(*base[:3]))
        if not cases.everything:  # a division, and now and then a reciprocal
            half = len(settings) // 2
            settings = [settings[i % half], settings[half + i // 2 % half]][: 1 + i % 2]
        for j, keys in enumerate(settings):
            group = base[3][(i + j) % len(base[3])]
            source = ["f32", "f32", "bf16", "f16"][(i + j // 2) % 4]
            out = ["f32", "bf16", "f16"][(i + j) % 3]
            add_quantizer(cases, rng, base, group, keys, source, out)


# --- casts -------------------------------------------------------------------

def casts(cases, rng):
    sources = ["f64", "f32", "i32", "bf16", "f16"] + exact.SMALL + ["tf32", "i8", "u8", "i4", "u4"]
    for i, (source, target) in enumerate(itertools.product(sources, exact.FORMATS)):
        to = exact.FORMATS[target]
        overflows = ["ieee", "saturate"] if to.has_nan else ["saturate"]
        nans = ["propagate"] if to.has_nan else ["max"]
        if to.has_nan and to.kind == "float":
            nans.append("max")
        rules = list(itertools.product(["zero", "even", "away", "stochastic"], overflows, nans))
        if cases.everything:
            rules = [rules[(j + i) % len(rules)] for j in range(0, len(rules), len(rules) // 4)]
        elif i % 2 and i >= 2 * len(exact.FORMATS) or i % 4 and i >= 3 * len(exact.FORMATS):
            continue
        else:
            rules = [rules[0 if i < 19 else i % len(rules)]]
        ends = values.ends(source)
        data = [ends[j] for j in rng.permutation(len(ends))[:100]]
        data += values.decisions(rng, source, target, 300 if cases.everything else 120)
        data += [v for v in ends if v == 0 or not abs(v) < exact.INF]
        for mode, overflow, nan in rules:
            want = contract.cast(data, target, mode, overflow, nan, 5)
            spec = f"cast:n={len(data)},in={source},out={target},round={mode},overflow={overflow}"
            spec += f",nan={nan}" + (",seed=5" if mode == "stochastic" else "")
            cases.add(spec, {"x": exact.in_file(stored(source, data))}, {"y": stored(target, want)})


def stored(name, data):
    return exact.stored(name, data, (len(data),))


# --- axpy ------------------------------------------------------------------

def axpys(cases, rng):
    types = [("f64", "f64"), ("f32", "f32"), ("bf16", "f32"), ("f16", "f32")]
    for name, acc in types:
        ends = values.ends(name)
        count = 40 if cases.everything else 4
        for alpha in [ends[int(i)] for i in rng.integers(len(ends), size=count)]:
            x, y = ([ends[int(i)] for i in rng.integers(len(ends), size=150)] for _ in range(2))
            # Some that cancel but for what rounding the product would lose.
            product = exact.Arithmetic(name)
            y[:50] = [-product.mul(alpha, v) for v in x[:50]]
            want = contract.axpy(alpha, x, y, name, acc)
            inputs = {"alpha": [alpha], "x": x, "y": y}
            inputs = {key: exact.in_file(stored(name, v)) for key, v in inputs.items()}
            cases.add(f"axpy:n={len(x)},type={name}", inputs, {"y": stored(name, want)}, note=alpha)


# --- reductions --------------------------------------------------------------

def terms(rng, kind, name, n):
    """n values of a kind, the unusual ones at places that share an accumulator."""
    f = exact.FORMATS[name]
    big, tiny = float(f.largest), float(f.smallest)
    x = [values.near(name, exact.Fraction(float(v))) for v in rng.normal(0, 1, n)]
    at = [int(i) for i in (0, min(128, n - 1), n // 2, n - 1)]
    some = {"inf": [exact.INF], "negative inf": [-exact.INF], "both": [exact.INF, -exact.INF],
            "nan": [exact.NAN], "twice": [big * 0.875] * 2, "twice negative": [-big] * 2,
            "cancels": [big, big, -big, -big], "inf after overflow": [big, big, -exact.INF]}.get(kind)
    if some:
        for i, v in zip(at, some):
            x[i] = values.near(name, exact.Fraction(v)) if abs(v) < exact.INF else v
    elif kind == "subnormal":
        x = [tiny * int(v) for v in rng.integers(-9, 9, n)]
    elif kind == "negative zeros":
        x = [-0.0] * n
    elif kind == "roots":  # products under- and overflow
        e = [exact.floor_log2(v) // 2 for v in (f.smallest, f.largest)]
        x = [float(s) * 2.0 ** float(e[i % 2] + rng.integers(-2, 3))
             for i, s in enumerate(rng.choice([-1, 1], n))]
    elif kind == "ends":
        finite = [v for v in values.ends(name) if abs(v) < exact.INF]
        x = [finite[int(i)] for i in rng.integers(len(finite), size=n)]
    elif kind == "wide":
        low, high = exact.floor_log2(f.tiny), exact.floor_log2(f.largest)
        x = [values.near(name, exact.Fraction(float(rng.uniform(-1, 1))) * exact.power(int(e)))
             for e in rng.integers(low, high + 1, n)]
    return x


KINDS = ["inf", "negative inf", "both", "nan", "twice", "twice negative", "cancels",
         "inf after overflow", "subnormal", "negative zeros", "roots", "ends", "wide"]
ACCS = [("f32", "f32"), ("f64", "f64"), ("f16", "f32"), ("bf16", "f32"), ("f16", "f16")]


def reductions(cases, rng):
    orders = ["compensated", "blocked", "pairwise", "sequential"]
    ways = list(itertools.product(["sum", "dot", "sumsq"], orders))
    ways += [("max", None), ("absmax", None)]
    every = [cell for cell in itertools.product(ACCS, ways, KINDS)
             if cell[0][1] != "f16" or cell[1][1] != "compensated"]
    if not cases.everything:
        every = [cell for i, cell in enumerate(every)
                 if (i + i // 13) % (5 if cell[1][1] == "compensated" else 13) == 0]
    for i, ((name, acc), (kind, order), data) in enumerate(every):
        n = [1, 2, 5, 129, 130, 300, 7][i % 7]
        block = [None, 2, 100, 256][(i + i // 7) % 4] if order not in (None, "sequential") else None
        x, y = terms(rng, data, name, n), terms(rng, KINDS[-1] if i % 2 else data, name, n)
        want = contract.reduce(x, y if kind == "dot" else None, kind, acc, order, block)
        spec = f"reduce:n={n},type={name},kind={kind}" + (f",order={order}" if order else "")
        spec += (f",block={block}" if block else "") + f",acc={acc}"
        inputs = {"x": exact.in_file(stored(name, x))}
        if kind == "dot":
            inputs["y"] = exact.in_file(stored(name, y))
        cases.add(spec, inputs, {"r": exact.stored(acc, [want], ())}, note=data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every base with every rule on every target")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--only", choices=("quantizers", "casts", "axpys", "reductions"))
    options = parser.parse_args()
    np.seterr(all="ignore")
    exact.check_codes()
    exact.check_arithmetic(np.random.default_rng(options.seed))
    cases = Cases(options.all)
    for part in (quantizers, casts, axpys, reductions):
        if options.only in (None, part.__name__):
            part(cases, np.random.default_rng(options.seed))
    cases.check()


main()
