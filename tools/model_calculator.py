#!/usr/bin/env python3
# The model calculator on a fresh clone: builds the C++ calculator once with the
# compiler at hand, no CMake, and hands it the command line. No formula is here.
#
# The program lies in $XDG_CACHE_HOME/labgen/calculator (else ~/.cache/...),
# named after a checksum of its sources and the compiler; it is built anew when
# they change. Only the standard library is used, and only what a start needs is
# imported at the top.
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPTIONS = "calculator/ModelOptions.def"
# What labgen-run model is made of, without the commands that measure.
FOLDERS = ("lib/Roofline", "lib/Roofline/chips", "calculator/config", "calculator/model", "calculator/report")
SOURCES = (
    [f"lib/Support/{name}.cpp" for name in
     ("AtomicFile", "Json", "Printable", "ReadFile", "Sha256", "Temporary", "Text")]
    + ["lib/Spec/Format.cpp", "lib/Host/CpuInfo.cpp", "lib/Host/Topology.cpp"]
    + [f"runtime/{name}.cpp" for name in ("measure/StoredRoofs", "report/Say", "report/TextTable")]
    + [f"tools/cli/{name}.cpp" for name in ("Cli", "Help", "KnownChips", "Split")]
    + [f"calculator/{name}.cpp" for name in ("ModelCommand", "ModelMain", "ModelText")]
)
# Predictions of kernels need all of lib/Spec.
UNUSED = ("lib/Roofline/Predict.cpp", "lib/Roofline/chips/ChipRoofs.cpp")
HEADERS = ("lib/Support", "lib/Host", "lib/Spec", "runtime/measure", "runtime/report", "tools/cli", "calculator")
PACKAGES = {
    "nlohmann/json.hpp": ("nlohmann-json3-dev", "JSON"),
    "CLI/CLI.hpp": ("libcli11-dev", "CLI11"),
}


def printable(text):
    """As lib/Support/Printable.h: control characters and strays of UTF-8 escaped."""
    import unicodedata

    def shown(c):
        if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return c
        known = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
        return known.get(c) or "".join(f"\\x{byte:02x}" for byte in os.fsencode(c))

    return "".join(map(shown, text))


def fail(message, code=2):
    sys.stderr.write(f"error: {printable(message)}\n")
    sys.exit(code)


def print_help():
    """The help of the built program, from the same table of options."""
    import re

    text = open(os.path.join(ROOT, OPTIONS)).read()
    program = "python tools/model_calculator.py"
    entries = re.findall(r'^LABGEN_(\w+)\("(.*)"\)$', text, re.M)
    summary = next(body for kind, body in entries if kind == "SUMMARY")
    lines, examples = [], []
    for kind, body in entries:
        if kind == "EXAMPLE":
            examples.append(f"  {program} {body}\n")
        elif kind != "SUMMARY":
            name, value, what = body.split('", "')
            value = f" {value}" if value else ""
            lines.append((name + value + (" ..." if kind == "REPEATABLE" else ""), what))
    lines.append(("--help", "this text"))
    width = max(len(left) for left, _ in lines)
    options = "".join(f"  {left:{width}}  {right}\n" for left, right in lines)
    sys.stdout.write(
        f"Usage: {program} [CONFIG.json] [OPTIONS]\n\n{summary}.\n\nOptions:\n{options}"
        f"\nExamples:\n{''.join(examples)}"
    )


def compiler():
    """$CXX, which may have arguments, or the first compiler there is."""
    import shlex
    import shutil

    wanted = os.environ.get("CXX")
    if wanted:
        words = shlex.split(wanted)
        if words and shutil.which(words[0]):
            return words
        fail(f"$CXX is '{wanted}', which is no program here; unset it or name a C++17 compiler")
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    fail("no C++17 compiler (c++, g++ or clang++); install one: apt-get install g++")


def sources():
    found = list(SOURCES)
    for folder in FOLDERS:
        names = sorted(os.listdir(os.path.join(ROOT, folder)))
        found += [f"{folder}/{name}" for name in names if name.endswith(".cpp")]
    return [name for name in found if name not in UNUSED]


