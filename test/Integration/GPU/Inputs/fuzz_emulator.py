"""Runs labgen-fuzz-emulator on device IR of labs of both vendors and on the
hand-written kernels of the unit tests.

usage: fuzz_emulator.py ROOT COUNT
"""
import os
import pathlib
import subprocess
import sys

import cases
import chips

LABS = [
    "axpy:n=300,type=f32",
    "cast:n=100,in=f32,out=f8E4M3FN",
    "quantize:m=2,k=70,in=f32,out=i4,group=32,scale=f32",
    "quantize:m=2,k=64,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU",
    "dequantize:m=2,k=70,in=i4,out=f32,group=32,scale=f16",
    "reduce:n=3000,type=f32,kind=sum",
    "exp:n=100,in=f32,out=f16",
    "gemm:m=3,n=5,k=40,a=f32,b=i8,group=32,scale=f32",
]

root, count = pathlib.Path(sys.argv[1]), sys.argv[2]
seeds = sorted((root / "test/Unit/Emulator/kernels").glob("*.ll"))
for target in chips.sample_targets("wave_size"):
    for number, lab in enumerate(LABS):
        folder = f"{target.split(':')[1]}-{number}"
        subprocess.run(["labgen", "compile", lab, "--target", target, "-o", folder], check=True)
        seeds += sorted(pathlib.Path(folder).glob("*.ll"))
# A mutant that reaches the host would leave its files here.
empty = pathlib.Path("empty")
empty.mkdir()
command = ["labgen-fuzz-emulator", "--count", count, "--seed", "1"]
command += ["--jobs", str(len(os.sched_getaffinity(0)))]
done = subprocess.run([*command, *(str(seed.resolve()) for seed in seeds)], cwd=empty,
                      stdout=subprocess.PIPE, text=True)
for line in done.stdout.splitlines():
    print(line)
    if line.startswith("finding: "):
        cases.case(line.removeprefix("finding: "), "a finding")
cases.case("mutants in the sandbox", done.returncode and f"exit {done.returncode}")
made = [path.name for path in empty.iterdir()]
cases.case("files of the host", made and f"a mutant made {made}")
cases.done()
