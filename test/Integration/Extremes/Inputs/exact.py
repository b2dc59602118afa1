"""Number formats and arithmetic in exact rationals.

Written from IEEE 754 and the formats' definitions, sharing no code with labgen.
A number is a Python float, which holds every value of every format; what
arithmetic makes of numbers is a Fraction, rounded once.
"""
import math
from fractions import Fraction

import ml_dtypes
import numpy as np

INF, NAN = math.inf, math.nan
HALF = Fraction(1, 2)


def power(e):
    return Fraction(2) ** e


def floor_log2(value):
    """Of a positive fraction."""
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e if value >= power(e) else e - 1


def goes_up(rest, of, odd, mode, random):
    """Whether whole + rest / of (0 <= rest < of) is rounded to whole + 1;
    `random` < 2^32 decides stochastic rounding."""
    if mode == "even":
        return 2 * rest > of or (2 * rest == of and odd)
    if mode == "away":
        return 2 * rest >= of
    return mode == "stochastic" and random < (rest << 32) // of


def round_integer(x, mode="even", random=0):
    """A number to an integer."""
    numerator, denominator = x.as_integer_ratio()
    whole, rest = divmod(abs(numerator), denominator)
    whole += goes_up(rest, denominator, whole % 2 == 1, mode, random)
    return -whole if numerator < 0 else whole


class Float:
    """A binary float format. `special` says what its last codes are: `ieee` (the
    top exponent is Inf and NaN), `fn` (all ones is NaN), `fnuz` (the code of -0
    is NaN), `finite`."""

    kind = "float"

    def __init__(self, dtype, exponent, mantissa, bias, special="ieee"):
        self.dtype, self.mantissa, self.least = dtype, mantissa, 1 - bias
        self.has_inf, self.has_nan = special == "ieee", special != "finite"
        self.has_negative_zero = special != "fnuz"
        self.width = 1 + exponent + mantissa
        top = (1 << exponent) - 1 - bias - self.has_inf
        self.largest = (2 - (2 if special == "fn" else 1) * power(-mantissa)) * power(top)
        self.most = float(self.largest)
        self.tiny, self.smallest = power(self.least), power(self.least - mantissa)
        self.inf_code = ((1 << exponent) - 1) << mantissa
        sign = 1 << (self.width - 1)
        self.nan_code = {"ieee": self.inf_code | 1 << mantissa >> 1, "fn": sign - 1, "fnuz": sign,
                         "finite": None}[special]

    def round(self, value, mode="even", overflow="ieee", random=0):
        """A non-zero fraction."""
        return self.round_ratio(value.numerator, value.denominator, mode, overflow, random)

    def round_ratio(self, numerator, denominator, mode="even", overflow="ieee", random=0):
        """numerator / denominator, not zero and not in lowest terms, as integers.
        Towards zero a finite value never overflows."""
        sign = -1 if (numerator < 0) != (denominator < 0) else 1
        numerator, denominator = abs(numerator), abs(denominator)
        e = numerator.bit_length() - denominator.bit_length()
        if numerator << max(-e, 0) < denominator << max(e, 0):
            e -= 1
        place = max(e, self.least) - self.mantissa
        whole, rest = divmod(numerator << max(-place, 0), denominator << max(place, 0))
        whole += goes_up(rest, denominator << max(place, 0), whole % 2 == 1, mode, random)
        if whole.bit_length() + place > 1024 or math.ldexp(whole, place) > self.most:
            if overflow == "ieee" and mode != "zero" and self.has_nan:
                return self.beyond(sign)
            return math.copysign(self.most, sign)
        return self.signed(math.ldexp(whole, place), sign)

    def signed(self, magnitude, sign):
        return math.copysign(magnitude, sign if magnitude or self.has_negative_zero else 1)

    def beyond(self, sign):
        return math.copysign(INF, sign) if self.has_inf else NAN

    def cast(self, x, mode="even", overflow="ieee", nan="propagate", random=0):
        if math.isnan(x):
            return NAN if self.has_nan and nan != "max" else float(self.largest)
        if math.isinf(x):
            saturates = overflow == "saturate" or not self.has_nan
            return math.copysign(float(self.largest), x) if saturates else self.beyond(x)
        if x == 0:
            return self.signed(0, x)
        return self.round_ratio(*x.as_integer_ratio(), mode, overflow, random)

    def code(self, x):
        """The bits of one of the format's values."""
        sign = (math.copysign(1, x) < 0) << (self.width - 1)
        if math.isnan(x):
            return self.nan_code
        if math.isinf(x):
            return sign | self.inf_code
        magnitude = Fraction(abs(x))
        e = max(floor_log2(magnitude), self.least) if magnitude else self.least
        return sign | ((e - self.least) << self.mantissa) + int(magnitude / power(e - self.mantissa))


