"""Quantized labs that others got wrong: the smallest input each was reported
with, and its right value. A case names where (repository#number)."""
import ctypes
import json
import subprocess

import labgen
import ml_dtypes
import numpy as np

F32, F16, BF16 = np.float32, np.float16, ml_dtypes.bfloat16
I8, U8 = np.int8, np.uint8
NAN = F32("nan")
labs = []


def case(source, spec, inputs, **want):
    lab = labgen.Lab(spec, inputs, tuple(want), note=source)
    lab.want = want
    labs.append(lab)


def row(*values, dtype=F32):
    return np.array([values], dtype)


def block(length, value, at=3):
    x = np.zeros((1, length), F32)
    x[0, at] = value
    return x


def scales():
    mx = "quantize:m=1,k=32,in=f32,group=32,scale=f8E8M0FNU,out="
    for source, value, out, byte in [
            ("pytorch/ao#4725", 1.9999999, "f8E4M3FN", 119),
            ("vllm#53110", 1.0, "f8E4M3FN", 119),
            ("compressed-tensors#538", 256.0, "f8E4M3FN", 127),
            ("ggml quantize_row_mxfp4_ref", 7.9999995, "f4E2M1FN", 127),
            ("TransformerEngine#3550", np.nan, "f8E4M3FN", 255)]:
        case(source, mx + out, {"x": block(32, value)}, scale=row(byte, dtype=U8))
    # Powers of two at both ends: 2^(127 - byte) is no shift, byte 0 no zero.
    largest = np.finfo(F32).max
    for rule, out, value, byte, code in [
            ("ceil", "f4E2M1FN", largest, 253, 6), ("floor", "f4E2M1FN", largest, 252, 7),
            ("rceil", "f8E4M3FN", largest, 247, 0x78), ("floor", "f8E4M3FN", 2.0**-120, 0, 0x70)]:
        case("flashinfer#4023", f"{mx}{out},rule={rule}", {"x": block(32, value)},
             scale=row(byte, dtype=U8), q=block(32, code).astype(U8))
    # The maximum of a block must not lose what is no number.
    for value in (np.nan, np.inf, -np.inf):
        x = block(32, 1.0)
        x[0, 9] = value
        for out in ("f8E4M3FN", "f6E3M2FN", "f4E2M1FN"):
            case("tilelang#3270, rocm-libraries#12362", mx + out, {"x": x},
                 scale=row(255, dtype=U8), q=np.zeros((1, 32), U8))
    # What an f16 scale cannot hold: 65520 would be Inf, 2^-25 is 0.
    half = "quantize:m=1,k=2,in=f32,out=i8,group=2,scale=f16"
    case("numerics of f16 scales", half, {"x": row(65520.0 * 127, 65504)},
         scale=row(65504, dtype=F16), q=row(127, 1, dtype=I8))
    case("numerics of f16 scales", half, {"x": row(2.0**-25 * 127, 0)},
         scale=row(0, dtype=F16), q=row(0, 0, dtype=I8))
    case("microxcaling#4: floor clips", mx + "f8E4M3FN", {"x": block(32, 957.0)},
         scale=row(128, dtype=U8), q=block(32, 0x7E).astype(U8))
    case("TransformerEngine#3550", "quantize:m=1,k=2,in=f32,out=i8,group=2,scale=f16",
         {"x": row(1, np.nan)}, scale=row(np.nan, dtype=F16), q=row(0, 0, dtype=I8))
    back = "dequantize:m=1,k=1,in=f8E4M3FN,out=f32,group=32,scale=f8E8M0FNU"
    for byte, value in [(0, 2.0**-127), (0xFF, NAN), (0xFE, 2.0**127), (127, 1.0)]:
        case("TransformerEngine#3262, llvm-project#214919", back,
             {"q": row(0x38, dtype=U8), "scale": row(byte, dtype=U8)}, y=row(value))
    # The right scale is amax / 7, whatever the smallest normal or epsilon is.
    amax = np.array(0.02, BF16)
    case("pytorch/ao#4534", "quantize:m=1,k=2,in=bf16,out=i4,group=2,scale=bf16",
         {"x": row(amax, 0, dtype=BF16)},
         scale=row(F32(amax) / F32(7), dtype=BF16), q=row(7, 0, dtype=I8))
    case("pytorch/ao#1766",
         "quantize:m=1,k=2,in=f16,out=i8,group=2,scale=f16,inverse=reciprocal",
         {"x": row(2.0**-14, -(2.0**-15), dtype=F16)}, scale=row(2.0**-21, dtype=F16),
         q=row(127, -64, dtype=I8))
    case("vllm#34577", "dequantize:m=1,k=1,in=f4E2M1FN,out=f32,group=16,scale=f8E4M3FN",
         {"q": row(2, dtype=U8), "scale": row(0x38, dtype=U8),
          "global": np.array([2.0**-8], F32)}, y=row(0.00390625))
    case("mlx#3762", "gemm:m=1,n=1,k=32,a=f32,b=f4E2M1FN,group=32,scale=f8E8M0FNU",
         {"a": block(32, 1.0), "b": block(32, 2).astype(U8), "b_scale": row(127, dtype=U8)},
         c=row(1.0))
    case("1bit-MONSTER#677", "dequantize:m=1,k=1,in=i8,out=f32,group=1,scale=f16",
         {"q": row(1, dtype=I8), "scale": row(1.0, dtype=F16)}, y=row(1.0))
    case("vllm#31713", "dequantize:m=1,k=1,in=f8E4M3FNUZ,out=f32,group=1,scale=f32",
         {"q": row(0x38, dtype=U8), "scale": row(2.0)}, y=row(1.0))
    case("tinygrad#14849", "dequantize:m=1,k=1,in=f4E2M1FN,out=f32,group=32,scale=f8E8M0FNU",
         {"q": row(1, dtype=U8), "scale": row(127, dtype=U8)}, y=row(0.5))
    case("rocm-libraries#9450", "gemm:m=1,n=1,k=32,a=f32,b=f8E4M3FN,group=32,scale=f32",
         {"a": block(32, 2.0**-100), "b": block(32, 0x38).astype(U8), "b_scale": row(2.0**120)},
         c=row(2.0**20))


