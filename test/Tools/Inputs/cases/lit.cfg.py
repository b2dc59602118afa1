# A suite whose tests fail on purpose; test/Tools/cases.test runs it.
import os
import sys

sys.path.insert(0, os.environ["LABGEN_TEST_ROOT"])
import case_format

config.name = "suite"
config.test_format = case_format.CaseFormat("labgen")
config.suffixes = [".test"]
config.test_exec_root = os.getcwd()
config.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
config.substitutions.append(("%python", sys.executable))
