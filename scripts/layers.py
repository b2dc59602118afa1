# layers.py - which folder may include which: rooms from the bottom up, no cycle
# between folders, no more files in one than a reader takes in at a glance.
import collections
import pathlib
import re

# What both halves stand on.
COMMON = ("lib/Support", "lib/Host", "lib/Spec")
# A room may include those before it and itself. The halves meet in the tools.
RUN_SIDE = (*COMMON, "lib/Roofline", "runtime", "tools/cli", "calculator", "tools/labgen-run")
COMPILE_SIDE = (
    *COMMON, "dialects", "lib/LlvmIr", "lib/Build", "lib/Transforms", "lib/Target", "lib/Registration", "lib/Driver",
    "lib/Emulator")
TOOLS = ("tools/labgen-opt", "tools/labgen")
LLVM = ("llvm/", "llvm-c/", "mlir/", "clang/")
MOST = 12  # sources in a folder; a header and its .cpp are one
SOURCES = {".cpp", ".h", ".td", ".def", ".inc"}
# Instructions belong to the targets (lib/Target).
TARGET_FREE = ("lib/Build", "lib/Transforms", "dialects")
INTRINSIC = re.compile(r"llvm\.(?:x86|nvvm|amdgcn)\.|v?pdpbusd|v?pmaddwd", re.I)


def room_of(folder):
    """The longest room that holds the folder."""
    rooms = (*RUN_SIDE, *COMPILE_SIDE, *TOOLS)
    inside = [room for room in rooms if f"{folder}/".startswith(room + "/")]
    return max(inside, key=len, default=None)


def legal(room):
    for side in (RUN_SIDE, COMPILE_SIDE):
        if room in side:
            return side[: side.index(room) + 1]
    return (*RUN_SIDE, *COMPILE_SIDE, room)


def includes(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        match = re.match(r'\s*#?\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match[1]


def find_cycle(edges):
    """A list of folders each of which includes the next, the last the first."""
    done = set()

    def visit(folder, trail):
        if folder in trail:
            return trail[trail.index(folder):]
        if folder in done:
            return None
        for other in sorted(edges[folder]):
            if found := visit(other, [*trail, folder]):
                return found
        done.add(folder)
        return None

    for folder in sorted(edges):
        if found := visit(folder, []):
            return found
    return None


def check_include(path, number, name, room):
    """The fault of one include, or None."""
    if name.startswith(LLVM):
        if room in RUN_SIDE:
            return f"{path}:{number}: the run side includes {name}; keep LLVM out of it"
        return None
    other = room_of(str(pathlib.PurePath(name).parent))
    if other and other not in legal(room):
        return f"{path}:{number}: {room} includes {other}, which is not below it; move what both need down"
    return None


def check_intrinsics(root, path):
    """Faults of a file that should know no target."""
    text = (root / path).read_text()
    return [f"{path}:{number}: names {match[0]}, an instruction of one target; move it to lib/Target"
            for number, line in enumerate(text.splitlines(), 1) if (match := INTRINSIC.search(line))]


def check(root, paths):
    """Faults, one line each."""
    faults, edges, files = [], collections.defaultdict(set), collections.defaultdict(set)
    for path in paths:
        folder = str(path.parent)
        room = room_of(folder)
        if room is None or path.suffix not in SOURCES:
            continue
        files[folder].add(path.stem)
        if room in TARGET_FREE:
            faults.extend(check_intrinsics(root, path))
        for number, name in includes(root, path):
            other = str(pathlib.PurePath(name).parent)
            if (root / name).is_file() and other != folder:
                edges[folder].add(other)
            if fault := check_include(path, number, name, room):
                faults.append(fault)
    for folder, names in sorted(files.items()):
        if len(names) > MOST:
            faults.append(f"{folder}:1: {len(names)} sources in one folder; the limit is {MOST}, split it")
    if cycle := find_cycle(edges):
        faults.append(f"{cycle[0]}:1: folders include each other: {' -> '.join([*cycle, cycle[0]])}")
    return faults
