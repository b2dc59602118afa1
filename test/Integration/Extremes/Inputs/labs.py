"""What the contract says that quantizers, casts and reductions compute, element
by element in exact rationals; its words alone are the source."""
import math
from fractions import Fraction

from exact import FORMATS, INF, NAN, Arithmetic, floor_log2, philox, power, round_integer

F32 = Arithmetic("f32")
STEPS = {"i8": 127, "i4": 7}


class Counts:
    """Groups by what became of them."""

    def __init__(self):
        self.nan = self.inf = self.sat = self.flush = self.zero_groups = 0


class Rules:
    """A quantizer's keys, with the contract's defaults."""

    def __init__(self, code, scale, zero=None, rule="floor", range="narrow", round="even",
                 inverse="divide", divisor="stored", seed=0):
        self.name, self.code, self.scale = code, FORMATS[code], scale
        self.zero, self.rule, self.range, self.mode = zero, rule, range, round
        self.inverse, self.divisor, self.seed = inverse, divisor, seed
        if self.code.kind == "integer":
            self.low, self.high = self.code.low, int(self.code.largest)
            if not zero and range == "narrow":
                self.low = -self.high

    def steps(self):
        """What absmax, or max - min, is divided by."""
        if self.zero:
            return float(self.high - self.low)
        if self.code.kind == "integer":
            return STEPS[self.name] + (0.5 if self.range == "full" else 0)
        return float(self.code.largest)

    def step(self, amax):
        """About what a code's step is worth in a group of one sign."""
        if self.scale == "f8E8M0FNU":
            return float(power(max(exponent_scale(self, amax), -127))) if amax else 0.0
        exact = F32.div(amax, self.steps())
        if self.scale == "f8E4M3FN":  # relative to a global one
            return exact
        return FORMATS[self.scale].cast(exact, overflow="saturate")


def exponent_scale(rules, amax):
    """E8M0: the power of two that the rule gives."""
    value, most = Fraction(amax), rules.code.largest
    top, e = floor_log2(most), floor_log2(value)
    if rules.rule == "ceil":
        e += value > power(e)
    elif rules.rule == "even":
        e = floor_log2(value + power(e - rules.code.mantissa - 1))
    elif rules.rule == "rceil":
        e += value / power(e) > most / power(top)
    return e - top


def unrounded_scale(rules, group):
    """In f32, of a finite group that is not all zero."""
    if not rules.zero:
        return F32.div(max(abs(v) for v in group), rules.steps())
    low, high = min(0.0, *group), max(0.0, *group)
    difference = F32.sub(high, low)
    if not math.isinf(difference):
        return F32.div(difference, rules.steps())
    return F32.div(F32.sub(F32.mul(high, 0.5), F32.mul(low, 0.5)), rules.steps() / 2)


def stored_scale(rules, group, unrounded, whole, counts):
    """The scale in its type; `whole` is the global one, or None."""
    if rules.scale == "f8E8M0FNU":
        e = exponent_scale(rules, max(abs(v) for v in group))
        return float(power(min(max(e, -127), 127)))
    if whole == 0:
        return 0.0
    relative = unrounded if whole is None else F32.div(unrounded, whole)
    to = FORMATS[rules.scale]
    rounded = to.cast(relative)
    counts.sat += math.isinf(rounded) or math.isnan(rounded)
    return to.cast(relative, overflow="saturate")


def quotient(rules, x, divisor):
    inverse = F32.div(1.0, divisor)
    if rules.inverse == "reciprocal" and not math.isinf(inverse):
        return F32.mul(x, inverse)
    return F32.div(x, divisor)


def code_of(rules, x, divisor, zero, flat):
    q = quotient(rules, x, divisor)
    random = philox(rules.seed, flat) if rules.mode == "stochastic" else 0
    if rules.code.kind == "integer":
        return min(max(round_integer(q, rules.mode, random) + zero, rules.low), rules.high)
    return rules.code.cast(q, rules.mode, "saturate", random=random)


def quantize_group(rules, group, flats, whole, counts):
    """Codes (their values), scale and zero point."""
    nothing = rules.low if rules.zero else 0
    if any(v != v for v in group) or any(math.isinf(v) for v in group):
        counts.nan += any(v != v for v in group)
        counts.inf += not any(v != v for v in group)
        return [0.0] * len(group), NAN, 0
    if all(v == 0 for v in group):
        counts.zero_groups += 1
        return [nothing] * len(group), 0.0, nothing
    unrounded = unrounded_scale(rules, group)
    scale = stored_scale(rules, group, unrounded, whole, counts)
    value = scale if whole is None else F32.mul(scale, whole)
    if value == 0:
        counts.flush += 1
        return [nothing] * len(group), scale, nothing
    divisor = value if rules.divisor == "stored" else unrounded
    zero = 0
    if rules.zero:
        point = F32.sub(float(rules.low), F32.div(min(0.0, *group), divisor))
        zero = min(max(round_integer(point), rules.low), rules.high)
    return [code_of(rules, x, divisor, zero, i) for x, i in zip(group, flats)], scale, zero


