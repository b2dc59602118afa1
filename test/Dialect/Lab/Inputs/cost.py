"""The dialect's cost interface must see in a generated lab the very spec it was
generated from: then its bytes and FLOPs are those of lib/Spec, which rows have."""
import json
import pathlib
import subprocess

import cases

SPECS = [
    "quantize:m=3,k=70,in=f32,out=i4,group=32,scale=f16,range=full,round=away,inverse=reciprocal,divisor=unrounded",
    "quantize:m=3,k=70,in=bf16,out=i8,group=tensor,scale=f32,round=zero",
    "quantize:m=0,k=70,in=f16,out=i8,group=channel,scale=bf16",
    "dequantize:m=2,k=11,in=i4,out=bf16,group=8,scale=f32",
    "quantize:m=3,k=70,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU,rule=rceil",
    "dequantize:m=3,k=70,in=f8E4M3FN,out=f32,group=16,scale=f16",
    "quantize:m=3,k=70,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN",
    "gemm:m=2,n=3,k=64,a=f32,b=f4E2M1FN,group=16,scale=f8E4M3FN",
    "quantize:m=3,k=70,in=f32,out=u4,group=32,scale=f16,zero=u4",
    "quantize:m=3,k=70,in=f32,out=i8,group=tensor,scale=f16,zero=i8",
    "dequantize:m=3,k=70,in=i4,out=f32,group=8,scale=f16,zero=i4",
    "gemm:m=2,n=3,k=70,a=f32,b=u8,group=32,scale=f32,zero=u8",
    "cast:n=9,in=f32,out=f8E5M2,round=away,overflow=saturate,nan=max",
    "cast:n=9,in=f4E2M1FN,out=bf16",
    "exp:n=9,in=bf16,out=f16",
    "axpy:n=1000,type=f64",
    "axpy:n=0,type=bf16",
    "reduce:n=300,type=f64,kind=sum,order=pairwise",
    "reduce:n=300,type=bf16,kind=dot,block=256",
    "reduce:n=300,type=f16,kind=absmax",
    "reduce:n=300,type=f32,kind=sumsq,order=compensated",
    "gemm:m=2,n=3,k=8,a=f32,b=f32,accumulate=yes",
    "gemm:m=2,n=3,k=8,a=i8,b=i8",
    "gemm:m=2,n=3,k=9,a=bf16,b=i4,group=4,scale=f16",
    "gemm:m=2,n=3,k=8,a=f32,b=i8,group=channel,scale=f32,compute=i8",
]

pathlib.Path("batch.txt").write_text("".join(f"{spec} --no-time\n" for spec in SPECS))
batch = subprocess.run(
    ["labgen", "run", "--batch", "batch.txt", "--json"], capture_output=True, text=True
)
for spec, line in zip(SPECS, batch.stdout.splitlines(), strict=True):
    row = json.loads(line)
    lab = subprocess.run(["labgen", "gen", spec], capture_output=True, text=True, check=True)
    said = subprocess.run(
        ["labgen-opt", "--lab-print-cost", "-o", "/dev/null"],
        input=lab.stdout, capture_output=True, text=True, check=True,
    ).stderr
    want = f"remark: {row['spec']} reads {row['bytes_read']} bytes, writes {row['bytes_written']} bytes, {row['flops']} flops"
    same = row["spec"] == spec and want in said
    cases.case(spec, not same and f"the row has\n  {want}\nthe dialect says\n  {said}")
cases.done()
