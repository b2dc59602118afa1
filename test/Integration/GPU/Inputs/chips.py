"""The GPU targets of labgen's table of chips."""
import json
import subprocess


def gpu_targets():
    text = subprocess.run(["labgen", "chips", "--json"], capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    return [row["target"] for row in rows if "wave_size" in row]
