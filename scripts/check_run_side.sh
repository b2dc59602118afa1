#!/usr/bin/env bash
# Proves that the run side needs no LLVM: configures it in BUILD with g++ while
# LLVM and MLIR cannot be found, builds all of it, starts labgen-run and looks
# at what it is linked to.  usage: check_run_side.sh BUILD
set -euo pipefail
build=${1:?usage: check_run_side.sh BUILD}
source=$(cd "$(dirname "$0")/.." && pwd)

launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S "$source" -B "$build" --log-level=WARNING \
  -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ "${launcher[@]}" \
  -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON \
  -DCMAKE_IGNORE_PREFIX_PATH=/usr/lib/llvm-22 \
  -DLABGEN_COMPILER=OFF -DLABGEN_TESTS=OFF -DLABGEN_BENCHMARKS=OFF
cmake --build "$build"

tool=$build/bin/labgen-run
"$tool" --version
libraries=$(ldd "$tool")
if grep -iE 'llvm|mlir' <<<"$libraries"; then
  echo "error: labgen-run is linked to LLVM; keep lib/Spec, lib/Roofline and runtime/ free of it" >&2
  exit 1
fi
