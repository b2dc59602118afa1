"""Labs of every op, shuffled three ways: each row is ok, without findings.

On a chip of each vendor and wave size.
"""
import chips
import emu

SPECS = """
axpy:n=5003,type=bf16
cast:n=5003,in=f32,out=f4E2M1FN
exp:n=1003,in=f16,out=f16
quantize:m=5,k=203,in=f32,out=i4,group=32,scale=f16,zero=i4
quantize:m=3,k=515,in=bf16,out=f8E4M3FN,group=channel,scale=f32
quantize:m=7,k=101,in=f32,out=i8,group=tensor,scale=f32
quantize:m=2,k=96,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN
dequantize:m=5,k=203,in=u4,out=f16,group=32,scale=f16,zero=u4
reduce:n=50021,type=f32,kind=sum
reduce:n=20021,type=f16,kind=dot,order=pairwise
reduce:n=20021,type=f32,kind=sumsq,order=compensated
reduce:n=3021,type=f64,kind=sum,order=sequential
reduce:n=3021,type=f16,kind=dot,order=sequential,acc=f16
reduce:n=20021,type=f16,kind=sum,order=pairwise,acc=f16
reduce:n=20021,type=f16,kind=dot,order=blocked,acc=f16
reduce:n=5021,type=f16,kind=sumsq,order=pairwise,block=100,acc=f16
reduce:n=40021,type=f32,kind=absmax
reduce:n=40000,type=f64,kind=dot,order=pairwise
reduce:n=70021,type=bf16,kind=sum,order=compensated
gemm:m=1,n=19,k=130,a=f32,b=f8E4M3FN,group=32,scale=f32
gemm:m=3,n=9,k=130,a=f32,b=i4,group=32,scale=f16,compute=i8
gemm:m=2,n=5,k=4192,a=bf16,b=u4,group=16,scale=f16,zero=u4
gemm:m=2,n=5,k=1056,a=f32,b=i8,group=32,scale=f16,compute=i8
gemm:m=2,n=5,k=1100,a=f32,b=u8,group=channel,scale=f32,zero=u8,compute=i8
gemm:m=17,n=33,k=70,a=bf16,b=bf16
gemm:m=17,n=33,k=70,a=i8,b=i8
gemm:m=17,n=33,k=70,a=f32,b=i8,group=32,scale=f32,accumulate=yes
""".split()

lines = [
    f"{spec} --target {target} --order-seed {seed} --seed {seed}"
    for target in chips.sample_targets("wave_size")
    for spec in SPECS
    for seed in (1, 2, 3)
]
emu.run(lines)
