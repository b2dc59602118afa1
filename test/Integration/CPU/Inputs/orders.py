"""Sums are what their order says, whatever the threads and the schedule.

Every result must have the bits that numpy gives for the order; so must codes
and scales of a quantizer and the exact product of integers.
"""
import itertools

import contract
import data
import labgen
import numpy as np

THREADS = [1, 2, 3]
# Multiples of what one partial result covers: 1024, and 16 x 128.
CUTS = [None, "block [2048]", "block [6144], kernel<prefetch = 512>", "block [8192], loop [2048]"]
WHOLE = [None, "block [0]", "block [0], loop [0]"]
N = 70001
QUANTIZE_CUTS = [None, "block [1, 64]", "block [5, 0]", "block [1, 128], loop [1, 32]",
                 "block [0, 0]", "block [1, 32], kernel<prefetch = 256>",
                 "block [2, 96], kernel<nontemporal>"]
GEMM_CUTS = [None, 'block [4, 8, 0], kernel<dot>', 'block [0, 0, 0], loop [0, 16, 0], kernel<dot>',
             'block [16, 16, 0], loop [4, 2, 0], kernel<dot>']


def variants(schedules):
    for threads, schedule in itertools.product(THREADS, schedules):
        yield f"--threads {threads}" + (f" --schedule '{schedule}'" if schedule else "")


def reduce_labs(rng):
    for dtype, kind in (("f32", "sum"), ("f64", "dot"), ("bf16", "sumsq")):
        x, y = (data.floats(rng, "normal", N, contract.FLOATS[dtype]) for _ in range(2))
        inputs = {"x": x, "y": y} if kind == "dot" else {"x": x}
        for order, block in (("sequential", None), ("blocked", 1024), ("pairwise", 16),
                             ("compensated", 1024)):
            spec = f"reduce:n={N},type={dtype},kind={kind},order={order}"
            spec += f",block={block}" if block else ""
            want = np.array(contract.reduce(x, inputs.get("y"), kind, order, block))
            # (Trees of runs do not read ahead, and refuse to be told so.)
            cuts = [cut for cut in CUTS if order != "pairwise" or "prefetch" not in (cut or "")]
            for options in variants(cuts if block else WHOLE):
                yield labgen.Lab(spec, inputs, ("r",), options), (want,)


def other_labs(rng):
    x = data.floats(rng, "ties", (37, 301))
    want = contract.quantize(x, "i4", 32, "f16")
    for options in variants(QUANTIZE_CUTS):
        yield labgen.Lab("quantize:m=37,k=301,in=f32,out=i4,group=32,scale=f16", {"x": x},
                         ("q", "scale"), options), want
    a, b = (rng.integers(-128, 128, (rows, 321)).astype(np.int8) for rows in (37, 29))
    product = a.astype(np.int32) @ b.astype(np.int32).T
    for options in variants(GEMM_CUTS):
        yield labgen.Lab("gemm:m=37,n=29,k=321,a=i8,b=i8", {"a": a, "b": b}, ("c",),
                         options), (product,)


def main():
    rng = np.random.default_rng(15)
    cases = [*reduce_labs(rng), *other_labs(rng)]
    done = set(labgen.run([lab for lab, _ in cases]))
    for lab, want in cases:
        for name, array in zip(lab.outputs, want) if lab in done else ():
            labgen.expect_same(lab, name, array)
    labgen.finish()


main()