def checksum():
    """Of everything a build reads here, and of $CXX."""
    from zlib import crc32

    names = sources() + [OPTIONS]
    for folder in FOLDERS + HEADERS:
        names += [f"{folder}/{name}" for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(".h")]
    sums = [os.environ.get("CXX", "")]
    for name in sorted(names):
        with open(os.path.join(ROOT, name), "rb") as file:
            data = file.read()
        sums.append(f"{name} {len(data)} {crc32(data):08x}")
    whole = "\n".join(sums).encode()
    return f"{crc32(whole):08x}{crc32(whole[::-1]):08x}"


def cache_folder():
    cache = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG rules want a relative path ignored.
    if not os.path.isabs(cache):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            fail("nowhere to keep the calculator; set XDG_CACHE_HOME or HOME", 1)
        cache = os.path.join(home, ".cache")
    return os.path.join(cache, "labgen", "calculator")


def check_headers(command):
    """One line naming what is missing instead of a compiler's fifty."""
    import subprocess

    def compiles(text):
        check = [*command, "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
        return subprocess.run(check, input=text, capture_output=True, text=True).returncode == 0

    test = "#include <optional>\n#include <string_view>\n#include <variant>\nint main() { if (int i = 0; i) return i; }\n"
    if not compiles(test):
        fail(f"{' '.join(command)} does not compile C++17; set CXX to one that does: apt-get install g++")
    missing = [
        PACKAGES[header] for header in PACKAGES
        if not compiles(f"#if !__has_include(<{header}>)\n#error\n#endif\nint main() {{}}\n")
    ]
    if missing:
        names = " and ".join(title for _, title in missing)
        packages = " ".join(package for package, _ in missing)
        fail(f"the headers of {names} are missing; install them: apt-get install {packages}")


def build(program):
    """Compiles each source on its own, some at a time, and links them."""
    import shutil
    import subprocess
    import tempfile

    command = compiler()
    check_headers(command)
    folder = os.path.dirname(program)
    try:
        os.makedirs(folder, exist_ok=True)
        work = tempfile.mkdtemp(prefix="build-", dir=folder)
    except OSError as error:
        fail(f"cannot write {folder}: {error.strerror}; set XDG_CACHE_HOME to a folder you may write", 1)
    flags = ["-std=c++17", "-O0", f"-I{ROOT}"]
    waiting, running, objects = sources(), [], []
    total = len(waiting)
    title = "building the model calculator, this once"
    sys.stderr.write(title if sys.stderr.isatty() else f"{title}: {total} files\n")
    workers = max(1, min(8, len(os.sched_getaffinity(0))))
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                source = waiting.pop()
                target = os.path.join(work, source.replace("/", "-") + ".o")
                objects.append(target)
                compile_one = [*command, *flags, "-c", os.path.join(ROOT, source), "-o", target]
                running.append((source, subprocess.Popen(compile_one, stderr=subprocess.PIPE, text=True)))
            source, process = running.pop(0)
            said = process.communicate()[1]
            if process.returncode:
                sys.stderr.write(said)
                fail(f"{' '.join(command)} could not compile {source}; set CXX to another C++17 compiler")
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{title}: {len(objects) - len(running)} of {total}")
        sys.stderr.write("\n" if sys.stderr.isatty() else "")
        linked = os.path.join(work, "calculator")
        link = subprocess.run([*command, *objects, "-o", linked], capture_output=True, text=True)
        if link.returncode:
            sys.stderr.write(link.stderr)
            fail(f"{' '.join(command)} could not link the calculator; set CXX to another C++17 compiler")
        os.replace(linked, program)
    except OSError as error:
        fail(f"cannot build in {folder}: {error.strerror}; free some space or set XDG_CACHE_HOME", 1)
    finally:
        for _, process in running:
            process.kill()
        shutil.rmtree(work, ignore_errors=True)
    for old in os.listdir(folder):
        if old.startswith("calculator-") and os.path.join(folder, old) != program:
            try:
                os.remove(os.path.join(folder, old))
            except OSError:
                pass


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print_help()
        return
    program = os.path.join(cache_folder(), f"calculator-{checksum()}")
    if not os.access(program, os.X_OK):
        build(program)
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
