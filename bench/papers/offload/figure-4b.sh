# SPDX-License-Identifier: BSD-3-Clause
# figure-4b.sh - the maximum of two vectors of 32-bit floats, in the kernel and by the process.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

guest_or_skip
ROUNDS=3 ROWS=$SHARED/reductions.rows sh "$SOURCE/bench/reductions.sh" >"$KEEP/table.md" || exit 1
echo "# a guest in virtual time: an instruction takes 1 ns; medians and quartiles of 3 rounds"
echo "series,x,value,low,high,unit"
awk '$3 == "max-f32" { printf "%s,%d,%g,%g,%g,us\n", $4, $6, $7, $8, $9 }' "$SHARED/reductions.rows"
