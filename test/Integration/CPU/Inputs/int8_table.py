"""The published table of int8 quantization errors, from labgen's own kernels.

A 64 x 256 matrix with eight columns of outliers, quantized in ever smaller
groups, and its product with 32 vectors. Every printed digit must come out.
Arguments are options of labgen run: another target and device.
"""
import sys

import labgen
import numpy as np

TABLE = """\
per-tensor                    0.04044    0.03993     0.049083     0.028496     16386     4.00x
per-channel                   0.02341    0.02228     0.048995     0.016522     16512     3.97x
per-group g=128               0.01654    0.01623     0.048446     0.011509     16640     3.94x
per-group g=64                0.01171    0.01133     0.048446     0.007919     16896     3.88x
per-group g=32                0.00819    0.00836     0.047309     0.005176     17408     3.76x
per-group g=16                0.00565    0.00569     0.042899     0.002966     18432     3.56x
per-group g=8                 0.00472    0.00486     0.042247     0.002510     20480     3.20x
"""


def published_data():
    rng = np.random.default_rng(0)
    w = rng.normal(0, 0.05, (64, 256))
    w[:, 100:108] = rng.normal(0, 4.0, (64, 8))
    w = w.astype(np.float32)
    # numpy does not promise the stream for ever.
    check = f"{np.linalg.norm(w.astype(np.float64)) / np.sqrt(w.size):.6f} {np.abs(w).max():.6f}"
    if check != "0.704302 12.467940":
        labgen.fault("the random stream of numpy", "has changed:", check)
    return w, np.random.default_rng(1).normal(0, 1, (256, 32)).astype(np.float32)


def table_rows(w, x):
    groups = ["tensor", "channel", 128, 64, 32, 16, 8]
    key, options = "group={},scale=f32", " ".join(sys.argv[1:])
    stores = [labgen.Lab(f"quantize:m=64,k=256,in=f32,out=i8,{key.format(g)}", {"x": w},
                         ("q", "scale"), options) for g in groups]
    if len(labgen.run(stores)) < len(groups):
        return
    loads, products = [], []
    xt = np.ascontiguousarray(x.T)
    for g, s in zip(groups, stores, strict=True):
        q, scale = s.out["q"], s.out["scale"]
        loads.append(labgen.Lab(f"dequantize:m=64,k=256,in=i8,out=f32,{key.format(g)}",
                                {"q": q, "scale": scale}, ("y",), options))
        products.append(labgen.Lab(f"gemm:m=32,n=64,k=256,a=f32,b=i8,{key.format(g)}",
                                   {"a": xt, "b": q, "b_scale": scale}, ("c",), options))
    if len(labgen.run(loads + products)) < 2 * len(groups):
        return
    norm = np.linalg.norm
    w, wx = w.astype(np.float64), w.astype(np.float64) @ x.astype(np.float64)
    rest = np.ones(256, bool)
    rest[100:108] = False
    for g, s, load, product in zip(groups, stores, loads, products, strict=True):
        error = load.out["y"].astype(np.float64) - w
        rest_error = error[:, rest]
        size = s.out["q"].size + 2 * s.out["scale"].size
        name = f"per-group g={g}" if isinstance(g, int) else f"per-{g}"
        yield (f"{name:26s} {norm(error) / norm(w):10.5f} "
               f"{norm(product.out['c'].T - wx) / norm(wx):10.5f} "
               f"{np.abs(rest_error).max():12.6f} {np.sqrt((rest_error**2).mean()):12.6f} "
               f"{size:9d} {4 * w.size / size:8.2f}x")


def main():
    rows = list(table_rows(*published_data()))
    for got, want in zip(rows, TABLE.splitlines(), strict=True):
        name = want.split("  ")[0]
        labgen.right(name)
        if got != want:
            labgen.fault(name, f"\n  {got}\nis not\n  {want}")
    labgen.finish()


main()
