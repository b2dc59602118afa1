"""Every row of a file is ok, and there are as many as there should be."""
import json
import sys

path, count = sys.argv[1], int(sys.argv[2])
rows = [json.loads(line) for line in open(path)]
faults = [f"{r['spec']}: {r['status']}, {r['reason']}" for r in rows if r["status"] != "ok"]
if len(rows) != count:
    faults.append(f"{len(rows)} rows, expected {count}")
if faults:
    sys.exit("\n".join(faults))
