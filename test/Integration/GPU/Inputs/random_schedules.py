"""Random schedules on random labs and targets: each is refused with one line
that says what to change, or compiles and computes what the oracle says. None may
crash, hang or be wrong. The same schedules each time.

usage: random_schedules.py SEED COUNT TARGET...

`gpus` stands for every chip, `vendors` for one of each.
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys

import cases
import chips

SECONDS = 300  # only what never ends takes that long, on a busy machine too
seed, count = int(sys.argv[1]), int(sys.argv[2])
groups = {"gpus": chips.gpu_targets, "vendors": chips.sample_targets}
targets = [one for text in sys.argv[3:] for one in (groups[text]() if text in groups else [text])]
random.seed(seed)
pick = random.choice


def maybe(chance):
    return random.random() < chance


FLOATS = ["f32", "f16", "bf16"]
CODES = "i8 i4 f8E4M3FN f8E5M2 f4E2M1FN f6E2M3FN".split()
GROUPS = [8, 16, 32, 33, 64, "channel", "tensor"]
SIZES = [1, 3, 16, 33, 64, 100, 257]
TILES = [0, 1, 2, 3, 4, 7, 8, 16, 16, 32, 32, 33, 64, 64, 96, 128, 1000]
KIND = {"quantize": 2, "dequantize": 2, "cast": 1, "exp": 1, "axpy": 1, "reduce": 1, "gemm": 3}


def scaled(code):
    zero = f",zero={code}" if code[0] == "i" and maybe(0.3) else ""
    if code == "f4E2M1FN" and maybe(0.3):
        return f"group={pick([16, 32])},scale=f8E4M3FN"
    return f"group={pick(GROUPS)},scale={pick(FLOATS)}{zero}"


def lab(op):
    m, n, k = (pick(SIZES) for _ in range(3))
    code = pick(CODES)
    if op == "quantize":
        return f"quantize:m={m},k={k},in={pick(FLOATS)},out={code},{scaled(code)}"
    if op == "dequantize":
        return f"dequantize:m={m},k={k},in={code},out={pick(FLOATS)},{scaled(code)}"
    if op in ("cast", "exp"):
        return f"{op}:n={n * pick([1, 9])},in={pick(FLOATS + CODES[2:])},out={pick(FLOATS + CODES[2:])}"
    if op == "axpy":
        return f"axpy:n={n * pick([1, 9])},type={pick(FLOATS + ['f64'])}"
    if op == "reduce":
        kind = pick("sum dot max absmax".split())
        order = pick("sequential blocked pairwise compensated".split())
        block = f",block={pick([64, 128])}" if order in ("blocked", "pairwise") else ""
        rest = f",order={order}{block}" if kind in ("sum", "dot") else ""
        return f"reduce:n={n * pick([1, 40])},type={pick(FLOATS)},kind={kind}{rest}"
    more = pick(["", "", ",accumulate=yes"])
    if maybe(0.5):
        a = pick(FLOATS + ["i8", "f8E4M3FN"])
        return f"gemm:m={m},n={n},k={k},a={a},b={a}{more}"
    compute = ",compute=i8" if code[0] == "i" and maybe(0.4) else ""
    return f"gemm:m={m},n={n},k={k},a={pick(FLOATS)},b={code},{scaled(code)}{compute}{more}"


def tile(spec, reduces=0.0):
    """Along groups by them, mostly; dimension 2 of a gemm is summed over and
    rarely tiled but by loops."""
    sizes = [pick(TILES) for _ in range(KIND[spec.partition(":")[0]])]
    group = re.search(r"group=(\d+)", spec)
    if "group=" in spec and maybe(0.9):
        sizes[-1] = int(group[1]) * pick([0, 1, 1, 2, 4]) if group else 0
    if spec.startswith("reduce") and maybe(0.9):
        sizes = [pick([0, 0, 128 * 64, 16384])]
    if len(sizes) == 3 and not maybe(reduces):
        sizes[2] = 0
    return "[" + ", ".join(map(str, sizes)) + "]"


def copies(op):
    if op != "gemm" and maybe(0.9):
        return ""
    words = ""
    for word in ("pack", "stage"):
        if maybe(0.35):
            words += f" {word} {pick([[0], [1], [0, 1], [1, 0], [0], [2], [3]])}"
    by = [pick([0, 1, 2, 4, 8, 16]) for _ in range(2)]
    return words + f" by {by}" if words else ""


def kernel(op, gpu):
    words = []
    if op == "gemm" and maybe(0.6) or maybe(0.05):
        words.append(pick(["dot", "dot", "outer", "outer", "inner"]))
    if maybe(0.07):
        words.append(f'integer_dot = {pick(["pairs", "quads", "generic"])}')
    if maybe(0.1):
        names = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f4E2M1FN", "f8E8M0FNU", "f6E2M3FN", "f32"]
        words.append(f'{pick(["extend", "truncate"])} = [{pick(names)}]')
    for name, values in (("width", [1, 3, 4, 16, 512]), ("unroll", [1, 2, 16, 100])):
        if maybe(0.3 if op == "gemm" and gpu else 0.03):
            words.append(f"{name} = {pick(values)}")
    if maybe(0.1):
        words.append(f"prefetch = {pick([0, 64, 4096])}")
    if maybe(0.1):
        words.append("nontemporal")
    return ", kernel<" + ", ".join(words) + ">" if words else ""


def accumulated(op):
    """What chosen schedules of gemms on GPUs look like, with other numbers."""
    own, side = pick([1, 2, 4]), pick([4, 8, 16])
    size, depth = own * side, pick([1, 4, 8, 16, 32])
    return [
        f"block [{size}, {size}, 0] threads {side * side} pad",
        f"loop [0, 0, {depth}] pad accumulate pack [0, 1] by {[pick([0, 1, 4]) for _ in range(2)]}",
        f"thread [{own}, {own}, 0]",
    ]


def schedule(spec, gpu):
    op, threads = spec.partition(":")[0], pick([1, 4, 32, 64, 256, 1024])
    if op == "gemm" and gpu and maybe(0.3):
        levels = accumulated(op)
    else:
        owns = f" threads {threads}" if gpu else ""
        levels = [f"block {tile(spec, 0.05)}{owns}{copies(op) if maybe(0.2) else ''}"]
        for _ in range(pick([0, 0, 1, 1, 2])):
            levels.append(f"loop {tile(spec, 0.6)}{copies(op) if maybe(0.6) else ''}")
        if gpu:
            shares = op in ("quantize", "dequantize", "reduce", "gemm")
            share = f" lanes {pick([2, 8, 32, 64])}" if maybe(0.5 if shares else 0.1) else ""
            levels.append(f"{'warp' if share else 'thread'} {tile(spec, 0.1)}{share}")
    # What nobody would write.
    if maybe(0.1):
        levels.pop(random.randrange(len(levels)))
    if maybe(0.05):
        random.shuffle(levels)
    if maybe(0.05):
        levels.append(pick(levels) if levels else f"loop {tile(spec)}")
    for flag in ("accumulate", "pad"):
        if levels and maybe(0.05):
            at = random.randrange(len(levels))
            levels[at] = re.sub(r"(\](?: (?:threads|lanes) \d+)?(?: pad)?)(?! by)", rf"\1 {flag}", levels[at], count=1)
    words = kernel(op, gpu)
    return (", ".join(levels) + words).removeprefix(", ")


def run(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "hang", ""
    if done.returncode == 0 and not done.stderr:
        row = json.loads(done.stdout)
        right = row["status"] == "ok" and not row["findings"]
        return ("ok", "") if right else ("wrong", done.stdout)
    # A fault that the compiler blames on itself or on upstream is none of the
    # schedule's.
    one = re.fullmatch(r"error: [ -~]+; [ -~]+\n", done.stderr) and not done.stdout
    inside = re.search(r"crashed| failed: |fault of labgen|did not end", done.stderr)
    if done.returncode == 1 and one and not inside:
        return "refused", done.stderr
    return "bad", done.stdout + done.stderr


commands = []
for _ in range(count):
    op, target = pick(list(KIND) + ["gemm"] * 3), pick(targets)
    gpu = not target.startswith("cpu") if maybe(0.9) else maybe(0.5)
    spec = lab(op)
    words = ["labgen", "run", spec, "--target", target, "--schedule", schedule(spec, gpu)]
    commands.append(words + ["--no-time", "--json"] + ["--device", "emu"] * (not target.startswith("cpu")))

seen, reasons = collections.Counter(), collections.Counter()
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for command, (what, text) in zip(commands, pool.map(run, commands)):
        cases.case(shlex.join(command), what not in ("ok", "refused") and f"\n  {what}: {text}")
        seen[what] += 1
        if what == "refused":
            text = re.sub(r"schedule: .*>:\d+:\d+", "schedule", text)
            reasons[re.sub(r"\d+|'[^']*'|\([^)]*\)|\"[^\"]*\"", "N", text.split(";")[0])] += 1
for reason, times in reasons.most_common():
    print(times, reason)
print(dict(seen))
cases.case("one in ten computes", seen["ok"] < count // 10 and dict(seen))
cases.done()
