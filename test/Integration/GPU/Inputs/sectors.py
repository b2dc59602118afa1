"""Aligned labs touch hardly more 32-byte sectors than their bytes fill: what
every warp-wide access asks for lies together.

usage: sectors.py TARGET...
"""
import sys

import emu

MOST = 1.05

# Six-bit codes are left out: a thread's four fill three bytes, which takes two
# stores.
SPECS = """
axpy:n=65536,type=f32
axpy:n=65536,type=f64
axpy:n=65536,type=bf16
cast:n=65536,in=f32,out=f8E4M3FN
cast:n=65536,in=f32,out=f4E2M1FN
cast:n=65536,in=f8E4M3FN,out=f16
cast:n=65536,in=f8E4M3FN,out=f32
cast:n=65536,in=f64,out=f32
cast:n=65536,in=i8,out=f8E5M2
cast:n=65536,in=f32,out=bf16,round=stochastic,seed=3
exp:n=65536,in=f16,out=f16
quantize:m=16,k=4096,in=f32,out=i8,group=32,scale=f32
quantize:m=16,k=4096,in=bf16,out=i8,group=32,scale=f16
quantize:m=16,k=4096,in=f32,out=i4,group=128,scale=f16,zero=i4
quantize:m=16,k=4096,in=f32,out=i8,group=channel,scale=f32
quantize:m=16,k=4096,in=f32,out=i8,group=tensor,scale=f32
quantize:m=16,k=4096,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU
quantize:m=16,k=4096,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN
dequantize:m=16,k=4096,in=i8,out=f32,group=32,scale=f32
dequantize:m=16,k=4096,in=i4,out=f16,group=32,scale=f16
dequantize:m=16,k=4096,in=f4E2M1FN,out=bf16,group=32,scale=f8E8M0FNU
dequantize:m=16,k=4096,in=f8E4M3FN,out=f16,group=32,scale=f32
reduce:n=65536,type=f32,kind=sum
reduce:n=65536,type=f64,kind=dot
reduce:n=65536,type=bf16,kind=absmax
reduce:n=65536,type=f32,kind=sum,order=pairwise
reduce:n=65536,type=f64,kind=dot,order=pairwise
reduce:n=65536,type=f32,kind=sum,order=compensated
gemm:m=1,n=64,k=4096,a=f32,b=i8,group=32,scale=f16
gemm:m=1,n=64,k=4096,a=f32,b=i4,group=32,scale=f16
gemm:m=1,n=64,k=4096,a=bf16,b=bf16
gemm:m=1,n=64,k=4096,a=f32,b=f4E2M1FN,group=32,scale=f8E8M0FNU
gemm:m=1,n=64,k=4096,a=f32,b=f4E2M1FN,group=16,scale=f8E4M3FN
gemm:m=1,n=64,k=4096,a=bf16,b=f8E4M3FN,group=channel,scale=f32
gemm:m=8,n=4096,k=256,a=bf16,b=u4,group=64,scale=f16,zero=u4
gemm:m=1,n=64,k=4096,a=f32,b=i8,group=32,scale=f16,compute=i8
gemm:m=4,n=64,k=4096,a=f32,b=i4,group=128,scale=f16,compute=i8
gemm:m=2,n=64,k=4096,a=f32,b=i8,group=channel,scale=f16,compute=i8
gemm:m=64,n=64,k=256,a=f32,b=f32
gemm:m=64,n=64,k=256,a=f32,b=i8,group=64,scale=f16
gemm:m=64,n=64,k=256,a=bf16,b=f4E2M1FN,group=16,scale=f8E4M3FN
""".split()

lines = [f"{spec} --target {target}" for target in sys.argv[1:] for spec in SPECS]


def fault(row):
    counters = row["counters"]
    touched = counters["sectors_read"] + counters["sectors_written"]
    least = counters["ideal_sectors_read"] + counters["ideal_sectors_written"]
    if touched > MOST * least:
        return f"touches {touched / least:.2f} times the sectors it needs"


emu.run(lines, fault)
