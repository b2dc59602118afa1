"""Every op and dtype of the first matrix over the shapes that break kernels.

A row must be ok: right to the contract's own oracle. The cells are a cover of
all pairs of axis values (with --strength 3: all triples), so each dtype,
group, order and distribution meets each size.
"""
import argparse
import itertools
import random

import labgen

SIZES = [0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 251, 509]
# K by the group g: below it, around it, a full group and one short of a second.
TAILS = {
    "g/2": lambda g: g // 2, "g-1": lambda g: g - 1, "g": lambda g: g,
    "g+1": lambda g: g + 1, "2g-1": lambda g: 2 * g - 1,
}
DISTS = ["normal", "uniform", "ones", "zeros", "ties", "outliers", "extremes"]
GROUPS = ["tensor", "channel", 256, 128, 64, 32, 16, 8]


def cover(axes, strength, apart=()):
    """Cells in which every `strength` axes meet in all values.

    Sets of axes with two in `apart` need not meet. Greedy: each cell starts at
    a tuple not met yet and takes, axis by axis, what meets the most."""
    chance = random.Random(1)
    names = list(axes)
    sets = [s for s in itertools.combinations(names, strength) if len(set(s) & set(apart)) < 2]
    open_ = {s: set(itertools.product(*(axes[n] for n in s))) for s in sets}
    for s in sets:
        for start in itertools.product(*(axes[n] for n in s)):
            if start not in open_[s]:
                continue
            cell = dict(zip(s, start))
            rest = [n for n in names if n not in cell]
            chance.shuffle(rest)
            for name in rest:
                ready = [t for t in sets if name in t and all(n in cell or n == name for n in t)]

                def gain(value):
                    trial = {**cell, name: value}
                    met = sum(tuple(trial[n] for n in t) in open_[t] for t in ready)
                    return met, chance.random()

                cell[name] = max(axes[name], key=gain)
            for t in sets:
                open_[t].discard(tuple(cell[n] for n in t))
            yield cell


def extent(k, group):
    """A size, given by itself or by the group."""
    return TAILS[k](group if isinstance(group, int) else 128) if k in TAILS else k


def quantized_labs(strength):
    axes = {
        "k": SIZES + list(TAILS), "m": SIZES, "group": GROUPS, "code": ["i8", "i4"],
        "scale": ["f32", "f16"], "op": ["quantize", "dequantize"], "dist": DISTS,
    }
    for c in cover(axes, strength, apart=("k", "m")):
        k = extent(c["k"], c["group"])
        types = ("f32", c["code"]) if c["op"] == "quantize" else (c["code"], "f32")
        yield (f"{c['op']}:m={c['m']},k={k},in={types[0]},out={types[1]},"
               f"group={c['group']},scale={c['scale']} --dist {c['dist']}")


def axpy_labs(strength):
    axes = {"n": SIZES + [8191, 8193], "type": ["f64", "f32", "bf16", "f16"], "dist": DISTS}
    for c in cover(axes, min(strength, 2), apart=("n", "dist")):
        yield f"axpy:n={c['n']},type={c['type']} --dist {c['dist']}"


def reduce_labs(strength):
    orders = ["sequential", "blocked", "pairwise", "compensated"]
    whats = [f"{kind},order={order}" for kind in ("sum", "dot") for order in orders]
    axes = {
        "n": SIZES + [16383, 16385], "what": whats + ["sumsq", "max", "absmax"],
        "type": ["f64", "f32", "bf16", "f16"], "block": [None, 2, 7, 128], "dist": DISTS,
    }
    apart = ("n", "dist", "block") if strength == 2 else ()
    for c in cover(axes, strength, apart):
        takes_block = "order" in c["what"] and "sequential" not in c["what"]
        block = f",block={c['block']}" if c["block"] and takes_block else ""
        yield f"reduce:n={c['n']},type={c['type']},kind={c['what']}{block} --dist {c['dist']}"


def gemm_labs(strength):
    weights = [f"{{a}},b={b},group={{g}},compute={c}" for b in ("i8", "i4") for c in ("f32", "i8")]
    plain = [f"{t},b={t}" for t in ("f64", "f32", "bf16", "f16", "i8")]
    axes = {
        "types": plain + weights, "group": [128, 64, 32, "channel"], "k": SIZES + list(TAILS),
        "m": SIZES, "n": SIZES, "accumulate": ["no", "yes"], "dist": DISTS,
        "a": ["f32,scale=f32", "bf16,scale=f16", "f16,scale=f16"],
    }
    apart = ("k", "m", "n", "dist") if strength == 2 else ("k", "m", "n")
    for c in cover(axes, strength, apart):
        types = c["types"].format(a=c["a"], g=c["group"])
        yield (f"gemm:m={c['m']},n={c['n']},k={extent(c['k'], c['group'])},a={types},"
               f"accumulate={c['accumulate']} --dist {c['dist']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strength", type=int, default=2, choices=(2, 3))
    strength = parser.parse_args().strength
    lines = [line for labs in (quantized_labs, axpy_labs, reduce_labs, gemm_labs)
             for line in labs(strength)]
    for line, row in zip(lines, labgen.run_lines(lines), strict=True):
        labgen.right(line)
        if row["status"] != "ok":
            labgen.fault(line, row["status"], row["reason"])
    labgen.finish()


main()
