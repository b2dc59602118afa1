# Runs every shell block of README, docs and exercises in order, each in its
# page's folder of a scratch copy of the tree with the built tools on PATH.
#
# A block fenced as `sh` has to end with 0. `sh slow` runs with --slow only;
# `sh shown` (it installs, builds, or needs files of the reader's) is parsed, and
# its make targets have to exist.
# usage: run_blocks.py BUILD [--slow] [PAGE...]
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^( *)```sh(?: (\w+))?\n(.*?)^\1```$", re.M | re.S)
SECONDS = 300


def pages():
    """README, the pages it names in that order, then whatever else there is."""
    readme = (ROOT / "README.md").read_text()
    named = ["README.md", *re.findall(r"\]\(([^)#\s]+\.md)", readme)]
    rest = sorted(str(p.relative_to(ROOT)) for top in ("docs", "exercises", "solutions") for p in (ROOT / top).rglob("*.md"))
    return [ROOT / page for page in dict.fromkeys(named + rest)]


def copy_tree(scratch, build):
    """What git knows or would add, with the build's tools in build/bin."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, scratch / name)
    (scratch / "build").mkdir()
    (scratch / "build/bin").symlink_to(build / "bin")
    # This machine is set up: the tests run.
    (scratch / "scripts/setup.sh").write_text("#!/bin/sh\n")


def environment(scratch, build):
    """The tools first, and no page of another run's cache or of the user's."""
    return os.environ | {
        "PATH": os.pathsep.join([str(build / "bin"), os.environ["PATH"]]),
        "PYTHON": sys.executable,
        "XDG_CACHE_HOME": str(build / "test/blocks-cache"),
        "XDG_CONFIG_HOME": str(scratch / "config"),
    }


def run(block, folder, env):
    """Why it failed; nothing when it did not."""
    try:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=env,
                              capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    if done.returncode:
        return f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[-1000:]}"


def look_at(block, makefile):
    """Why a block that is not run cannot be right."""
    parsed = subprocess.run(["bash", "-n", "-c", block], capture_output=True, text=True)
    if parsed.returncode:
        return parsed.stderr.strip()
    for target in re.findall(r"^make ([a-z-]+)", block, re.M):
        if not re.search(rf"^{target}:", makefile, re.M):
            return f"the Makefile has no target {target}"


def main():
    words = [word for word in sys.argv[1:] if word != "--slow"]
    if not words:
        sys.exit("error: no build folder; usage: run_blocks.py BUILD [--slow] [PAGE...]")
    build, slow = pathlib.Path(words[0]).resolve(), "--slow" in sys.argv
    chosen = [pathlib.Path(word).resolve() for word in words[1:]] or pages()
    makefile = (ROOT / "Makefile").read_text()
    count = faults = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        copy_tree(scratch, build)
        env = environment(scratch, build)
        for page in chosen:
            text = page.read_text()
            for match in BLOCK.finditer(text):
                _, kind, block = match.groups()
                if kind == "slow" and not slow:
                    continue
                count += 1
                folder = scratch / page.parent.relative_to(ROOT)
                why = look_at(block, makefile) if kind == "shown" else run(block, folder, env)
                if why:
                    line = text.count("\n", 0, match.start()) + 1
                    print(f"{page.relative_to(ROOT)}:{line}: {why}")
                    faults += 1
    print(f"{count} shell blocks, {faults} faults")
    sys.exit(faults > 0 or count == 0)


if __name__ == "__main__":
    main()
