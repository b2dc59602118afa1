# Runs run_labs.sh with a labgen that has a GPU, has none, or fails on it.
import pathlib
import subprocess
import sys
import unittest

import cases

SCRIPT = sys.argv.pop(1)
FAKE = """#!/bin/sh
case "$*" in
*--target*) echo "emulated: $*" ;;
*) echo "on the GPU: $*"; echo "{error}" >&2; exit {code} ;;
esac
"""


class RunLabs(unittest.TestCase):
    def run_labs(self, code, error):
        labgen = pathlib.Path("labgen").resolve()
        text = FAKE.replace("{code}", str(code)).replace("{error}", error)
        labgen.write_text(text if code != 2 else text.replace('echo "on the GPU: $*"; ', ""))
        labgen.chmod(0o755)
        return subprocess.run(["sh", SCRIPT, str(labgen), "cuda:0", "nvvm:sm_90a"], capture_output=True, text=True)

    def test_gpu(self):
        got = self.run_labs(0, "note: something")
        self.assertEqual((got.stdout, got.returncode), ("on the GPU: lab all --device cuda:0\n", 0))
        self.assertEqual(got.stderr, "note: something\n")

    def test_no_gpu(self):
        got = self.run_labs(2, "error: no driver here; install one")
        first, *_, last = got.stdout.splitlines()
        self.assertEqual(first, "No cuda:0 to run on: no driver here.")
        self.assertEqual(last, "emulated: lab all --target nvvm:sm_90a --device emu")
        self.assertEqual((got.stderr, got.returncode), ("", 0))

    def test_wrong_on_gpu(self):
        got = self.run_labs(1, "error: a kernel is wrong; see it")
        self.assertEqual((got.stdout, got.returncode), ("on the GPU: lab all --device cuda:0\n", 1))
        self.assertEqual(got.stderr, "error: a kernel is wrong; see it\n")


cases.unittests()
