# The figures of b05's solutions, held against the model calculator: what a line
# there calculates by hand is what `labgen-run model --json` says, and what
# `make run-exercises` prints. LABGEN_RUN names the tool.
import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

from calc import fault, lines_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLUTIONS = ROOT / "solutions/b05"
GATED = "--layers 80 --hidden 8192 --heads 64 --kv-heads 8 --ffn 28672 --gated yes --vocab 128256"
SMALL = "--layers 32 --hidden 4096 --heads 32 --ffn 16384 --gated no --vocab 32000 --chip H100 --chip MI300X"


def calculator(arguments):
    done = subprocess.run([os.environ["LABGEN_RUN"], "model", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def model(options):
    return json.loads(calculator([*options.split(), "--json"]))


def cells(text, heading, *first):
    """The cells of the one line under a heading that begins with `first`."""
    table = text.split(heading)[1].split("\n\n")[0]
    rows = [re.split(r"  +", line.strip()) for line in table.splitlines()]
    found = [row for row in rows if tuple(row[: len(first)]) == first]
    assert len(found) == 1, (heading, first, table)
    return found[0]


def one(records, **keys):
    """The only record that has these values."""
    found = [r for r in records if all(r[key] == value for key, value in keys.items())]
    assert len(found) == 1, (keys, len(found))
    return found[0]


class Held(unittest.TestCase):
    def holds(self, page, line, value):
        """The page has this calc line, and its figure is `value` to the last digit."""
        with self.subTest(page=page, line=line):
            lines = [text for _, text in lines_of((SOLUTIONS / page).read_text())]
            self.assertIn(line, lines)
            self.assertIsNone(fault(f"{value!r} = {line.rpartition('=')[2].strip()}"))


class Figures(Held):
    def test_size_a_model(self):
        page = "01_size_a_model.md"
        got = model(f"{GATED} --context 4096,32768")
        parameters = got["parameters"]
        for line, value in [
            ("150994944 + 704643072 = 855638016", parameters["layer"]),
            ("3 * 3.5 * 8192^2 = 704643072", parameters["layer_ffn"]),
            ("80 * 855638016 = 68451041280", parameters["drill_form"]),
            ("2 * 128256 * 8192 = 2101346304", parameters["parts"]["embedding"] + parameters["parts"]["head"]),
            ("68451041280 + 2101346304 = 70552387584", parameters["total"] - parameters["parts"]["norms"]),
        ]:
            self.holds(page, line, value)
        for line, name in [
            ("68.451 * 2 = 136.9", "bf16"),
            ("68.451 * 1 = 68.5", "int8"),
            ("68.451 * 0.5 = 34.2", "int4"),
            ("68.451 * 4.125 / 8 = 35.3", "int4-g128"),
        ]:
            self.holds(page, line, one(got["weights"], format=name)["drill_form_bytes"] / 1e9)
        short, long = (one(got["flops"]["contexts"], context=n) for n in (4096, 32768))
        for line, value in [
            ("2 * 68.451e9 * 4096 = 5.61e14", short["prefill_linear"]),
            ("4 * 4096^2 * 8192 * 80 = 4.40e13", short["prefill_attention"]),
            ("2 * 68.451e9 * 32768 = 4.486e15", long["prefill_linear"]),
            ("4 * 32768^2 * 8192 * 80 = 2.815e15", long["prefill_attention"]),
            ("4.486e15 + 2.815e15 = 7.30e15", long["prefill"]),
            ("2 * 68.451e9 = 1.369e11", short["decode_linear"]),
        ]:
            self.holds(page, line, value)
        for line, chip, n in [
            ("6.047e14 / 1307.4e12 = 0.463", "MI300X", 4096),
            ("6.047e14 / 989.4e12 = 0.611", "H100 SXM", 4096),
            ("7.301e15 / 1307.4e12 = 5.58", "MI300X", 32768),
            ("7.301e15 / 989.4e12 = 7.38", "H100 SXM", 32768),
        ]:
            self.holds(page, line, one(got["flops"]["times"], chip=chip, context=n)["prefill_s"])
        self.holds(page, "(1 + 5.25) * 8192 + 1024 = 52224", got["regime"]["crossover_all_linear"])
        self.holds(page, "5.25 * 8192 = 43008", got["regime"]["crossover_ffn_only"])

    def test_decode(self):
        page = "01_size_a_model.md"
        got = model(GATED)
        step = lambda **keys: one(got["decode"]["steps"], batch=1, **keys)["drill_form_steps_per_s"]
        for line, chip, weights in [
            ("5300 / 136.902 = 38.7", "MI300X", "bf16"),
            ("5300 / 68.451 = 77.4", "MI300X", "int8"),
            ("5300 / 34.2255 = 154.9", "MI300X", "int4"),
            ("3350 / 136.902 = 24.5", "H100 SXM", "bf16"),
            ("3350 / 68.451 = 48.9", "H100 SXM", "int8"),
            ("3350 / 34.2255 = 97.9", "H100 SXM", "int4"),
        ]:
            self.holds(page, line, step(chip=chip, weights=weights, context=0))
        self.holds(page, "5300 / (136.902 + 1.342) = 38.3", step(chip="MI300X", weights="bf16", context=4096))
        ridges = {record["chip"]: record for record in got["regime"]["ridges"]}
        self.holds(page, "246.68 * 8192 / (8192 - 2 * 246.68) = 262.5", ridges["MI300X"]["tokens_to_ridge"])
        self.holds(page, "295.34 * 8192 / (8192 - 2 * 295.34) = 318.3", ridges["H100 SXM"]["tokens_to_ridge"])
        nominal = model(f"{GATED} --params 70e9 --chip MI300X --weights bf16")["decode"]["steps"]
        self.holds(page, "5300 / 140 = 37.9", one(nominal, context=0)["steps_per_s"])
        self.holds(page, "5300 / (140 + 1.342) = 37.5", one(nominal, context=4096)["steps_per_s"])

    def test_training(self):
        page = "01_size_a_model.md"
        flops = model(f"{GATED} --training-tokens 1e12 --training-devices 1024 --training-share 0.4 --chip MI300X")["flops"]
        drill = flops["training_drill_form_per_token"]
        self.holds(page, "6 * 68.451e9 = 4.107e11", drill)
        self.holds(page, "4.107e11 * 1e12 = 4.107e23", drill * 1e12)
        self.holds(page, "6 * (68451041280 + 128256 * 8192) = 4.170e11", flops["training_per_token"])
        self.holds(page, "6 * 128256 * 8192 = 6.304e9", flops["training_per_token"] - drill)
        self.holds(page, "4.107e23 / (1024 * 0.4 * 1307.4e12) / 86400 = 8.9",
                   one(flops["training_days"], chip="MI300X")["drill_form_days"])

    def test_kv_cache_budget(self):
        page = "02_kv_cache_budget.md"
        both = {heads: model(f"{GATED.replace('--kv-heads 8', f'--kv-heads {heads}')} --params 70e9 --context 4096,8192 --batch 1,38")
                for heads in (8, 64)}
        per_token = {8: 327680, 64: 2621440}
        self.holds(page, "2 * 80 * 1024 * 2 = 327680", both[8]["kv"]["bytes_per_token"])
        self.holds(page, "2 * 80 * 8192 * 2 = 2621440", both[64]["kv"]["bytes_per_token"])
        for chip, weights, free, counts in [
            ("MI300X", "bf16", 52, (38, 4, 19, 2)),
            ("MI300X", "int8", 122, (90, 11, 45, 5)),
            ("H100 SXM", "int8", 10, (7, 0, 3, 0)),
            ("H100 SXM", "int4", 45, (33, 4, 16, 2)),
        ]:
            cells = [(n, heads) for n in (4096, 8192) for heads in (8, 64)]
            for (n, heads), count in zip(cells, counts, strict=True):
                record = one(both[heads]["sequences"], chip=chip, weights=weights, context=n)
                self.assertEqual(record["free_bytes"], free * 1e9)
                self.holds(page, f"floor({free}e9 / ({per_token[heads]} * {n})) = {count}", record["sequences"])
        full = one(both[8]["decode"]["steps"], chip="MI300X", weights="bf16", context=4096, batch=38)
        self.holds(page, "140 + 38 * 1.342 = 191.0", full["bytes_per_step"] / 1e9)
        self.holds(page, "5300 / 191.0 = 27.7", full["steps_per_s"])
        self.holds(page, "38 * 5300 / 191.0 = 1054", full["tokens_per_s"])
        eight = model(f"{GATED} --params 70e9 --kv-dtype fp8 --chip MI300X")
        self.holds(page, "floor(52e9 / (327680 / 2 * 4096)) = 77",
                   one(eight["sequences"], weights="bf16", context=4096)["sequences"])

    def test_smaller_one(self):
        page = "02_kv_cache_budget.md"
        mha, gqa = model(f"{SMALL} --kv-heads 32"), model(f"{SMALL} --kv-heads 8")
        self.holds(page, "12 * 4096^2 * 32 = 6.44e9", mha["parameters"]["drill_form"])
        self.holds(page, "10.5 * 4096^2 * 32 = 5.64e9", gqa["parameters"]["drill_form"])
        step = lambda got, chip: one(got["decode"]["steps"], chip=chip, weights="bf16", context=0)["drill_form_steps_per_s"]
        self.holds(page, "3350 / 12.885 = 260", step(mha, "H100 SXM"))
        self.holds(page, "3350 / 11.274 = 297", step(gqa, "H100 SXM"))
        self.holds(page, "5300 / 12.885 = 411", step(mha, "MI300X"))
        self.holds(page, "5300 / 11.274 = 470", step(gqa, "MI300X"))


class RunExercises(Held):
    """What `make run-exercises` prints: its commands, asked for text and JSON."""

    def setUp(self):
        listed = subprocess.run(["make", "-n", "run-exercises"], cwd=ROOT, capture_output=True, text=True)
        commands = [shlex.split(line) for line in listed.stdout.replace("\\\n", " ").splitlines()]
        calls = [words[2:] for words in commands if words[1:2] == ["tools/model_calculator.py"]]
        self.exact, self.nominal = [(calculator(call), json.loads(calculator([*call, "--json"]))) for call in calls]

    def test_prefill(self):
        page = "01_size_a_model.md"
        text, figures = self.exact
        for n, shares in [(4096, "4.40e13 / 6.05e14 * 100 = 7.3"), (32768, "2.815e15 / 7.301e15 * 100 = 38.6")]:
            flops = one(figures["flops"]["contexts"], context=n)
            share = 100 * flops["prefill_attention"] / flops["prefill"]
            self.holds(page, shares, share)
            for chip in ("MI300X", "H100 SXM"):
                seconds = one(figures["flops"]["times"], chip=chip, context=n)["prefill_s"]
                row = cells(text, "time of the prefill", chip, f"{n:,}")
                self.assertEqual(row[2:4] + row[5:6], [f"{flops['prefill']:.3e}", f"{share:.1f}%", f"{seconds * 1e3:,.2f} ms"])

    def test_training_days(self):
        text, figures = self.exact
        self.assertEqual(len(figures["flops"]["training_days"]), 2)
        for days in figures["flops"]["training_days"]:
            self.assertEqual((days["devices"], days["share"]), (1024, 0.4))
            row = cells(text, "days of the training on 1,024 devices, at 40% of the dense bf16 peak", days["chip"])
            self.assertEqual(row[2:], [f"{days['drill_form_days']:.1f}", f"{days['days']:.1f}"])
        self.holds("01_size_a_model.md", "4.107e23 / (1024 * 0.4 * 1307.4e12) / 86400 = 8.9",
                   one(figures["flops"]["training_days"], chip="MI300X")["drill_form_days"])

    def test_nominal(self):
        page = "01_size_a_model.md"
        text, figures = self.nominal
        for context, name, line in [(0, "KV ignored", "5300 / 140 = 37.9"), (4096, "4,096", "5300 / (140 + 1.342) = 37.5")]:
            steps = one(figures["decode"]["steps"], context=context)["steps_per_s"]
            self.holds(page, line, steps)
            row = cells(text, "drill form: steps/s", "MI300X", "bf16", name, "1")
            self.assertEqual((row[4], row[6]), ("140.000", f"{steps:.2f}"))


if __name__ == "__main__":
    unittest.main()
