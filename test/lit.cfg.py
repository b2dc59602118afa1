# lit's configuration: what a RUN line may use.
#
# Tools (labgen-opt, labgen, labgen-run, FileCheck, mlir-opt, ...) are found by
# PATH; %python is the interpreter with numpy and ml_dtypes, %root the
# repository, %bin where the build puts its tools. Files a test reads stand in a
# folder Inputs/; a test named NAME.slow.* is left to `make test-all`.
# case_format.py says how a test has cases and runs for every chip.
import ctypes
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import case_format

config.name = "labgen"
config.suffixes = [".mlir", ".ll", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.labgen_binary_root, "test")

config.environment["FILECHECK_OPTS"] = "-enable-var-scope -dump-input-filter=error"
tools = os.path.join(config.labgen_binary_root, "bin")
config.test_format = case_format.CaseFormat(os.path.join(tools, "labgen"))
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools_dir, config.environment["PATH"]]
)
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs")
# Probe results of a test never reach the user's own cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
config.substitutions.append(("%python", config.labgen_python))
config.substitutions.append(("%bin", tools))
config.substitutions.append(("%root", config.labgen_source_root))


def cpu_features():
    """The ISA extensions tests may ask for with REQUIRES, by Linux's names."""
    known = {"avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_vnni"}
    known |= {"avx_vnni", "amx_tile", "amx_bf16", "amx_int8"}
    with open("/proc/cpuinfo") as cpuinfo:
        for line in cpuinfo:
            if line.startswith("flags"):
                return known.intersection(line.split())
    return set()


def has_device(library, init, count):
    """Whether a GPU driver loads and sees at least one device."""
    try:
        driver = ctypes.CDLL(library)
    except OSError:
        return False
    devices = ctypes.c_int(0)
    if getattr(driver, init)(0) != 0:
        return False
    return getattr(driver, count)(ctypes.byref(devices)) == 0 and devices.value > 0


def missing_oracles():
    """Those packages of `make setup` that tests compare with and %python lacks."""
    packages = ["numpy", "ml_dtypes", "gguf"]
    find = "import sys, importlib.util as u; print(*(p for p in sys.argv[1:] if not u.find_spec(p)))"
    run = subprocess.run(
        [config.labgen_python, "-c", find, *packages], capture_output=True, text=True
    )
    return run.stdout.split() if run.returncode == 0 else packages


config.available_features.update(cpu_features())
if has_device("libcuda.so.1", "cuInit", "cuDeviceGetCount"):
    config.available_features.add("cuda")
if has_device("libamdhip64.so", "hipInit", "hipGetDeviceCount"):
    config.available_features.add("hip")
# Tests without their oracles would pass by not running, so only who asks gets that.
if config.labgen_oracles:
    missing = missing_oracles()
    if missing:
        lit_config.fatal(
            f"{config.labgen_python} lacks {', '.join(missing)}; run make setup and configure"
            " again, or configure with -DLABGEN_ORACLES=OFF to leave out the tests that need them"
        )
    config.available_features.add("oracles")
