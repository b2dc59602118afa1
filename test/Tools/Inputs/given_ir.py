"""Gives labgen files of IR that are wrong in every way that upstream would find,
and holds what it says against a pattern: exit 1, one line, nothing on stdout."""
import pathlib
import re
import subprocess
import sys

import cases

AXPY = "axpy:n=8,type=f32"
ADVICE = r"; correct the file: it may hold what `labgen compile SPEC --stop-after STAGE` prints"


def labgen(*words):
    return subprocess.run(["labgen", *words], capture_output=True, text=True, timeout=100)


def refused(name, text, spec, want, target="cpu:x86-64-v3"):
    pathlib.Path(name).write_text(text)
    device = [] if target.startswith("cpu") else ["--device", "emu"]
    done = labgen("run", name, "--spec", spec, "--target", target, "--no-time", *device)
    right = done.returncode == 1 and not done.stdout and re.fullmatch(f"error: {want}\n", done.stderr)
    got = f"exit {done.returncode}: {done.stdout}{done.stderr}"
    cases.case(f"{name} for {spec} on {target}: {want}", not right and f"\n  got {got}")


def at_stage(spec, stage, target="cpu:x86-64-v3"):
    done = labgen("compile", spec, "--stop-after", stage, "--target", target)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


# Arguments of another shape or type, too few and too many: made for one spec,
# given for another.
PLACE = r"args\.mlir:\d+:\d+: "
OTHERS = [
    (AXPY, "axpy:n=4,type=f32", r"argument 1 of type 'memref<8xf32>', and the spec's 'x' has type 'memref<4xf32>'"),
    (AXPY, "axpy:n=8,type=f64", r"argument 0 of type 'memref<f32>', and the spec's 'alpha' has type 'memref<f64>'"),
    ("quantize:m=2,k=8,in=f32,out=i8,group=8,scale=f32", "quantize:m=2,k=8,in=f32,out=i4,group=8,scale=f32",
     r"argument 1 of type 'memref<2x8xi8>', and the spec's 'q' has type 'memref<2x4xi8>'"),
    ("reduce:n=8,type=f32,kind=sum", "reduce:n=8,type=f32,kind=dot",
     r"argument 1 of type 'memref<f32>', and the spec's 'y' has type 'memref<8xf32>'"),
    ("gemm:m=2,n=2,k=8,a=f32,b=f32", "gemm:m=2,n=2,k=8,a=f32,b=i8,group=8,scale=f32",
     r"argument 1 of type 'memref<2x8xf32>', and the spec's 'b' has type 'memref<2x8xi8>'"),
]
for made, given, want in OTHERS:
    for stage in ("lab", "tiled", "vector"):
        for target in ("cpu:x86-64-v3", "nvvm:sm_90a"):
            refused("args.mlir", at_stage(made, stage, target), given,
                    PLACE + rf"function '\w+' has {want}; give the spec the file was made from, or correct the argument", target)
FUNC = "func.func @f({}) {{\n  return\n}}\n"
A, V = "%a: memref<f32>", "%{}: memref<8xf32>"
refused("args.mlir", FUNC.format(f"{A}, {V.format('x')}"), AXPY,
        PLACE + r"function 'f' has 2 arguments, and the spec's 'y' of type 'memref<8xf32>' is missing; give it all 3")
three = f"{A}, {V.format('x')}, {V.format('y')}"
for more, types in ((V.format("z"), "'memref<8xf32>'"), ("%i: i64", "'i64'"), ("%i: i64, %j: f32", "'i64', 'f32'"), ("%i: i64, %j: i64, %l: i64", "'i64', 'i64', 'i64'")):
    count = 4 + more.count(",")
    refused("args.mlir", FUNC.format(f"{three}, {more}"), AXPY,
            PLACE + rf"function 'f' has {count} arguments, the spec 3, and behind those stand {types}; leave them out, or give the range of work units, two of type index or i64")
refused("args.mlir", FUNC.format(three) + FUNC.format(three).replace("@f", "@g"), AXPY,
        r"args\.mlir: has 2 public functions; leave one public and make the others private")
# Later stages have pointers: their number counts.
for stage, suffix in (("target", "mlir"), ("llvm", "ll")):
    refused(f"args.{suffix}", at_stage(AXPY, stage), "reduce:n=8,type=f32,kind=sum",
            rf"args\.{suffix}: function 'axpy' does not take the arguments of the spec; it needs 2 pointers \(or memrefs\), then two i64 for the range of work units")
    refused(f"args.{suffix}", at_stage(AXPY, stage, "rocdl:gfx942"), "reduce:n=8,type=f32,kind=sum",
            rf"args\.{suffix}: kernel 'axpy' does not take the arguments of the spec; it needs 2 pointers to global memory", "rocdl:gfx942")