def groups(m, k, group):
    """Flat indices of each group, and how many there are in a row (or all)."""
    if group == "tensor":
        return [list(range(m * k))], (1, 1)
    along = k if group == "channel" else group
    columns = -(-k // along)
    every = [list(range(r * k + c, r * k + min(k, c + along)))
             for r in range(m) for c in range(0, k, along)]
    return every, (m, columns)


def quantize(rules, x, m, k, group):
    """Codes, scales, zero points, global scale and counts of x, flat lists."""
    every, _ = groups(m, k, group)
    whole, counts = None, Counts()
    if rules.scale == "f8E4M3FN":
        finite = [abs(v) for v in x if not math.isinf(v) and v == v]
        whole = F32.div(max(finite, default=0.0), float(rules.code.largest * 448))
    codes, scales, zeros = [0] * (m * k), [], []
    for flats in every:
        of, scale, zero = quantize_group(rules, [x[i] for i in flats], flats, whole, counts)
        for i, code in zip(flats, of):
            codes[i] = code
        scales.append(scale)
        zeros.append(zero)
    return codes, scales, zeros, whole, counts


def dequantize(codes, scales, zeros, whole, m, k, group, out):
    """(code - zero) * scale in f32, the scale times global first; then one cast."""
    y = [0.0] * (m * k)
    for flats, scale, zero in zip(groups(m, k, group)[0], scales, zeros):
        value = scale if whole is None else F32.mul(scale, whole)
        for i in flats:
            y[i] = FORMATS[out].cast(F32.mul(codes[i] - zero if zero else codes[i], value))
    return y


# --- casts -------------------------------------------------------------------

def cast(x, out, mode, overflow, nan, seed=0):
    to = FORMATS[out]
    return [to.cast(v, mode, overflow, nan, philox(seed, i) if mode == "stochastic" else 0)
            for i, v in enumerate(x)]


def axpy(alpha, x, y, type_, acc):
    """One fused multiply-add an element in `acc`, one cast."""
    a = Arithmetic(acc)
    return [FORMATS[type_].cast(a.fma(alpha, v, w)) for v, w in zip(x, y)]


# --- reductions --------------------------------------------------------------

class Sum:
    """One of the four orders in an accumulator's arithmetic."""

    def __init__(self, acc, order, block):
        self.a, self.order, self.block = Arithmetic(acc), order, block

    def of(self, x, y=None):
        if self.order == "sequential":
            return self.run(x, y)
        while True:
            cut = range(0, len(x), self.block)
            fold = {"blocked": self.blocked, "pairwise": self.run,
                    "compensated": self.compensated}[self.order]
            x = [fold(x[i:i + self.block], y and y[i:i + self.block]) for i in cut]
            y = None
            if self.order == "pairwise":
                return self.neighbours(x)
            if len(x) == 1:
                return x[0]

    def run(self, x, y):
        total = 0.0
        for i, v in enumerate(x):
            total = self.a.fma(v, y[i], total) if y else self.a.add(total, v)
        return total

    def neighbours(self, nodes):
        while len(nodes) > 1:
            odd = nodes[-1:] if len(nodes) % 2 else []
            nodes = [self.a.add(p, q) for p, q in zip(nodes[::2], nodes[1::2])] + odd
        return nodes[0]

    def blocked(self, x, y):
        acc = [self.run(x[i::128], y and y[i::128]) for i in range(128)]
        while len(acc) > 1:
            half = len(acc) // 2
            acc = [self.a.add(p, q) for p, q in zip(acc[:half], acc[half:])]
        return acc[0]

    def kahan(self, pair, x):
        total, correction = pair
        y = self.a.sub(x, correction)
        t = self.a.add(total, y)
        correction = self.a.sub(self.a.sub(t, total), y)
        dropped = math.isinf(correction) or correction != correction
        return t, 0.0 if dropped else correction

    def compensated(self, x, y):
        pairs = []
        for i in range(128):
            pair = 0.0, 0.0
            for j in range(i, len(x), 128):
                pair = self.kahan(pair, self.a.mul(x[j], y[j]) if y else x[j])
            pairs.append(pair)
        total = pairs[0]
        for s, c in pairs[1:]:
            total = self.kahan(self.kahan(total, s), -c)
        return total[0]


def largest(x, absolute):
    """IEEE 754-2019 maximum."""
    if absolute:
        x = [abs(v) for v in x]
    if any(v != v for v in x):
        return NAN
    return max(x, key=lambda v: (v, math.copysign(1, v)), default=0.0 if absolute else -INF)


def reduce(x, y, kind, acc, order=None, block=None):
    if kind in ("max", "absmax"):
        return largest(x, kind == "absmax")
    if not x:
        return 0.0
    block = block or (128 if order == "pairwise" else 16384)
    return Sum(acc, order, block).of(x, x if kind == "sumsq" else y)
