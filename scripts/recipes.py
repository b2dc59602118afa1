#!/usr/bin/env python3
"""Holds the recipes of docs/adding.md true.

Without options: the files that softmax is made of are those that the recipe for
an op lists, at most twelve.

With --build: follows the recipes in a copy of the tree, with an op `twin`, a chip
and a number format that are not there, builds it and runs them. Fails where a
file was touched that the recipe does not list.

usage: recipes.py [--build FOLDER]
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("lib", "dialects", "runtime", "tools")
MOST = {"An op": 12, "A chip": 3, "A number format": 2}
CHIP, FORMAT = "sm_103a", "f8E3M4"


def listed(recipe):
    """The files of a recipe's table."""
    text = (ROOT / "docs/adding.md").read_text()
    section = re.search(rf"^## {recipe}\n(.*?)^## ", text, re.M | re.S)[1]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.M)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def ones(files):
    """How many files, a header and its source counted as one."""
    return len({re.sub(r"\.(h|cpp)$", "", name) for name in files})


def tracked(root, pattern):
    found = subprocess.run(["git", "grep", "-lE", pattern, "--", *SOURCES], cwd=root, capture_output=True, text=True)
    return set(found.stdout.split())


def faults_of(recipe, touched):
    names = listed(recipe)
    faults = [f"{name} is touched, and docs/adding.md does not list it under '{recipe}'" for name in sorted(touched - names)]
    if ones(touched) > MOST[recipe]:
        faults.append(f"'{recipe}' takes {ones(touched)} files, the most are {MOST[recipe]}")
    return faults


def check_softmax():
    touched = tracked(ROOT, "Softmax|bool shift|LABGEN_WORD\\(shift\\)")
    faults = faults_of("An op", touched)
    faults += [f"docs/adding.md lists {name}, where nothing of softmax is" for name in sorted(listed("An op") - touched)]
    return faults


class Tree:
    """A copy of the tree in which a recipe is followed."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.touched = set()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)

    def read(self, name):
        return (self.folder / name).read_text()

    def write(self, name, text):
        self.touched.add(name)
        (self.folder / name).write_text(text)

    def again(self, name, pattern, change):
        """Puts what `pattern` finds a second time, changed, behind the first."""
        text, count = re.subn(pattern, lambda found: found[0] + change(found[0]), self.read(name), count=1, flags=re.M | re.S)
        if not count:
            sys.exit(f"error: {name} has nothing like {pattern!r}; bring scripts/recipes.py up to date")
        self.write(name, text)

    def run(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)


def twin(text):
    return text.replace("Softmax", "Twin").replace("softmax", "twin").replace("SOFTMAX", "TWIN")


def add_op(tree):
    for name in sorted(listed("An op")):
        if "Softmax" in name:
            tree.write(twin(name), twin(tree.read(name)))
    tree.again("lib/Spec/KernelSpec.h", r'^  X\(E, Softmax, "softmax"\) *\\\n', twin)
    tree.again("dialects/Lab/LabOps.td", r"^def Lab_SoftmaxOp.*?^}\n", twin)
    for pattern in (r"^  case Op::Softmax:\n", r"^  case Op::Softmax:\n    lab::Softmax.*?break;\n"):
        tree.again("lib/Build/BuildLab.cpp", pattern, twin)
    for pattern in (r"^void registerSoftmax[^\n]*\n", r"^  registerSoftmax[^\n]*\n"):
        tree.again("lib/Transforms/Bodies/Bodies.h", pattern, twin)
    for target in ("CPU", "GPU"):
        name = f"lib/Target/{target}/Schedules.cpp"
        tree.again(name, r"^ScheduleAttr scheduleSoftmax.*?^}\n", twin)
        tree.again(name, r"scheduleSoftmax(?=\);)", lambda found: ", " + twin(found))


def add_chip(tree):
    def renamed(text):
        return text.replace("sm_100a", CHIP)

    tree.again("lib/Target/Chips/Chips.cpp", r'^ +\{"sm_100a",.*?\}\},\n', renamed)
    tree.again("lib/Roofline/chips/Nvidia.cpp", r'^ +Row\("L40S".*?\.done\(\),\n',
               lambda text: text.replace("L40S", "a product").replace("sm_89", CHIP))


def add_format(tree):
    tree.again("lib/Spec/Format.def", r"^LABGEN_FORMAT\(F8E4M3, [^\n]*\n",
               lambda _: f'LABGEN_FORMAT({FORMAT.upper()}, floating("{FORMAT}", "", 3, 4, 3, Specials::Ieee))\n')
    tree.again("docs/schema/manifest.schema.json", r'"f8E4M3", ', lambda _: f'"{FORMAT}", ')


def build_and_run(tree):
    faults = []
    for command in (["cmake", "--preset", "release", "--log-level=WARNING"], ["cmake", "--build", "build", "--target", "labgen"]):
        done = tree.run(*command)
        if done.returncode:
            return [f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-4000:]}"]
    labs = ["twin:m=3,n=37,in=f32,out=bf16", f"cast:n=1000,in=f32,out={FORMAT}", f"cast:n=256,in={FORMAT},out=f32"]
    for spec in labs:
        for where in (["cpu:x86-64-v3"], [f"nvvm:{CHIP}", "--device", "emu"]):
            done = tree.run("build/bin/labgen", "run", spec, "--target", *where, "--dist", "extremes", "--no-time", "--json")
            row = json.loads(done.stdout) if done.stdout else {"status": done.stderr}
            if row["status"] != "ok":
                faults.append(f"{spec} on {where[0]}: {row['status']} {row.get('reason')}")
    return faults


def main():
    parser = argparse.ArgumentParser(description="Hold the recipes of docs/adding.md true.",
                                     epilog="Examples:\n  recipes.py\n  recipes.py --build /tmp/recipes",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", metavar="FOLDER", help="follow the recipes in a copy of the tree there, and build it")
    folder = parser.parse_args().build
    faults = check_softmax()
    if folder:
        tree = Tree(folder)
        for recipe, add in (("An op", add_op), ("A chip", add_chip), ("A number format", add_format)):
            tree.touched = set()
            add(tree)
            faults += faults_of(recipe, {name.replace("Twin", "Softmax") for name in tree.touched})
        faults = faults or build_and_run(tree)
    print("\n".join(faults) or f"the recipes hold: softmax is {ones(listed('An op'))} files")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
