"""Every row of a file is ok, and there are as many as there should be."""
import json
import sys

import cases

path, count = sys.argv[1], int(sys.argv[2])
with open(path) as file:
    rows = [json.loads(line) for line in file]
for row in rows:
    name = f"{row['spec']} {row['target']} {row['schedule']} --threads {row['threads']} --dist {row['dist']}"
    cases.case(name, row["status"] != "ok" and f"{row['status']}, {row['reason']}")
cases.case("rows", len(rows) != count and f"{len(rows)}, expected {count}")
cases.done()