def zero_groups():
    zeros = np.zeros((1, 16), F32)
    for out, scale, group, dtype in [("i8", "f32", 16, I8), ("i4", "f16", 16, I8),
                                     ("f8E4M3FN", "bf16", 16, U8), ("f4E2M1FN", "f8E4M3FN", 16, U8),
                                     ("f4E2M1FN", "f8E8M0FNU", 32, U8), ("i8", "f32", "tensor", I8)]:
        case("compressed-tensors#595, cache-dit#1097",
             f"quantize:m=1,k=16,in=f32,out={out},group={group},scale={scale}", {"x": zeros},
             q=zeros.astype(dtype))
    case("scaling_truncf by scale byte 0",
         "dequantize:m=1,k=1,in=f4E2M1FN,out=f32,group=32,scale=f8E8M0FNU",
         {"q": row(0, dtype=U8), "scale": row(0, dtype=U8)}, y=row(0.0))
    # A zero block beside one that spans the whole range.
    x = np.concatenate([zeros, block(16, 2688.0)], axis=1)
    case("NVIDIA/Model-Optimizer#1397",
         "quantize:m=1,k=32,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN", {"x": x},
         scale=row(0, 0x7E, dtype=U8), q=block(32, 7, at=19).astype(U8),
         **{"global": np.array([1.0], F32)})


def roundings():
    x = row(127, 2.5, 1.9)
    for rule, codes in [("even", (127, 2, 2)), ("away", (127, 3, 2)), ("zero", (127, 2, 1))]:
        case("vllm#45361", f"quantize:m=1,k=3,in=f32,out=i8,group=3,scale=f32,round={rule}",
             {"x": x}, q=row(*codes, dtype=I8))


