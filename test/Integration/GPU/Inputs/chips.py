"""The GPU targets of labgen's table of chips, newest last within a vendor."""
import json
import subprocess


def rows():
    """As `labgen chips --json` prints them."""
    text = subprocess.run(["labgen", "chips", "--json"], capture_output=True, text=True, check=True).stdout
    return [row for row in map(json.loads, text.splitlines()) if "wave_size" in row]


def gpu_targets():
    return [row["target"] for row in rows()]


def samples(*keys):
    """The newest chip of each vendor, and of each that differs in these fields."""
    newest = {}
    for row in rows():
        newest[row["target"].split(":")[0], *(row[key]["value"] for key in keys)] = row
    return list(newest.values())


def sample_targets(*keys):
    return [row["target"] for row in samples(*keys)]
