#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ocean is well-formed, and computes the same whatever carries its puts.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ocean=$top_builddir/examples/ocean
test -x "$ocean" || bail "no $ocean: make check builds it"

# checksum P [SETTING=VALUE]...
checksum()
{
	p=$1
	shift
	env "$@" BSP_NPROCS="$p" "$ocean" -n 34 -t 3 -s 0.25 2>"$tap_dir/err" >"$tap_dir/out" ||
		echo "status $?"
	$SED -n 's/^Checksum *//p' "$tap_dir/out"
}

wanted=$(checksum 1)
for p in 2 4 6 9 16; do
	is "$wanted" "$(checksum $p BSP_CHECK=1)" "$p processes, checked"
	like '^bsp: checked [1-9][0-9]* supersteps, .*: well-formed$' "$(cat "$tap_dir/err")" \
		"and well-formed"
done

for setting in BSP_EAGER=0 BSP_EAGER=64 BSP_CREDIT=1k BSP_SHUFFLE=7 BSP_EMULATE=gigabit \
	BSP_EMULATE=L=50us,o=5us,g=5us,G=10ns,jitter=200us,reorder=1; do
	for p in 4 9; do
		is "$wanted" "$(checksum $p "$setting")" "$p processes, $setting" ||
			diag "$(cat "$tap_dir/err")"
	done
done

done_testing
