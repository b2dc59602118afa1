# Holds labgen-run model against formulas written here from their definitions.
#
# 200 random valid models, plain and with experts, latents and windows, by flags
# and by config.json, on random questions; every figure to 1e-12 relative. Uses
# nothing of the calculator but its output.
# Usage: model_random.py COUNT COMMAND..., in a folder to write to.
import json
import random
import subprocess
import sys

import cases

CHIPS = {"MI300X": (5.3e12, 1307.4e12, 192e9), "H100 SXM": (3.35e12, 989.4e12, 80e9), "L4": (0.3e12, 121e12, 24e9)}
SCHEMES = {"bf16": (16, 0, 0), "int8": (8, 0, 0), "int4": (4, 0, 0), "int4-g128-zp": (4, 128, 20), "mxfp4": (4, 32, 8)}
KV_BYTES = {"bf16": 2, "fp8": 1, "f32": 4}


def draw(rng):
    """A model as a dict, in the words of this file."""
    dh = rng.choice([32, 64, 96, 128])
    kv = rng.choice([1, 2, 4, 8])
    h = kv * rng.choice([1, 2, 3, 8])
    m = dict(L=rng.randint(1, 90), d=rng.choice([h * dh, 128 * rng.randint(1, 80)]), h=h, kv=kv, dh=dh)
    m.update(ff=rng.randint(1, 30000), v=rng.randint(1, 300000), gated=rng.random() < 0.7, tied=rng.random() < 0.4)
    m.update(bias=rng.random() < 0.3, E=0, k=0, eff=0, shared=0, dense=0, q_rank=0, kv_rank=0, window=0, wl=0)
    if rng.random() < 0.4:
        m["E"] = rng.randint(1, 300)
        m["k"] = rng.randint(1, m["E"])
        m["eff"] = rng.randint(1, 8000)
        m["shared"] = rng.randint(0, 2)
        m["dense"] = rng.randint(0, m["L"])
    if rng.random() < 0.25:
        m["q_rank"] = rng.choice([0, 256, 1536])
        m["kv_rank"] = rng.choice([128, 512])
        m["nope"], m["rope"], m["vd"] = rng.choice([64, 128]), rng.choice([32, 64]), rng.choice([64, 128])
        m["bias"] = False
    elif rng.random() < 0.3:
        m["window"] = rng.randint(1, 9000)
        m["wl"] = rng.randint(1, m["L"])
    return m


def matrices(m):
    """(stored, used per token, rows, columns) of each kind of linear layer."""
    d, L, out = m["d"], m["L"], []
    if m["kv_rank"]:
        qk = m["nope"] + m["rope"]
        if m["q_rank"]:
            out += [(L, L, m["q_rank"], d), (L, L, m["h"] * qk, m["q_rank"])]
        else:
            out += [(L, L, m["h"] * qk, d)]
        out += [(L, L, m["kv_rank"] + m["rope"], d), (L, L, m["h"] * (m["nope"] + m["vd"]), m["kv_rank"])]
        out += [(L, L, d, m["h"] * m["vd"])]
    else:
        out += [(L, L, m["h"] * m["dh"], d), (L, L, m["kv"] * m["dh"], d)]
        out += [(L, L, m["kv"] * m["dh"], d), (L, L, d, m["h"] * m["dh"])]
    ups = 2 if m["gated"] else 1
    moe = L - m["dense"] if m["E"] else 0
    plain = L - moe
    out += [(plain, plain, m["ff"], d)] * ups + [(plain, plain, d, m["ff"])]
    out += [(moe * m["E"], moe * m["k"], m["eff"], d)] * ups + [(moe * m["E"], moe * m["k"], d, m["eff"])]
    out += [(moe * m["shared"],) * 2 + (m["eff"], d)] * ups + [(moe * m["shared"],) * 2 + (d, m["eff"])]
    return [x for x in out if x[0]]


