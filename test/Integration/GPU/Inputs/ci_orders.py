"""The set ci under three shuffled orders, for every chip.

usage: ci_orders.py
"""
import subprocess

import chips
import emu

specs = subprocess.run(["labgen", "list", "ci"], capture_output=True, text=True, check=True)
emu.run(
    [
        f"{spec} --target {target} --order-seed {seed}"
        for target in chips.gpu_targets()
        for spec in specs.stdout.split()
        for seed in (1, 2, 3)
    ]
)