class Scale:
    """E8M0: a power of two from 2^-127 to 2^127, or NaN."""

    kind, dtype, width = "scale", ml_dtypes.float8_e8m0fnu, 8
    has_inf, has_nan, largest = False, True, power(127)
    tiny = smallest = power(-127)

    def cast(self, x, mode="even", overflow="ieee", nan="propagate", random=0):
        if math.isnan(x) or math.isinf(x) or x <= 0:
            return NAN
        value = Fraction(x)
        e = floor_log2(value)
        if e < -127:
            return 2.0**-127
        rest = value / power(e) - 1
        e += {"even": rest > HALF or (rest == HALF and (e + 127) % 2 == 1), "away": rest >= HALF,
              "zero": False, "stochastic": random < math.floor(rest * 2**32)}[mode]
        if e > 127:
            return 2.0**127 if overflow == "saturate" or mode == "zero" else NAN
        return float(power(e))

    def code(self, x):
        return 255 if math.isnan(x) else floor_log2(Fraction(x)) + 127


class Integer:
    kind, has_inf, has_nan = "integer", False, False

    def __init__(self, dtype, low, high):
        self.dtype, self.low, self.largest = dtype, low, Fraction(high)
        self.tiny = self.smallest = Fraction(1)

    def cast(self, x, mode="even", overflow="saturate", nan="max", random=0):
        if math.isnan(x):
            return 0.0
        if math.isinf(x):
            return float(self.largest) if x > 0 else float(self.low)
        value = round_integer(x, mode, random)
        return float(min(max(value, self.low), self.largest))

    def code(self, x):
        return int(x)


FORMATS = {
    "f64": Float(np.float64, 11, 52, 1023), "f32": Float(np.float32, 8, 23, 127),
    "tf32": Float(np.float32, 8, 10, 127), "bf16": Float(ml_dtypes.bfloat16, 8, 7, 127),
    "f16": Float(np.float16, 5, 10, 15), "f8E5M2": Float(ml_dtypes.float8_e5m2, 5, 2, 15),
    "f8E4M3FN": Float(ml_dtypes.float8_e4m3fn, 4, 3, 7, "fn"),
    "f8E4M3": Float(ml_dtypes.float8_e4m3, 4, 3, 7),
    "f8E5M2FNUZ": Float(ml_dtypes.float8_e5m2fnuz, 5, 2, 16, "fnuz"),
    "f8E4M3FNUZ": Float(ml_dtypes.float8_e4m3fnuz, 4, 3, 8, "fnuz"),
    "f6E2M3FN": Float(ml_dtypes.float6_e2m3fn, 2, 3, 1, "finite"),
    "f6E3M2FN": Float(ml_dtypes.float6_e3m2fn, 3, 2, 3, "finite"),
    "f4E2M1FN": Float(ml_dtypes.float4_e2m1fn, 2, 1, 1, "finite"),
    "f8E8M0FNU": Scale(), "i32": Integer(np.int32, -(2**31), 2**31 - 1),
    "i8": Integer(np.int8, -128, 127), "i4": Integer(np.int8, -8, 7),
    "u8": Integer(np.uint8, 0, 255), "u4": Integer(np.uint8, 0, 15),
}
SMALL = [name for name, f in FORMATS.items() if f.kind != "integer" and f.width <= 8]


# --- files -------------------------------------------------------------------