# LLVM IR that breaks a rule, with debug information, which LLVM would verify and
# abort: the line of the instruction.
LL = """target triple = "x86_64-unknown-linux-gnu"
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <8 x i32>, <8 x i32>)
define void @f(ptr %a, ptr %x, ptr %y) {{
  {}
  ret void
}}
!llvm.module.flags = !{{!0}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
"""
CORRECT = r" \(function 'f'\); correct the LLVM IR"
refused("t.ll", LL.format("%2 = fadd float %1, %1\n  %1 = load float, ptr %x").replace("%1", "%u").replace("%2", "%v"), AXPY,
        r"t\.ll:4:\d+: Instruction does not dominate all uses!" + CORRECT)
refused("t.ll", LL.format("br label %g\ng:\n  %v = phi float [1.0, %g]"), AXPY,
        r"t\.ll:6:\d+: PHI node entries do not match predecessors!" + CORRECT)
gpu = at_stage(AXPY, "llvm", "nvvm:sm_90a")
# A value made by the last instruction, and used by the first.
gpu = re.sub(r"(?m)^(  %\S+ = .*\n)", r"  %early = add i32 %late, 1\n\1", gpu, count=1)
gpu = gpu.replace("  ret void", "  %late = add i32 1, 1\n  ret void", 1)
refused("t.ll", gpu, AXPY,
        r"t\.ll:\d+:\d+: Instruction does not dominate all uses! \(function 'axpy'\); correct the LLVM IR", "nvvm:sm_90a")
# What LLVM finds only as it makes code, and would end the process for.
far = "ptr addrspace(1) inttoptr (i64 64 to ptr addrspace(1))"
call = f"  %h = load volatile half, {far}\n  %a = call half @llvm.atan2.f16(half %h, half %h)\n  store volatile half %a, {far}\n"
refused("t.ll", at_stage(AXPY, "llvm", "nvvm:sm_90a").replace("  ret void", call + "  ret void", 1), AXPY,
        r"t\.ll: the chip has no instruction for \S+ \(in axpy\); write it in another form", "nvvm:sm_90a")
refused("t.ll", LL.format("%v = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> splat (i32 1), <8 x i32> splat (i32 1), <8 x i32> splat (i32 1))\n  store <8 x i32> %v, ptr %y"), AXPY,
        r"t\.ll: the chip has no instruction for X86ISD::VPDPBUSD \(in f\.body\); write it in another form")
refused("t.ll", LL.format('call void asm sideeffect "rubbish", ""()'), AXPY,
        r"t\.ll: code generation by LLVM failed: .*invalid instruction mnemonic 'rubbish'.*" + ADVICE)

# MLIR that no pass takes to LLVM.
BODY = "func.func @f({}) {{\n  {}\n  return\n}}\n"
refused("t.mlir", BODY.format(three, "%t = tensor.empty() : tensor<4xf32>\n  \"test.use\"(%t) : (tensor<4xf32>) -> ()"), AXPY, r"t\.mlir:\d+:\d+: .*; .*")
refused("t.mlir", BODY.format(three, "%t = tensor.empty() : tensor<4xf32>\n  %c = arith.constant 0 : index\n  %e = tensor.extract %t[%c] : tensor<4xf32>\n  memref.store %e, %x[%c] : memref<8xf32>"), AXPY,
        r"t\.mlir:\d+:\d+: (translation to LLVM IR|pass \S+) failed: .*'?tensor\.(empty|extract)'?.*" + ADVICE)
refused("t.mlir", BODY.format(three, "%c = arith.constant 0 : index\n  %m = memref.alloca() : memref<4xf32, \"far\">\n  %e = memref.load %m[%c] : memref<4xf32, \"far\">\n  memref.store %e, %x[%c] : memref<8xf32>"), AXPY,
        r"t\.mlir:\d+:\d+: (translation to LLVM IR|pass \S+) failed: .*" + ADVICE)
refused("t.mlir", BODY.format(three, "%c = arith.constant 0 : index\n  %m = memref.alloca() : memref<4xf32>\n  %e = memref.load %m[%c] : memref<4xf32>\n  memref.store %e, %x[%c] : memref<8xf32>"), AXPY,
        r"t\.mlir:3:\d+: 'memref.alloca' op says not which threads of a block share it; give its memref #gpu.address_space<private> or #gpu.address_space<workgroup>", "rocdl:gfx942")

cases.done()
