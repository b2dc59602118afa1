#!/usr/bin/env python3
# The house rules a compiler does not check, over every file git tracks: size
# and opening comment, formatting, no leftovers, FileCheck directives that check
# something, links that lead somewhere. layers.py holds includes to the layers.
# Prints one line per fault and exits 1 when there is one.
import pathlib
import re
import shutil
import subprocess
import sys

import layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 400
CPP = {".cpp", ".h", ".c", ".def"}
# Suffix or name of a source file -> how a comment begins in it.
COMMENT = {suffix: "//" for suffix in (*CPP, ".td", ".mlir")}
COMMENT |= {suffix: "#" for suffix in (".py", ".sh", ".cmake", ".in", ".txt", ".test")}
COMMENT |= {".ll": ";", "Makefile": "#", "run": "#", ".clang-tidy": "#"}
GENERATED = ("docs/Dialects/", "docs/Passes/")
LEFTOVER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")
DIRECTIVE = re.compile(
    r"^\s*(?://|;|#)\s*([A-Z][A-Z0-9_-]*?)"
    r"(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?(?:\{LITERAL\})?:"
)
LIT_KEYWORDS = {"RUN", "EACH-CHIP", "REQUIRES", "UNSUPPORTED", "XFAIL", "COM", "DEFINE", "REDEFINE", "END"}

faults = []


def fault(path, line, message):
    faults.append(f"{path}:{line}: {message}")


def check_source(path, lines):
    """Length, and why the file exists, said at its top."""
    mark = COMMENT.get(path.suffix) or COMMENT.get(path.name)
    if mark is None:
        return
    if len(lines) > MAX_LINES:
        fault(path, len(lines), f"{len(lines)} lines; split it, the limit is {MAX_LINES}")
    first = next((l for l in lines if l.strip() and not l.startswith("#!")), "")
    needed = lines and path.name != "CMakeLists.txt"  # those only list
    if needed and not first.startswith((mark, "/*", '"""', "@LIT_SITE_CFG")):
        fault(path, 1, "opens without a comment; say why the file exists")


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            fault(path, number, "trailing whitespace; remove it")
        if LEFTOVER.search(line) and path.parts[0] != "exercises":
            fault(path, number, "leftover note; do it or drop it")


def check_filecheck(path, lines):
    """FileCheck passes over a directive whose prefix no RUN line names."""
    if path.parts[0] != "test" or path.suffix not in (".mlir", ".ll", ".test"):
        return
    runs = " ".join(l for l in lines if re.match(r"\s*(//|;|#)\s*(RUN|DEFINE)\b", l))
    prefixes = set()
    for names in re.findall(r"--?check-prefix(?:es)?[= ]\s*([\w,-]+)", runs):
        prefixes.update(names.split(","))
    calls = runs.count("FileCheck")
    if calls > len(re.findall(r"--?check-prefix(?:es)?[= ]", runs)):
        prefixes.add("CHECK")
    seen = set()
    for number, line in enumerate(lines, 1):
        match = DIRECTIVE.match(line)
        if not match or match[1] in LIT_KEYWORDS:
            continue
        seen.add(match[1])
        if calls and match[1] not in prefixes:
            fault(path, number, f"no RUN line has FileCheck prefix {match[1]}; it checks nothing")
    for prefix in sorted(prefixes - seen):
        fault(path, 1, f"FileCheck prefix {prefix} has no directive; it checks nothing")


def slug(heading):
    """The anchor a heading gets when the page is shown."""
    text = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return text.replace(" ", "-")


def anchors(path):
    lines = (ROOT / path).read_text().splitlines()
    return {slug(l.lstrip("#")) for l in lines if re.match(r"#{1,6} ", l)}


def check_links(path, lines):
    if path.suffix != ".md":
        return
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith("```")
        if fenced:
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            there = pathlib.Path(name and (path.parent / name) or path)
            if not (ROOT / there).exists():
                fault(path, number, f"link to {target} leads nowhere; mend it")
            elif anchor and there.suffix == ".md" and anchor not in anchors(there):
                fault(path, number, f"{target}: no such heading; mend the link")


def check_format(paths):
    tool = shutil.which("clang-format-22") or "/usr/lib/llvm-22/bin/clang-format"
    if not paths or not pathlib.Path(tool).exists():
        return
    run = subprocess.run([tool, "--dry-run", "-Werror", *map(str, paths)], cwd=ROOT, capture_output=True, text=True)
    for line in sorted(set(re.findall(r"^(\S+):\d+:\d+: error", run.stderr, re.M))):
        fault(line, 1, "not formatted; run clang-format-22 -i on it")


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        sys.exit("error: not a git checkout; run this check in a clone of the repository")
    paths = [pathlib.Path(p) for p in listed.stdout.split("\0") if p and (ROOT / p).is_file()]
    for path in paths:
        try:
            lines = (ROOT / path).read_text().splitlines()
        except UnicodeDecodeError:
            continue  # an .npy or a picture
        if not str(path).startswith(GENERATED):
            check_source(path, lines)
            check_text(path, lines)
        check_filecheck(path, lines)
        check_links(path, lines)
    faults.extend(layers.check(ROOT, paths))
    check_format([p for p in paths if p.suffix in CPP - {".def"}])
    print("\n".join(faults + [f"{len(paths)} files, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
