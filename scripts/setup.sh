#!/usr/bin/env bash
# Installs what is missing of what labgen needs, and says so: Debian packages
# (LLVM 22 is in bookworm's security suite) and, in .venv, the Python packages
# that tests compare against. Says nothing and takes no time when all is there.
# Exit 2: something is missing that this script cannot install.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22
  libclang-rt-22-dev clang-format-22 clang-tidy-22
  g++ cmake ninja-build make git ccache
  python3 python3-venv python-is-python3
  libgtest-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev
  libseccomp-dev
)

# One line on stderr, as every labgen tool does it.
fail() {
  echo "error: $*" >&2
  exit 2
}

command -v dpkg-query >/dev/null ||
  fail "setup installs Debian packages and this is not Debian; install" \
    "LLVM/MLIR 22, clang, lld, CMake, Ninja, ccache, GoogleTest, Google" \
    "Benchmark, CLI11, nlohmann/json and libseccomp, then run cmake --preset release"

installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${packages[@]}" \
  2>/dev/null | sed -n 's/^.i  *//p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  command="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" -eq 0 ]; then
    as_root=()
  elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
  else
    echo "setup: Debian packages are missing; run this as root, then make again:" >&2
    echo "$command" >&2
    exit 2
  fi
  echo "setup: installing ${#missing[@]} Debian packages: ${missing[*]}"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >"$log" 2>&1
  }
  apt update ||
    fail "apt-get update failed ($(grep -m1 '^E:' "$log" || tail -n1 "$log"));" \
      "check the network and /etc/apt"
  for package in "${missing[@]}"; do
    apt-cache show --no-all-versions "$package" >/dev/null 2>&1 ||
      fail "apt knows no package $package; turn on Debian 12's suites bookworm" \
        "and bookworm-security (LLVM 22 is in the latter) in /etc/apt, component main"
  done
  apt install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get install failed ($(grep -m1 '^E:' "$log" || tail -n1 "$log"));" \
      "run: $command"
fi

# The stamp names what was installed, so a changed requirements.txt or another
# Python makes a new environment.
stamp=.venv/$(cat requirements.txt <(/usr/bin/python3 --version) | sha256sum | cut -c1-16).stamp
if [ ! -e "$stamp" ]; then
  echo "setup: installing Python packages into .venv: $(
    sed -n 's/^\([A-Za-z0-9_-]*\)==\([^ ]*\).*/\1 \2/p' requirements.txt | paste -sd, | sed 's/,/, /g')"
  rm -rf .venv
  /usr/bin/python3 -m venv .venv
  .venv/bin/python -m pip install -qq --no-cache-dir --no-deps \
    --disable-pip-version-check --only-binary :all: -r requirements.txt >&2 ||
    fail "pip could not install requirements.txt; check the network and pip's settings"
  touch "$stamp"
fi
