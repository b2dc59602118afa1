"""axpy and reductions in all four orders against numpy and libm bit for bit."""
import itertools

import contract
import data
import labgen
import numpy as np

ORDERS = ["sequential", "blocked", "pairwise", "compensated"]
LENGTHS = [1, 2, 127, 128, 129, 300, 1021, 4099, 0, 16500]


def axpy_labs(rng):
    for i, (dtype, n) in enumerate(itertools.product(contract.FLOATS, [1, 7, 33, 509, 9001])):
        kind = data.KINDS[i % len(data.KINDS)]
        x, y = (data.floats(rng, kind, n, contract.FLOATS[dtype]) for _ in range(2))
        alpha = data.floats(rng, "normal", (), contract.FLOATS[dtype])
        lab = labgen.Lab(f"axpy:n={n},type={dtype}", {"alpha": alpha, "x": x, "y": y}, ("y",),
                         note=kind)
        lab.want = contract.axpy(alpha, x, y)
        yield lab


def half_labs(rng):
    """Sums in f16, rounded at every step, in the orders that have a kernel; long
    ones that stall or overflow."""
    for i, (kind, order, turn) in enumerate(itertools.product(("sum", "dot", "sumsq"), ORDERS[:3], range(4))):
        n = LENGTHS[(3 * i + turn) % len(LENGTHS)]
        block = [None, 2, 100, 256][(i + turn) % 4] if order != "sequential" else None
        values = data.KINDS[(i + turn) % len(data.KINDS)]
        x, y = (data.floats(rng, values, n, np.float16) for _ in range(2))
        if turn == 3:
            x, y = np.abs(x), np.abs(y)
        spec = f"reduce:n={n},type=f16,kind={kind},order={order}" + (f",block={block}" if block else "") + ",acc=f16"
        lab = labgen.Lab(spec, {"x": x, "y": y} if kind == "dot" else {"x": x}, ("r",), note=values)
        lab.want = np.array(contract.reduce(x, y if kind == "dot" else None, kind, order, block, np.float16))
        yield lab
    for kind in ("max", "absmax"):
        x = data.floats(rng, "specials", 700, np.float16)[:200]
        lab = labgen.Lab(f"reduce:n=200,type=f16,kind={kind},acc=f16", {"x": x}, ("r",), note=kind)
        lab.want = np.array(contract.reduce(x, None, kind, None, acc=np.float16))
        yield lab


def reduce_labs(rng):
    sums = [(kind, order) for kind in ("sum", "dot", "sumsq") for order in ORDERS]
    cases = itertools.product(contract.FLOATS, [*sums, ("max", None), ("absmax", None)], range(4))
    for i, (dtype, (kind, order), turn) in enumerate(cases):
        n = LENGTHS[(3 * i + turn) % len(LENGTHS)]
        block = [None, 2, 100, 256, 1024][(i + i // 4) % 5] if order else None
        if order == "sequential":
            block = None
        values = data.KINDS[(i + turn) % len(data.KINDS)]
        x, y = (data.floats(rng, values, n, contract.FLOATS[dtype]) for _ in range(2))
        spec = f"reduce:n={n},type={dtype},kind={kind}" + (f",order={order}" if order else "")
        spec += f",block={block}" if block else ""
        inputs = {"x": x, "y": y} if kind == "dot" else {"x": x}
        lab = labgen.Lab(spec, inputs, ("r",), note=values)
        lab.want = np.array(contract.reduce(x, y if kind == "dot" else None, kind, order, block))
        yield lab


def main():
    rng = np.random.default_rng(12)
    labs = [*axpy_labs(rng), *reduce_labs(rng), *half_labs(rng)]
    for lab in labgen.run(labs):
        labgen.expect_same(lab, lab.outputs[0], lab.want)
    labgen.finish()


main()
