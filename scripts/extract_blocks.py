#!/usr/bin/env python3
# Prints the fenced code blocks of one language in a Markdown file, or in one
# section of it, so that tests compile and run what the docs show.
# usage: extract_blocks.py FILE.md LANGUAGE [HEADING]
import re
import sys


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("error: usage: extract_blocks.py FILE.md LANGUAGE [HEADING]")
    text = open(sys.argv[1]).read()
    if len(sys.argv) == 4:
        # `#` alone may be a comment in a block.
        section = re.search(rf"^##+ {re.escape(sys.argv[3])}\n(.*?)(?=^##+ |\Z)", text, re.M | re.S)
        if not section:
            sys.exit(f"error: {sys.argv[1]} has no heading {sys.argv[3]}; name one it has")
        text = section[1]
    blocks = re.findall(rf"^```{re.escape(sys.argv[2])}\n(.*?)^```$", text, re.M | re.S)
    if not blocks:
        sys.exit(f"error: {sys.argv[1]} has no block of {sys.argv[2]} there; check the fences")
    sys.stdout.write("\n".join(blocks))


if __name__ == "__main__":
    main()
