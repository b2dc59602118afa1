#!/bin/sh
# Runs the numerics labs on a GPU; where there is none, the same labs for that
# vendor's chip on the emulated device, saying so first.
# usage: run_labs.sh LABGEN DEVICE TARGET
labgen=$1 device=$2 target=$3
why=$(mktemp) || exit 1
trap 'rm -f "$why"' EXIT
"$labgen" lab all --device "$device" 2>"$why"
code=$?
if [ "$code" -ne 2 ]; then
  cat "$why" >&2
  exit "$code"
fi
echo "No $device to run on: $(sed 's/^error: //; s/;.*//' "$why")."
echo "The same labs for $target on the emulated device, which tells no time:"
echo
"$labgen" lab all --target "$target" --device emu
