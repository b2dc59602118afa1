"""The format of labgen's lit tests: RUN lines, with cases and chips.

A program that a RUN line starts may report cases (test/Inputs/cases.py): lit
then shows, counts and writes each as a test of its own, FILE/CASE. The way is
that of GoogleTest's programs: what a test leaves as JSON takes its place.

A file with a line `EACH-CHIP: PATTERN` is one test for each GPU target of labgen's
table that matches, FILE/CHIP; %target and %chip are in its RUN lines.
"""
import copy
import fnmatch
import functools
import json
import os
import pathlib
import re
import subprocess

import lit.formats
import lit.Test


class ChipTest(lit.Test.Test):
    """A file of RUN lines for one chip; `file_path` is the file."""

    def getSourcePath(self):
        return self.file_path


class CaseFormat(lit.formats.ShTest):
    def __init__(self, labgen):
        super().__init__(execute_external=False)
        self.labgen = labgen

    def getTestsForPath(self, suite, path, lit_config, config):
        for test in super().getTestsForPath(suite, path, lit_config, config):
            chips = re.search(r"^\W+EACH-CHIP: (\S+)$", pathlib.Path(test.getSourcePath()).read_text(), re.M)
            for one in self.per_chip(test, chips[1], lit_config) if chips else [test]:
                one.gtest_json_file = test_output(one, ".cases.json")
                yield one

    def per_chip(self, test, pattern, lit_config):
        matching = fnmatch.filter(gpu_targets(self.labgen), pattern)
        if not matching:
            lit_config.fatal(f"{test.getSourcePath()}: no target of {self.labgen} chips is like {pattern}")
        for target in matching:
            config = copy.copy(test.config)
            chip = target.split(":")[1]
            config.substitutions = [*config.substitutions, ("%target", target), ("%chip", chip)]
            yield ChipTest(test.suite, (*test.path_in_suite, chip), config, test.getSourcePath())

    def execute(self, test, lit_config):
        cases = pathlib.Path(test_output(test, ".cases"))
        for old in (cases, pathlib.Path(test.gtest_json_file)):
            old.unlink(missing_ok=True)
        test.config.environment["LABGEN_CASES"] = str(cases)
        result = super().execute(test, lit_config)
        if cases.exists():
            found = [json.loads(line) for line in cases.read_text().splitlines()]
            pathlib.Path(test.gtest_json_file).write_text(as_googletest(test, found))
        return result


@functools.cache
def gpu_targets(labgen):
    said = subprocess.run([labgen, "chips", "--json"], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    return [row["target"] for row in rows if "wave_size" in row]


def test_output(test, suffix):
    folder, name = os.path.split(test.getExecPath())
    return os.path.join(folder, "Output", name + suffix)


def as_googletest(test, cases):
    """As GoogleTest writes what its tests gave. lit puts the names of a suite
    and of a case in place of the last two parts of a test's path."""
    tests = [
        {
            "name": case["name"],
            "result": "COMPLETED",
            "time": f"{case['seconds']:.3f}s",
            **({"failures": [{"failure": case["why"]}]} if case["why"] else {}),
        }
        for case in cases
    ]
    return json.dumps({"testsuites": [{"name": "/".join(test.path_in_suite[-2:]), "testsuite": tests}]})
