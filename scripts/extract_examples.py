#!/usr/bin/env python3
# Keeps the reference honest: takes every ```mlir block that follows an `Example:`
# line in dialects/Lab/*.td and runs it through labgen-opt (parse, verify, print,
# parse again). An example is a whole module as it stands, mostly one func.func,
# so that a reader can paste it and run it too. An attribute that is one of a few
# words needs no example: each of them is tried, as the reference has it.
import argparse
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^[ ]*```mlir\n(.*?)^[ ]*```", re.M | re.S)
RECORD = re.compile(r"^def\s+(\w+)", re.M)
ENUM = re.compile(r"^def (\w+) : Lab_Enum<(.*?)\]>;", re.M | re.S)
CASE = re.compile(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">')
ENUM_ATTR = re.compile(r'^def (\w+) : Lab_EnumAttr<(\w+), "(\w+)">;', re.M)


def records(text):
    """Each def of a .td file with its text and the offset it starts at."""
    starts = list(RECORD.finditer(text))
    for start, following in zip(starts, starts[1:] + [None]):
        end = following.start() if following else len(text)
        yield start[1], text[start.start() : end], start.start()


def examples(path):
    """(record, line, code) of each example in a .td file, and ops without."""
    text = path.read_text()
    found, lacking = [], []
    for record, body, offset in records(text):
        example = body.find("Example:")
        blocks = list(FENCE.finditer(body, example)) if example >= 0 else []
        needs = record.endswith("Op") or ": AttrDef<" in body.split("{", 1)[0]
        if not blocks and needs:
            lacking.append((record, text.count("\n", 0, offset) + 1))
        for block in blocks:
            line = text.count("\n", 0, offset + block.start(1)) + 1
            found.append((record, line, textwrap.dedent(block[1])))
    found += words(text)
    return found, lacking


def words(text):
    """An example of each word of each enum attribute."""
    cases = {enum[1]: CASE.findall(enum[2]) for enum in ENUM.finditer(text)}
    for attribute in ENUM_ATTR.finditer(text):
        line = text.count("\n", 0, attribute.start()) + 1
        for word in cases[attribute[2]]:
            code = f"module attributes {{lab.word = #lab.{attribute[3]}<{word}>}} {{}}\n"
            yield f"{attribute[1]}-{word}", line, code


def run(tool, code):
    return subprocess.run(
        [tool, "--verify-roundtrip", "-"], input=code, capture_output=True, text=True
    )


def main():
    parser = argparse.ArgumentParser(
        description="Extract or run the examples of the lab dialect's reference."
    )
    parser.add_argument("--run", metavar="LABGEN_OPT", help="run each example with this tool")
    parser.add_argument("-o", metavar="DIR", type=pathlib.Path, help="write each example to DIR/RECORD-LINE.mlir")
    parser.add_argument("td", nargs="*", type=pathlib.Path, help="files to read (default: dialects/Lab/*.td)")
    arguments = parser.parse_args()

    faults = count = 0
    for path in arguments.td or sorted((ROOT / "dialects/Lab").glob("*.td")):
        found, lacking = examples(path)
        for record, line in lacking:
            print(f"{path}:{line}: {record} has no Example: with an mlir block; write one")
            faults += 1
        for record, line, code in found:
            count += 1
            if arguments.o:
                arguments.o.mkdir(parents=True, exist_ok=True)
                (arguments.o / f"{record}-{line}.mlir").write_text(code)
            if arguments.run:
                result = run(arguments.run, code)
                if result.returncode:
                    print(f"{path}:{line}: the example of {record} does not run:\n{result.stderr}")
                    faults += 1
    print(f"{count} examples, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
