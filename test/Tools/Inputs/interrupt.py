# Ends `labgen run` of a kernel that never ends, by Ctrl-C and by SIGKILL, and
# looks whether the kernel's process ends with it.
import pathlib
import signal
import subprocess
import sys
import time

import cases


def children(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] not in "ZX":
            found.append(int(stat.parent.name))
    return found


def wait_for(what, condition):
    for _ in range(1200):
        if result := condition():
            return result
        time.sleep(0.05)
    sys.exit(f"{what} did not happen")


def runs(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


def end(number, expected):
    tool = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL)
    # labgen, its judge, the kernel.
    kernels = wait_for("a kernel's process", lambda: [
        kernel for judge in children(tool.pid) for kernel in children(judge)])
    tool.send_signal(number)
    code = tool.wait(timeout=60)
    assert code == expected, f"exit code {code}, want {expected}"
    for kernel in kernels:
        wait_for("the kernel's end", lambda: not runs(kernel))


ENDS = {signal.SIGINT: 130, signal.SIGTERM: 128 + signal.SIGTERM, signal.SIGKILL: -signal.SIGKILL}
for number, code in ENDS.items():
    with cases.steps(f"{number.name} ends the kernel"):
        end(number, code)
cases.done()