def stored(name, values, shape):
    """An array as a file of that format holds it, from a list of its values."""
    f = FORMATS[name]
    if name in SMALL:
        return np.array([f.code(v) for v in values], np.uint8).reshape(shape)
    if name == "bf16":
        return np.array([f.code(v) for v in values], np.uint16).view(f.dtype).reshape(shape)
    return np.array(values, np.float64).astype(f.dtype).reshape(shape)


def in_file(array):
    """bf16 is written as its bits."""
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


# --- arithmetic --------------------------------------------------------------

class Arithmetic:
    """IEEE 754 operations in one format, to nearest even. Where an operand is Inf
    or NaN Python's own are right; so is the sign of its exact zeros."""

    def __init__(self, name):
        self.format = FORMATS[name]

    def exactly(self, numerator, denominator, zero):
        return self.format.round_ratio(numerator, denominator) if numerator else zero

    def add(self, a, b):
        if not (math.isfinite(a) and math.isfinite(b)):
            return a + b
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        return self.exactly(n * e + m * d, d * e, a + b)

    def sub(self, a, b):
        return self.add(a, -b)

    def mul(self, a, b):
        if not (math.isfinite(a) and math.isfinite(b)):
            return a * b
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        return self.exactly(n * m, d * e, math.copysign(0, a) * math.copysign(1, b))

    def div(self, a, b):
        if b == 0:
            return NAN if a == 0 or a != a else math.copysign(INF, a) * math.copysign(1, b)
        if not (math.isfinite(a) and math.isfinite(b)):
            return a / b
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        return self.exactly(n * e, d * m, math.copysign(0, a) * math.copysign(1, b))

    def fma(self, a, b, c):
        if not (math.isfinite(a) and math.isfinite(b)):
            return a * b + c
        if not math.isfinite(c):
            return c
        (n, d), (m, e), (k, f) = a.as_integer_ratio(), b.as_integer_ratio(), c.as_integer_ratio()
        zero = math.copysign(0, a) * math.copysign(1, b) + c if n * m == 0 else 0.0
        return self.exactly(n * m * f + k * d * e, d * e * f, zero)


def philox(seed, counter):
    """First word of Philox4x32-10 (Salmon et al., SC 2011)."""
    low = 2**32 - 1
    c = [counter & low, counter >> 32, 0, 0]
    key = [seed & low, seed >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ key[0], q & low, p >> 32 ^ c[3] ^ key[1], p & low]
        key = [key[0] + 0x9E3779B9 & low, key[1] + 0xBB67AE85 & low]
    return c[0]


# --- against numpy and ml_dtypes, where they are right -----------------------

def check_codes():
    """Every code of a small format and of f16 and bf16 has ml_dtypes' value."""
    for name, f in FORMATS.items():
        if f.kind == "integer" or f.width > 16:
            continue
        codes = np.arange(1 << f.width, dtype=np.uint8 if f.width <= 8 else np.uint16)
        for code, value in zip(codes.tolist(), codes.view(f.dtype).astype(np.float64).tolist()):
            if value != value:
                value, code = NAN, f.nan_code if f.kind == "float" else 255
            assert f.code(value) == code and (value != value or f.cast(value) == value), (name, code)


def check_arithmetic(rng):
    """Sums, products and quotients of any bits are numpy's."""
    for name, bits in (("f32", np.uint32), ("f64", np.uint64), ("f16", np.uint16)):
        most = np.iinfo(bits).max
        a, b = (rng.integers(0, most, 500, bits, endpoint=True).view(FORMATS[name].dtype)
                for _ in range(2))
        b[::3] = a[::3] * b.dtype.type(1.5)
        own = Arithmetic(name)
        for ours, theirs in ((own.add, a + b), (own.mul, a * b), (own.div, a / b)):
            got = np.array([ours(float(x), float(y)) for x, y in zip(a, b)]).astype(a.dtype)
            same = (got.view(bits) == theirs.view(bits)) | ((got != got) & (theirs != theirs))
            assert same.all(), (name, ours.__name__, a[~same][0], b[~same][0])
