"""Reports the cases of a test program, each by its name.

    cases.case("axpy of nothing", "gave 1")    what is wrong; nothing if it is right
    with cases.steps("resume"):                a case of asserts
    cases.unittests()                          those of unittest; ends the program
    cases.done()                               ends the program

Only what is wrong is printed. Every case goes to the file that $LABGEN_CASES
names, from which lit takes its results (test/case_format.py).
"""
import contextlib
import json
import os
import sys
import time
import traceback
import unittest

_path = os.environ.get("LABGEN_CASES")
_seen = _wrong = 0
_last = time.monotonic()


def case(name, why=None):
    global _seen, _wrong, _last
    now = time.monotonic()
    _seen, _last, seconds = _seen + 1, now, now - _last
    if why:
        _wrong += 1
        print(f"FAIL: {name}: {why}", flush=True)
    if _path:
        with open(_path, "a") as file:
            file.write(json.dumps({"name": str(name), "why": str(why or ""), "seconds": seconds}) + "\n")


@contextlib.contextmanager
def steps(name):
    """The case is wrong where its body raises or exits with words."""
    try:
        yield
    except (Exception, SystemExit) as error:
        said = isinstance(error, (AssertionError, SystemExit)) and str(error)
        case(name, said or traceback.format_exc())
    else:
        case(name)


class _Result(unittest.TextTestResult):
    def stopTest(self, test):
        super().stopTest(test)
        wrong = [text for one, text in self.failures + self.errors if test.id() in one.id()]
        case(test.id().removeprefix("__main__."), "\n".join(wrong))


def unittests():
    """The tests of the program's unittest classes are its cases; ends it."""
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=_Result), exit=False)
    done()


def done():
    """Ends the program: exit 1 where a case was wrong or there was none."""
    print(f"{_seen} cases, {_wrong} failed")
    sys.exit(int(_wrong > 0 or _seen == 0))
