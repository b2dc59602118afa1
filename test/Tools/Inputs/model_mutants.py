# Feeds labgen-run model mutants of the configs of models.jsonl: keys dropped,
# values of another kind or size, lists, quantization_config, bytes flipped, the
# text cut. Each is read, with rates above 0, or refused with one line, and ends.
# Usage: model_mutants.py SEED COUNT MODELS.jsonl COMMAND..., in a folder to write to.
import json
import random
import subprocess
import sys

import cases

QUANTIZED = [
    {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]},
    {"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["re:.*gate$", "lm_head"]},
    {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {}},
    {"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": True},
    {"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head", "re:.*self_attn.*"],
     "config_groups": {"g": {"targets": ["Linear"], "weights": {"num_bits": 4, "strategy": "group", "group_size": 32}}}},
    {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_use_double_quant": True},
    {"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16, "ignore": ["lm_head*"]},
]
VALUES = [
    0, 1, -1, 7, 1.5, 1e300, 1 << 16, 1 << 24, 1 << 31, 1 << 62, -(1 << 63), "32", "", None, True, False, [], [1], {}, {"a": 1},
    float("nan"), float("inf"), ["full_attention"] * 6, ["linear_attention"] * 6, ["dense"] * 6, "re:((((", "*" * 50,
    ["re:" + "(a|b)*" * 30],
]
KEYS = ["head_dim", "num_key_value_heads", "sliding_window", "layer_types", "mlp_layer_types", "moe_layer_freq", "hidden_size"]
OPTIONS = [[], ["--tp", "2"], ["--weights", "file"], ["--vocab", "100"], ["--layers", "3"], ["--experts", "4"]]


def fresh(value):
    return json.loads(json.dumps(value))


def containers(value):
    yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            yield from containers(inner)


def mutant(rng, configs):
    config = fresh(rng.choice(configs))
    if rng.random() < 0.5:
        config["quantization_config"] = fresh(rng.choice(QUANTIZED))
    if rng.random() < 0.15:
        config = {"model_type": rng.choice(["gemma3", "llava", "nothing"]), "text_config": config}
    for _ in range(rng.randint(0, 4)):
        place, value = rng.choice(list(containers(config))), fresh(rng.choice(VALUES))
        if isinstance(place, list):
            if place:
                place[rng.randrange(len(place))] = value
        elif rng.random() < 0.3 and place:
            del place[rng.choice(list(place))]
        else:
            place[rng.choice(list(place) + KEYS)] = value
    text = json.dumps(config).encode()
    if rng.random() < 0.1:
        spoiled = bytearray(text)
        for _ in range(rng.randint(1, 3)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        text = bytes(spoiled[: rng.randint(1, len(spoiled))])
    return text


def fault(run):
    """What is wrong with how it ended; empty when nothing is."""
    said = run.stderr.decode(errors="replace")
    if run.returncode == 0 and not said:
        report = json.loads(run.stdout)
        steps = report["decode"]["steps"]
        return "" if report["parameters"]["total"] > 0 and all(s["steps_per_s"] > 0 for s in steps) else "no figures"
    refused = run.returncode == 1 and said.startswith("error: ") and said.count("\n") == 1 and not run.stdout
    return "" if refused else f"exit {run.returncode}: {said[:500]}"


def main():
    seed, count, models, command = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    with open(models) as file:
        configs = [json.loads(line)["config"] for line in file]
    read = 0
    for case in range(count):
        rng = random.Random(f"{seed} {case}")
        with open("mutant.json", "wb") as file:
            file.write(mutant(rng, configs))
        arguments = [*command, "mutant.json", "--json", *rng.choice(OPTIONS)]
        try:
            run = subprocess.run(arguments, capture_output=True, timeout=60)
            what = fault(run)
            read += run.returncode == 0
        except subprocess.TimeoutExpired:
            what = "no end"
        cases.case(f"mutant {seed} {case}", what and f"{what}: {arguments}")
    cases.case("some mutants are read", not read and "none is")
    cases.done()


main()