def zero_points():
    case("onnxruntime#3442", "quantize:m=1,k=3,in=f32,out=i8,group=3,scale=f32,zero=i8",
         {"x": row(-128, 127, 0)}, q=row(-128, 127, 0, dtype=I8), zero=row(0, dtype=I8))
    case("onnxruntime#32578", "dequantize:m=1,k=1,in=u8,out=f32,group=1,scale=f32,zero=u8",
         {"q": row(0, dtype=U8), "scale": row(1.0), "zero": row(1, dtype=U8)}, y=row(-1.0))
    case("tilelang#2947", "dequantize:m=1,k=1,in=i8,out=f32,group=1,scale=f32,zero=i8",
         {"q": row(-128, dtype=I8), "scale": row(1.0), "zero": row(127, dtype=I8)}, y=row(-255.0))
    case("AutoGPTQ#325", "quantize:m=1,k=2,in=f32,out=u4,group=2,scale=f32,zero=u4",
         {"x": row(15, 3)}, q=row(15, 3, dtype=U8), zero=row(0, dtype=U8))
    case("AutoGPTQ#325", "dequantize:m=1,k=2,in=u4,out=f32,group=2,scale=f32,zero=u4",
         {"q": row(15, 3, dtype=U8), "scale": row(1.0), "zero": row(0, dtype=U8)}, y=row(15, 3))
    case("jax#17672, tilelang#2490", "dequantize:m=1,k=2,in=i4,out=f32,group=2,scale=f32",
         {"q": row(-1, -8, dtype=I8), "scale": row(1.0)}, y=row(-1, -8))
    for compute in ("f32", "i8"):
        weights = {"b": np.full((4, 2048), 2, U8), "b_scale": np.full((4, 4), 0.5, F32),
                   "b_zero": np.full((4, 4), 3, U8)}
        case("onnxruntime#28551",
             f"gemm:m=1,n=4,k=2048,a=f32,b=u4,group=512,scale=f32,zero=u4,compute={compute}",
             {"a": np.full((1, 2048), 127, F32), **weights}, c=np.full((1, 4), -1024.0 * 127, F32))
        # d * sum of 32 x 3000 in f16 would be Inf.
        case("llama.cpp#21652",
             f"gemm:m=1,n=1,k=32,a=f16,b=u8,group=32,scale=f16,zero=u8,compute={compute}",
             {"a": np.full((1, 32), 127 * 24, F16), "b": np.full((1, 32), 6, U8),
              "b_scale": row(1.0, dtype=F16), "b_zero": row(5, dtype=U8)}, c=row(32 * 127 * 24.0))
        case("onnxruntime#31152",
             f"gemm:m=1,n=3,k=40,a=f32,b=u4,group=32,scale=f32,zero=u4,compute={compute}",
             {"a": np.full((1, 40), 127, F32), "b": np.full((3, 40), 9, U8),
              "b_scale": np.full((3, 2), 1, F32), "b_zero": np.tile(row(8, 7, dtype=U8), (3, 1))},
             c=np.full((1, 3), 127 * (32 * 1 + 8 * 2), F32))


