# Checks that every page parses as it is meant: fences that close and name their
# language, tables whose rows have as many cells as their heading, one title and
# no skipped level of headings. (Links are check_tree.py's.)
# Prints one line per fault and exits 1 when there is one.
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = ("docs/Dialects/", "docs/Passes/")
LANGUAGES = {"sh", "text", "calc", "c", "c++", "json", "mlir", "diff"}
SHELL = {"sh", "sh slow", "sh shown"}  # what run_blocks.py knows


def cells(line):
    return len(re.split(r"(?<!\\)\|", line.strip().strip("|")))


def check_fence(info):
    word = info.partition(" ")[0]
    if not word:
        return "the block names no language; write sh for commands, text for anything else"
    if word not in LANGUAGES or (word == "sh" and info not in SHELL) or (word != "sh" and info != word):
        return f"unknown block '{info}'; use one of {', '.join(sorted(LANGUAGES | SHELL))}"


def faults_of(text, handwritten):
    """Pairs of line and fault."""
    fence = None
    width = level = 0
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" *```(.*)$", line)
        if mark and fence is None:
            fence = number
            if handwritten and (what := check_fence(mark[1])):
                yield number, what
            continue
        if fence is not None:
            if mark:
                fence = None
            continue
        if line.startswith("|"):
            if width and cells(line) != width:
                yield number, f"{cells(line)} cells in a table of {width}; a | in a cell is written \\|"
            width = width or cells(line)
        else:
            width = 0
        heading = re.match(r"(#+)( ?)", line)
        if heading and handwritten:
            depth = len(heading[1])
            if not heading[2]:
                yield number, "no blank after #; it is no heading"
            if depth > level + 1 or (depth == 1 and level):
                yield number, f"heading of level {depth} after level {level}; a page has one title, levels follow"
            level = depth
    if fence is not None:
        yield fence, "the block does not close"
    if handwritten and not level:
        yield 1, "no title"


def main():
    listed = subprocess.run(["git", "ls-files", "-z", "--", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    count = faults = 0
    for name in filter(None, listed.stdout.split("\0")):
        if not (ROOT / name).is_file():
            continue
        count += 1
        for number, what in faults_of((ROOT / name).read_text(), not name.startswith(GENERATED)):
            print(f"{name}:{number}: {what}")
            faults += 1
    print(f"{count} pages, {faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
