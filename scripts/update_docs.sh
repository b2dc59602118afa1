#!/usr/bin/env bash
# Brings docs/ up to date with the op and pass reference that the build
# generates from the .td files; with --check only says where it is stale.
# usage: update_docs.sh [--check] [BUILD]
set -euo pipefail
check=no
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
cd "$(dirname "$0")/.."
build=${1:-build}

[ "$check" = yes ] || cmake --build "$build" --target mlir-doc
generated=$(cd "$build/docs" 2>/dev/null && find . -name '*.md' -printf '%P\n' | sort || true)
if [ -z "$generated" ]; then
  echo "error: $build/docs holds no generated reference; run cmake --build $build --target mlir-doc" >&2
  exit 1
fi
stale=0
while read -r page; do
  cmp -s "$build/docs/$page" "docs/$page" && continue
  if [ "$check" = yes ]; then
    echo "error: docs/$page is stale; run scripts/update_docs.sh $build" >&2
    diff -uN "docs/$page" "$build/docs/$page" | head -n 40 || true
    stale=1
  else
    mkdir -p "$(dirname "docs/$page")"
    cp "$build/docs/$page" "docs/$page"
    echo "updated docs/$page"
  fi
done <<<"$generated"
for page in $(git ls-files docs/Dialects docs/Passes); do
  [ -e "$build/$page" ] && continue
  echo "error: $page is no longer generated; git rm it" >&2
  stale=1
done
exit $stale
