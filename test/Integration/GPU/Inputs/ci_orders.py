"""The set ci under three shuffled orders.

usage: ci_orders.py TARGET...
"""
import subprocess
import sys

import emu

specs = subprocess.run(["labgen", "list", "ci"], capture_output=True, text=True, check=True)
emu.run(
    [
        f"{spec} --target {target} --order-seed {seed}"
        for target in sys.argv[1:]
        for spec in specs.stdout.split()
        for seed in (1, 2, 3)
    ]
)
