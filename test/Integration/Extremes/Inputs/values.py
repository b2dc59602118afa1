"""Values at the ends of a format, and groups of values whose scale, zero point
or codes are decided there."""
import functools
import math
from fractions import Fraction

from exact import FORMATS, INF, NAN, floor_log2, power

F64_MOST = FORMATS["f64"].largest


def near(name, value, steps=0):
    """The value of a format `steps` places beside a number, saturated."""
    f = FORMATS[name]
    result = rounded(f, value)
    if not steps or f.kind != "float":
        return result
    middle = Fraction(result)
    e = max(floor_log2(abs(middle)), f.least) if middle else f.least
    return rounded(f, middle + steps * power(e - f.mantissa))


def rounded(f, value):
    if isinstance(value, Fraction) and f.kind == "float":
        return f.round(value, overflow="saturate") if value else 0.0
    return f.cast(float(min(max(value, -F64_MOST), F64_MOST)), overflow="saturate")


@functools.cache
def ends(name):
    """Of a format: zeros, subnormals, the smallest normal, the largest, twice
    which overflows or not, powers of two and their neighbours, Inf and NaN."""
    f = FORMATS[name]
    if f.kind == "integer":
        points = (f.low, f.low + 1, -1, 0, 1, 2, f.largest // 2, f.largest - 1, f.largest)
        return [float(v) for v in points if v >= f.low]
    if f.kind == "scale":
        return [float(power(e)) for e in (-127, -126, -24, -1, 0, 1, 16, 126, 127)] + [NAN]
    points = [f.smallest, 2 * f.smallest, 3 * f.smallest, f.tiny - f.smallest, f.tiny, Fraction(1),
              Fraction(3, 2), f.largest, f.largest / 2, f.largest * Fraction(7, 8)]
    points += [power(e) for e in range(floor_log2(f.smallest), floor_log2(f.largest), 9)]
    values = {near(name, point, step) for point in points for step in (-1, 0, 1)}
    values = sorted(values | {-v for v in values})
    specials = [NAN] * f.has_nan + [INF, -INF] * f.has_inf + [0.0] + [-0.0] * f.has_negative_zero
    return [v for v in values if v != 0] + specials


def decisions(rng, source, target, count):
    """Where a cast decides: some of the target's ends and of the middles beside
    them, in the source's format, or neighbours of these."""
    points = decisive_points(target)
    chosen = [points[i] for i in rng.permutation(len(points))[:count]]
    if FORMATS[source].kind == "integer":
        return [near(source, p) for p in chosen]
    return [near(source, p * int(sign), int(step))
            for p, sign, step in zip(chosen, rng.choice([1, -1], count), rng.integers(-1, 2, count))]


@functools.cache
def decisive_points(target):
    t, points = FORMATS[target], []
    for v in ends(target):
        if math.isinf(v) or v != v:
            continue
        place = Fraction(1)
        if t.kind == "float":
            place = power(max(floor_log2(abs(Fraction(v))) if v else t.least, t.least) - t.mantissa)
        if t.kind == "scale":
            place = Fraction(v)
        points += [Fraction(v) + place * part for part in (0, Fraction(1, 2), 1, Fraction(1, 4))]
    return points + [2 * t.largest, 3 * t.largest, t.smallest / 4]


def amaxes(rules, source):
    """Largest magnitudes for which something in a quantizer underflows,
    overflows or is subnormal: the scale in f32 or in its type, its reciprocal,
    the distance of two of them."""
    f, steps, scale = FORMATS[source], Fraction(rules.steps()), FORMATS[rules.scale]
    points = [f.smallest, f.tiny - f.smallest, f.tiny, Fraction(1), Fraction(3, 2), f.largest / 2,
              f.largest * Fraction(7, 8), f.largest]
    for e in (-150, -149, -148, -129, -128, -127, -126, -125, -101, -100, -99, -64, 64, 99, 100, 101):
        points.append(steps * power(e))
    points += [steps * s for s in (scale.smallest / 2, scale.smallest, scale.tiny, scale.largest,
                                   scale.largest * Fraction(17, 16))]
    if scale.kind == "float":  # half a place above the largest
        half = power(floor_log2(scale.largest) - scale.mantissa - 1)
        points.append(steps * (scale.largest + half))
    values = {near(source, p, step) for p in points for step in (-1, 0, 1)}
    return sorted(v for v in values if v > 0)


def member(rng, f, source, amax, step):
    """One of a group's values, at most amax: ties of codes among them."""
    choice = rng.integers(8)
    if choice < 4:
        steps = rng.integers(-8, 9) + 0.5 if choice < 3 else rng.integers(-255, 256)
        return near(source, step * float(steps), int(rng.integers(-1, 2)))
    if choice == 4:
        return [0.0, -0.0, float(f.smallest), amax, -amax][rng.integers(5)]
    return near(source, amax * float(rng.uniform(-1, 1)))


def group(rng, rules, source, n, amax):
    """n values of largest magnitude amax; some of one sign, or of two ends."""
    f, step = FORMATS[source], rules.step(amax)
    values = [member(rng, f, source, amax, step) for _ in range(n)]
    values = [min(max(v, -amax), amax) for v in values]
    values[int(rng.integers(n))] = amax if rng.random() < 0.5 else -amax
    form = rng.integers(6)
    if form == 0 and n > 1:
        values[0], values[-1] = amax, -amax
    elif form == 1:
        values = [abs(v) for v in values]
    elif form == 2:
        values = [-abs(v) for v in values]
    return values


def special_groups(rng, rules, source, n):
    """Zeros of both signs, NaN, Inf, all of them."""
    yield [0.0] * n
    yield [-0.0] * n
    for some in ([NAN], [INF], [-INF], [INF, NAN]):
        values = group(rng, rules, source, n, near(source, rng.uniform(0.5, 2)))
        for v in some:
            values[int(rng.integers(n))] = v
        yield values
