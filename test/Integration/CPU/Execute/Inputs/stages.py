"""Runs labs of several launches, of empty shapes and of packed codes from the
IR of every stage: what `labgen compile` prints is what `labgen run` takes."""
import json
import pathlib
import subprocess

import cases

SPECS = [
    "reduce:n=40000,type=f32,kind=dot",
    "reduce:n=40000,type=f64,kind=sum,order=pairwise",
    "reduce:n=300,type=f32,kind=sum,order=compensated,block=10",
    "reduce:n=0,type=f32,kind=max",
    "quantize:m=3,k=7001,in=f32,out=i4,group=tensor,scale=f16",
    "quantize:m=0,k=64,in=f32,out=i8,group=32,scale=f32",
    "dequantize:m=5,k=33,in=i4,out=bf16,group=8,scale=f16",
    "gemm:m=5,n=7,k=100,a=bf16,b=i4,group=32,scale=f16,compute=i8",
    "gemm:m=17,n=33,k=65,a=f32,b=i8,group=tensor,scale=f32,compute=i8",
    "gemm:m=3,n=5,k=0,a=f32,b=f32",
    "gemm:m=20,n=20,k=70,a=f16,b=f16,accumulate=yes",
]
STAGES = {"lab": "mlir", "tiled": "mlir", "vector": "mlir", "target": "mlir", "llvm": "ll"}

lines = []
for number, spec in enumerate(SPECS):
    for stage, suffix in STAGES.items():
        name = f"{number}-{stage}.{suffix}"
        subprocess.run(["labgen", "compile", spec, "--stop-after", stage, "-o", name], check=True)
        lines.append(f"{name} --spec {spec} --no-time")
pathlib.Path("batch.txt").write_text("\n".join(lines) + "\n")
done = subprocess.run(
    ["labgen", "run", "--batch", "batch.txt", "--json"], capture_output=True, text=True
)
rows = [json.loads(line) for line in done.stdout.splitlines()]
for line, row in zip(lines, rows):
    cases.case(line, row["status"] != "ok" and f"{row['status']} {row['reason']}")
with cases.steps("labgen run --batch"):
    assert len(rows) == len(lines) and done.returncode == 0, f"{len(rows)} rows, exit {done.returncode}"
cases.done()
