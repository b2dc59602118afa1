"""GPU IR as input: every stage of a kernel, the final device IR, hand-written
IR, and what must be refused.

usage: files.py
"""
import json
import pathlib
import re
import subprocess
import sys

import cases

SPECS = [
    "axpy:n=1003,type=f32",
    "quantize:m=3,k=100,in=f32,out=i8,group=32,scale=f32",
    "reduce:n=50021,type=f32,kind=sum",
    "gemm:m=17,n=33,k=70,a=f32,b=i8,group=32,scale=f32",
]
STAGES = ["lab", "tiled", "vector", "target", "llvm"]
EMU = "--device emu --no-time"


def labgen(line):
    return subprocess.run(["labgen", *line.split()], capture_output=True, text=True)


def must(line):
    done = labgen(line)
    if done.returncode:
        sys.exit(f"labgen {line}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def final_ir(spec, target, folder):
    """The device IR that stands beside an artifact."""
    must(f"compile {spec} --target {target} -o {folder}")
    (path,) = pathlib.Path(folder).glob("*.ll")
    return path.read_text()


def write(name, text):
    pathlib.Path(name).write_text(text)
    return name


# Every stage, and the final IR, does what the spec does.
lines = []
for target in "nvvm:sm_90a", "rocdl:gfx942":
    for number, spec in enumerate(SPECS):
        name = f"{target.split(':')[1]}-{number}"
        files = [write(f"{name}-final.ll", final_ir(spec, target, name))]
        for stage in STAGES:
            suffix = "ll" if stage == "llvm" else "mlir"
            files.append(f"{name}-{stage}.{suffix}")
            must(f"compile {spec} --target {target} --stop-after {stage} -o {files[-1]}")
        lines += [f"{file} --spec {spec} --target {target} {EMU}" for file in files]
write("list", "\n".join(lines))
rows = [json.loads(line) for line in labgen("run --batch list").stdout.splitlines()]
for line, row in zip(lines, rows):
    right = row["status"] == "ok" and not row["findings"]
    cases.case(line, not right and f"{row['status']}: {row['reason']} {row['findings']}")
cases.case("rows", len(rows) != len(lines) and f"{len(rows)} of {len(lines)}")


def refused(done, want):
    right = done.returncode == 1 and not done.stdout and re.fullmatch(rf"error: .*{want}.*\n", done.stderr)
    cases.case(f"refused: {want}", not right and f"exit {done.returncode}: {done.stdout}{done.stderr}")


# Written by hand: launched as options say, for want of attributes, or as those
# say: 4 blocks of 32 threads.
PLAIN = """
define ptx_kernel void @cast(ptr addrspace(1) %x, ptr addrspace(1) %y) ATTRIBUTES {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %block, 32
  %i = add i32 %base, %tid
  %in = getelementptr float, ptr addrspace(1) %x, i32 %i
  %value = load float, ptr addrspace(1) %in
  %wide = fpext float %value to double
  %out = getelementptr double, ptr addrspace(1) %y, i32 %i
  store double %wide, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
"""
write("one.ll", PLAIN.replace("ATTRIBUTES", ""))
write("many.ll", PLAIN.replace("ATTRIBUTES", '"labgen-units"="4" "labgen-threads"="32"'))
for file, n, launch in (
    ("one.ll", 1, "--grid 1"),
    ("one.ll", 96, "--grid 3 --block 32,1,1"),
    ("many.ll", 128, ""),
    ("many.ll", 32, "--grid 1"),
):
    with cases.steps(f"{file} of {n} {launch}"):
        must(f"run {file} --spec cast:n={n},in=f32,out=f64 --target nvvm:sm_80 {launch} {EMU}")
CAST = "--spec cast:n=1,in=f32,out=f64 --target nvvm:sm_80"
for line, want in (
    (f"one.ll {CAST}", r"kernel 'cast' does not say how it is launched; give --grid X\[,Y\[,Z\]\] and --block"),
    (f"one.ll {CAST} --grid 1,2,3,4", r"at most three sizes"),
    (f"one.ll {CAST} --grid 0", r"--grid is .0.; give a whole number from 1 to 2147483647"),
    (f"one.ll {CAST} --block 64,32", r"a block has at most 1024 threads"),
    (f"one.ll {CAST} --block ,", r"--block is ..; give a whole number"),
    (f"one.ll {CAST} --grid 1 --shared x", r"--shared is .x.; give a whole number"),
    ("cast:n=1,in=f32,out=f64 --target nvvm:sm_80 --block 32", r"go with a FILE.ll for a GPU; "),
):
    refused(labgen(f"run {line} {EMU}"), want)
done = labgen(f"run many.ll --spec cast:n=127,in=f32,out=f64 --target nvvm:sm_80 {EMU} --json")
row = json.loads(done.stdout)
right = done.returncode == 1 and row["status"] == "wrong" and "memcheck" in "".join(row["findings"])
cases.case("a thread too many", not right and done.stdout)

# Refused: one line that says what, exit 1, no row.
nv, amd = final_ir(SPECS[0], "nvvm:sm_80", "nv"), final_ir(SPECS[0], "rocdl:gfx942", "amd")


def calling(text, call, declaration=""):
    return text.replace("  ret void", f"  {call}\n  ret void") + declaration


CASES = [
    (nv, "nvvm:sm_80", 'call void asm sideeffect "trap;", ""()', "", r'no inline assembly: "trap;" \(in axpy\); '),
    (nv, "nvvm:sm_80", "call void @llvm.nvvm.no.such()", "declare void @llvm.nvvm.no.such()",
     r"no model of intrinsic 'llvm.nvvm.no.such' \(in axpy\); "),
    (nv, "nvvm:sm_80", "call void @help()", "declare void @help()", r"calls 'help', which it does not define; "),
    (amd, "rocdl:gfx942", "call void @help()", "declare void @help()", r"undefined symbol: help; "),
    (nv + 'module asm "evil"\n', "nvvm:sm_80", "", "", r"runs no module assembly; "),
    (amd + 'module asm ".text"\n', "rocdl:gfx942", "", "", r"runs no module assembly; "),
    (nv + "define void @labgen_emu_store_global() {\n  ret void\n}\n", "nvvm:sm_80", "", "",
     r"the module has 'labgen_emu_store_global'; "),
    (nv, "rocdl:gfx942", "", "", r"is IR for nvptx64 and the target is amdgcn; give the --target"),
    (amd, "nvvm:sm_80", "", "", r"is IR for amdgcn and the target is nvptx64; give the --target"),
    (nv, "cpu:native", "", "", r"is IR for nvptx64 and the target is x86_64; give the --target"),
    (PLAIN.replace("ATTRIBUTES", ""), "rocdl:gfx1100", "", "", r"'\w+' is not for amdgcn; give the --target"),
    (nv[: nv.index("  ret void")], "nvvm:sm_80", "", "", r"bad.ll:\d+:\d+: .*; correct the LLVM IR"),
    (nv.replace("float", "flaot", 1), "nvvm:sm_80", "", "", r"bad.ll:\d+:\d+: .*; correct the LLVM IR"),
    (nv.replace("ptx_kernel", ""), "nvvm:sm_80", "", "", r"bad.ll: no kernel with a body; "),
    (PLAIN.replace("ATTRIBUTES", '"labgen-threads"="many"'), "nvvm:sm_80", "", "",
     r'labgen-threads of function \'cast\' is "many"; give a number'),
]
for text, target, call, declaration, want in CASES:
    write("bad.ll", calling(text, call, declaration) if call else text)
    device = "" if target == "cpu:native" else "--device emu"
    spec = "cast:n=1,in=f32,out=f64" if "@cast" in text else SPECS[0]
    launch = "--grid 1" if device and "labgen-" not in text else ""
    refused(labgen(f"run bad.ll --spec {spec} --target {target} {device} --no-time {launch}"), want)
write("nv.ll", nv)
done = labgen(f"run nv.ll --spec cast:n=4,in=f32,out=f16 --target nvvm:sm_80 {EMU}")
refused(done, "does not take the arguments of the spec")
must(f"compile {SPECS[0]} --stop-after llvm -o cpu.ll")
refused(labgen(f"run cpu.ll --spec {SPECS[0]} --target nvvm:sm_80 {EMU}"), "cpu.ll: no kernel ")

# A folder whose device IR or code is no longer what its manifest says is not run.
write("cells", SPECS[0] + "\n")
matrix = "matrix cells --target nvvm:sm_80 --device emu --no-time -o out --json"
must(matrix)
for path in pathlib.Path("out/artifacts").iterdir():
    whole = path.read_text()
    for what, change in ("cut", whole[:-20]), ("changed", whole.replace("ret", "ret ")):
        pathlib.Path("out/rows.jsonl").unlink()
        path.write_text(change)
        done = labgen(matrix)
        row = json.loads(done.stdout)
        right = done.returncode == 1 and row["status"] == "error" and "sha256" in row["reason"]
        cases.case(f"{what}: {path.suffix}", not right and f"exit {done.returncode}: {done.stdout}{done.stderr}")
    path.write_text(whole)

cases.done()
