#!/usr/bin/env python3
# Keeps the capability table of docs/gpu.md as `labgen chips --json` says it; a
# test says when it is stale.
# usage: chip_table.py LABGEN [--check]
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "gpu.md"
BEGIN, END = "<!-- capability table -->\n", "<!-- end -->\n"


def table(labgen):
    """Markdown: a line per GPU target, a column per field."""
    if not pathlib.Path(labgen).is_file():
        sys.exit(f"error: no {labgen}; give the labgen that was built")
    said = subprocess.run([labgen, "chips", "--json"], capture_output=True, text=True, check=True)
    targets = [json.loads(line) for line in said.stdout.splitlines()]
    gpus = [t for t in targets if not t["target"].startswith("cpu:")]
    keys = [key for key in gpus[0] if key not in ("target", "chip")]
    lines = ["| target | product it stands for | " + " | ".join(gpus[0][k]["title"] for k in keys) + " |"]
    lines.append("|---" * (len(keys) + 2) + "|")
    for gpu in gpus:
        # Most is from the vendors' texts; what is not says so.
        cells = [
            f["value"] + ("" if f["evidence"] == "vendor" else f" ({f['evidence']})")
            for f in (gpu[k] for k in keys)
        ]
        lines.append(f"| `{gpu['target']}` | {gpu['chip']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 2:
        sys.exit("error: usage: chip_table.py LABGEN [--check]")
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    fresh = head + BEGIN + "\n" + table(sys.argv[1]) + "\n" + END + tail
    if fresh == text:
        return
    if "--check" in sys.argv:
        sys.exit("error: the capability table of docs/gpu.md is stale; run scripts/chip_table.py LABGEN")
    PAGE.write_text(fresh)


if __name__ == "__main__":
    main()