def expect(m, q):
    linear = matrices(m)
    moe = m["L"] - m["dense"] if m["E"] else 0
    router = moe * m["E"] * m["d"]
    drill = sum(s * r * c for s, _, r, c in linear) + router
    active = sum(u * r * c for _, u, r, c in linear) + router
    extras = m["L"] * 2 * m["d"] + m["d"]
    if m["kv_rank"]:
        extras += m["L"] * (m["q_rank"] + m["kv_rank"])
    if m["bias"]:
        extras += m["L"] * (m["h"] + 2 * m["kv"]) * m["dh"]
    embed = m["v"] * m["d"]
    total = drill + extras + embed * (1 if m["tied"] else 2)
    out = {"total": total, "drill": drill, "active": total - (drill - active)}

    bits, group, extra = SCHEMES[q["weights"]]
    if group:
        weights = 2 * (total - drill + router)
        for stored, _, rows, cols in linear:
            weights += stored * (rows * -(-cols * bits // 8) + -(-(rows * -(-cols // group) * extra) // 8))
    else:
        weights = -(-total * bits // 8)
    out["weights"] = weights

    n, b = q["context"], q["batch"]
    qk, vd = (m["nope"] + m["rope"], m["vd"]) if m["kv_rank"] else (m["dh"], m["dh"])
    pair = 2 * m["h"] * (qk + vd)
    out["linear_flops"] = 2 * active * n
    out["attention"] = pair * n * n * m["L"]
    visible = sum(min(i, m["window"]) for i in range(1, n + 1)) if m["window"] else 0
    full = m["L"] - m["wl"]
    out["causal"] = pair * (full * n * (n + 1) // 2 + m["wl"] * visible)
    keep = min(n, m["window"]) if m["window"] else 0
    # Latents stay latent in decode: every head meets all of it, twice.
    seen = 2 * m["h"] * (2 * m["kv_rank"] + m["rope"]) if m["kv_rank"] else pair
    out["decode"] = 2 * active + 2 * embed + seen * (full * n + m["wl"] * keep)
    elements = m["kv_rank"] + m["rope"] if m["kv_rank"] else 2 * m["kv"] * m["dh"]
    width = KV_BYTES[q["kv"]]
    out["training"] = 6 * active + 6 * embed
    out["kv_token"] = m["L"] * elements * width
    sequence = elements * width * (full * n + m["wl"] * keep)
    out["kv"] = sequence
    pages = -(-n // 16)
    windowed = min(pages, -(-min(n, m["window"] - 1 + 2048) // 16) + 1) if m["window"] else 0
    out["paged"] = elements * width * 16 * (full * pages + m["wl"] * windowed)

    bandwidth, peak, capacity = CHIPS[q["chip"]]
    out["steps"] = bandwidth / (weights + b * sequence)
    out["tokens"] = b * bandwidth / (weights + b * sequence)
    out["compute"] = peak / (b * out["decode"])
    room = capacity * q["share"] - weights
    out["fit"] = int(room // sequence) if room > 0 else 0
    experts = m["E"] * (1 - (1 - m["k"] / m["E"]) ** b) if m["E"] else 0
    out["experts"] = experts
    layer = sum(u * r * c for _, u, r, c in linear[: (5 if m["q_rank"] else 4)]) / m["L"]
    ffn = m["k"] + m["shared"] if moe else 1
    width = m["eff"] if moe else m["ff"]
    if moe:
        ffn_params = ffn * (3 if m["gated"] else 2) * m["d"] * width + m["E"] * m["d"]
    else:
        ffn_params = (3 if m["gated"] else 2) * m["d"] * width
    out["cross_all"] = (layer + ffn_params) / (m["h"] * (qk + vd))
    out["cross_ffn"] = ffn_params / (m["h"] * (qk + vd))
    return out


def got(r):
    step = r["decode"]["steps"][1]
    context = r["flops"]["contexts"][0]
    sequence = r["kv"]["sequences"][0]
    return {
        "total": r["parameters"]["total"],
        "drill": r["parameters"]["drill_form"],
        "active": r["parameters"]["active"],
        "weights": step["weight_bytes"],
        "linear_flops": context["prefill_linear"],
        "attention": context["prefill_attention"],
        "causal": context["prefill_attention_causal"],
        "decode": context["decode"],
        "training": r["flops"]["training_per_token"],
        "kv_token": r["kv"]["bytes_per_token"],
        "kv": sequence["ideal_bytes"],
        "paged": sequence["paged_bytes"],
        "steps": step["steps_per_s"],
        "tokens": step["tokens_per_s"],
        "compute": step["compute_steps_per_s"],
        "fit": r["sequences"][0]["sequences"],
        "experts": next((e["experts"] for e in r.get("experts", []) if e["batch"] == step["batch"]), 0),
        "cross_all": r["regime"]["crossover_all_linear"],
        "cross_ffn": r["regime"]["crossover_ffn_only"],
    }


def flags(m):
    out = ["--layers", m["L"], "--hidden", m["d"], "--heads", m["h"], "--vocab", m["v"], "--ffn", m["ff"]]
    out += ["--gated", "yes" if m["gated"] else "no", "--tied", "yes" if m["tied"] else "no"]
    if m["E"]:
        out += ["--experts", m["E"], "--top-k", m["k"], "--expert-ffn", m["eff"]]
        out += ["--shared-experts", m["shared"], "--dense-layers", m["dense"]]
    if m["kv_rank"]:
        out += ["--kv-rank", m["kv_rank"], "--nope-dim", m["nope"], "--rope-dim", m["rope"], "--v-dim", m["vd"]]
        if m["q_rank"]:
            out += ["--q-rank", m["q_rank"]]
    else:
        out += ["--kv-heads", m["kv"], "--head-dim", m["dh"], "--qkv-bias", "yes" if m["bias"] else "no"]
    if m["window"]:
        out += ["--window", m["window"], "--window-layers", m["wl"]]
    return [str(x) for x in out]


def config(m):
    """The same as config.json, where a family of transformers has that shape."""
    if m["kv_rank"] or m["E"] or not m["gated"] or m["window"]:
        return None
    return dict(
        model_type="qwen2" if m["bias"] else "llama", num_hidden_layers=m["L"], hidden_size=m["d"],
        num_attention_heads=m["h"], num_key_value_heads=m["kv"], head_dim=m["dh"], intermediate_size=m["ff"],
        vocab_size=m["v"], tie_word_embeddings=m["tied"],
    )


def main():
    count, command = int(sys.argv[1]), sys.argv[2:]
    rng = random.Random(20250101)
    files = 0
    for case in range(count):
        m = draw(rng)
        q = dict(
            context=rng.randint(1, 20000), batch=rng.choice([1, 2, 7, 8, 33, 128]), chip=rng.choice(list(CHIPS)),
            weights=rng.choice(list(SCHEMES)), kv=rng.choice(list(KV_BYTES)), share=rng.choice([1, 0.5, 0.25]),
        )
        shape = flags(m)
        if config(m) and rng.random() < 0.7:
            with open("config.json", "w") as file:
                json.dump(config(m), file)
            shape, files = ["config.json"], files + 1
        asked = ["--context", q["context"], "--batch", q["batch"], "--chip", q["chip"], "--weights", q["weights"]]
        asked += ["--kv-dtype", q["kv"], "--utilization", q["share"], "--json"]
        run = subprocess.run([*command, *shape, *map(str, asked)], capture_output=True, text=True)
        if run.returncode:
            cases.case(f"model {case}", f"{shape} {asked}: {run.stderr}")
            continue
        want, have = expect(m, q), got(json.loads(run.stdout))
        off = [f"{key} is {have[key]!r}, want {value!r}" for key, value in want.items()
               if abs(have[key] - value) > 1e-12 * abs(value)]
        cases.case(f"model {case}", off and f"{off}: {m} {q}")
    cases.case("models by config.json", not files and "none is")
    cases.done()


main()