def products():
    def integers(source, a, b, want):
        case(source, f"gemm:m=1,n=1,k={len(a)},a=i8,b=i8",
             {"a": row(*a, dtype=I8), "b": row(*b, dtype=I8)}, c=row(want, dtype=np.int32))

    integers("ggml#1393", [-1], [-128], 128)
    integers("onnxruntime#31573, gemmlowp#174", [-128] * 2, [-128] * 2, 32768)
    integers("oneDNN#476", [127] * 4, [-128] * 4, -65024)
    integers("BitNet#629", [127] * 256, [2] * 256, 65024)
    integers("legacy-rocm-build#5722", [3], [5], 15)
    a, b = np.arange(-32, 33, dtype=I8)[:, None], np.arange(-16, 17, dtype=I8)[:, None]
    product = a.astype(np.int32) * b.T.astype(np.int32)
    case("legacy-rocm-build#5722", "gemm:m=65,n=33,k=1,a=i8,b=i8", {"a": a, "b": b}, c=product)
    codes = b.astype(ml_dtypes.float8_e4m3fn)
    assert (codes.astype(F32) == b).all()
    case("legacy-rocm-build#5722", "gemm:m=65,n=33,k=1,a=f32,b=f8E4M3FN,group=1,scale=f32",
         {"a": a.astype(F32), "b": codes.view(U8), "b_scale": np.full((33, 1), 2, F32)},
         c=2 * product.astype(F32))
    # A small matrix: what one library gave, another did not.
    case("hipBLAS#498", "gemm:m=2,n=3,k=3,a=i8,b=i8",
         {"a": np.array([[1, -2, 3], [-4, 5, -6]], I8),
          "b": np.array([[7, -8, 9], [-1, 2, -3], [127, -128, 127]], I8)},
         c=np.array([[50, -14, 764], [-122, 32, -1910]], np.int32))
    case("rocm-libraries#10811", "gemm:m=1,n=1,k=128,a=f32,b=f6E2M3FN,group=32,scale=f8E8M0FNU",
         {"a": np.ones((1, 128), F32), "b": np.full((1, 128), 0x08, U8),
          "b_scale": row(127, 128, 126, 127, dtype=U8)}, c=row(32 * 4.5))
    # Codes of A are 127, their scale 1.
    case("oneDNN#518, pytorch#76390",
         "gemm:m=1,n=1,k=2,a=f32,b=u8,group=2,scale=f32,zero=u8,compute=i8",
         {"a": row(127, 127), "b": row(255, 255, dtype=U8), "b_scale": row(1.0),
          "b_zero": row(0, dtype=U8)}, c=row(64770.0))
    case("BitBLAS#284", "gemm:m=1,n=1,k=16,a=f32,b=i4,group=16,scale=f32,compute=i8",
         {"a": np.full((1, 16), 127, F32), "b": np.full((1, 16), 1, I8), "b_scale": row(1.0)},
         c=row(16 * 127.0))
    for compute in ("f32", "i8"):
        case("vllm#33972", f"gemm:m=1,n=1,k=128,a=f16,b=i8,group=128,scale=f32,compute={compute}",
             {"a": np.full((1, 128), 127 * 2, F16), "b": np.full((1, 128), 8, I8),
              "b_scale": row(2.0**-6)}, c=row(128 * 254 * 8 / 64.0))
        for source, k, group in [("lut-gemm#4", 128, 64), ("QQQ#9", 544, 64), ("mlx#3161", 544, 32),
                                 ("GPTQModel#328", 192, 128), ("torchchat#522", 288, 256)]:
            n, groups = 3, -(-k // group)
            powers = 2.0 ** (np.arange(n * groups) % 5).reshape(n, groups)
            b = (np.arange(n * k) % 15 - 7).astype(I8).reshape(n, k)
            weights = b * np.repeat(powers, group, axis=1)[:, :k]
            case(source, f"gemm:m=1,n={n},k={k},a=f32,b=i4,group={group},scale=f32,compute={compute}",
                 {"a": np.full((1, k), 127, F32), "b": b, "b_scale": powers.astype(F32)},
                 c=(127 * weights.sum(axis=1)[None]).astype(F32))
    b = np.ones((1, 400), BF16)
    b[0, 0] = 256
    case("FlagGems#5876", "gemm:m=1,n=1,k=400,a=bf16,b=bf16",
         {"a": np.ones((1, 400), BF16), "b": b}, c=row(256 + 399.0))
    x = np.full((1, 65), 2.0, F32)
    x[0, 64] = -0.5
    case("bitsandbytes#1884", "quantize:m=1,k=65,in=f32,out=i8,group=64,scale=f32", {"x": x},
         scale=row(F32(2) / F32(127), F32(0.5) / F32(127)))


def long_sums():
    """Products of one group that no i32 lane holds: K is split."""
    k = 2**22 + 5
    ones = np.ones((1, k), F32)
    for code, most, zero in [("i8", 127, None), ("u8", 255, 0)]:
        dtype = I8 if zero is None else U8
        spec = f"gemm:m=1,n=1,k={k},a=f32,b={code},group=channel,scale=f32,compute=i8"
        inputs = {"a": ones * 127, "b": np.full((1, k), most, dtype), "b_scale": row(2.0**-20)}
        if zero is not None:
            spec += f",zero={code}"
            inputs["b_zero"] = row(zero, dtype=U8)
        exact = k * 127 * most / 2**20
        lab = labgen.Lab(spec, inputs, ("c",), note="S11")
        # A conversion, two scalings and some ten additions on the way of a part.
        if labgen.run([lab]) and abs(lab.out["c"][0, 0] - exact) > 2.0**-20 * exact:
            labgen.fault(lab, lab.out["c"], "is not", exact)


def packed_bytes():
    """Codes and zero points as they lie in memory: awq's order or ggml's half
    blocks would permute them (AutoAWQ, Quark#30); pad bits are 0."""
    labgen_compile = ["labgen", "compile", "-o", "artifact"]
    spec = "quantize:m=1,k=13,in=f32,out=u4,group=5,scale=f32,zero=u4"
    subprocess.run([*labgen_compile, spec], check=True)
    with open("artifact/manifest.json") as file:
        kernel = json.load(file)["kernels"][0]
    library = ctypes.CDLL("./artifact/" + kernel["artifact"])
    codes = [0, 15, 2, 3, 4, 15, 6, 0, 8, 9, 10, 11, 15]
    # The groups' zero points: 0, 3, and 0 of the short last one.
    x = (np.array(codes) - np.repeat([0, 3, 0], 5)[:13]).astype(F32)
    memory = {"x": aligned(x), "q": aligned(np.full(7, 0xA5, U8)),
              "scale": aligned(np.zeros(3, F32)), "zero": aligned(np.full(2, 0xA5, U8))}
    names = [argument["name"] for argument in kernel["arguments"]]
    pointers = (ctypes.c_void_p * len(names))(*(memory[n].ctypes.data for n in names))
    for launch in kernel["launches"]:
        entry = getattr(library, launch["entry"])
        entry(pointers, ctypes.c_int64(0), ctypes.c_int64(launch["units"]))
    padded = codes + [0]
    want = [padded[i] | padded[i + 1] << 4 for i in range(0, 14, 2)]
    labgen.right("packed bytes (Quark#30)")
    for name, bytes_ in (("q", want), ("zero", [0x30, 0x00])):
        if memory[name].tolist() != bytes_:
            labgen.fault("packed bytes (Quark#30)", name, memory[name].tolist(), "is not", bytes_)


def aligned(array):
    raw = np.zeros(array.nbytes + 64, U8)
    start = -raw.ctypes.data % 64
    out = raw[start:start + array.nbytes].view(array.dtype)
    out[:] = array
    return out


def error_grows_smoothly():
    """bitsandbytes#565: a wrong kernel from some block size on shows as a leap
    of the error (575 to 3437 there)."""
    rows = labgen.run_lines([
        f"quantize:m=64,k=8192,in=f32,out=i8,group={group},scale=f32"
        for group in (256, 512, 1024, 2048, 4096)])
    errors = [r["error"]["rms"] for r in rows]
    name = "error grows smoothly (bitsandbytes#565)"
    labgen.right(name)
    for before, after in zip(errors, errors[1:]):
        if not before < after < 1.2 * before:
            labgen.fault(name, errors)


def main():
    for add in (scales, zero_groups, roundings, zero_points, products):
        add()
    for lab in labgen.run(labs):
        for name, want in lab.want.items():
            labgen.expect_same(lab, name, want)
    long_sums()
    packed_bytes()
    error_grows_smoothly()
    labgen.finish()


main()
