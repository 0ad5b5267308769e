#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figure4.sh - the paper's Fig. 4: g(m) with barriers, relaxed, and by the paper's own protocol.

# figure4.sh BSPRUN-OPTION...: e.g. -n 32 --emulate sp2. The programs are looked for in the build
# folder, which is the current one or the one in BUILD.

build=${BUILD:-.}
gm=$build/bench/gm
bsprun=$build/tools/bsprun/bsprun
most=${MOST:-1048576}
rounds=${ROUNDS:-9}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$bsprun" "$@" "$gm" "$most" "$rounds" >"$work/eager" || exit 1
"$bsprun" -x BSP_EAGER=0 "$@" "$gm" "$most" "$rounds" >"$work/asking" || exit 1

echo "g(m), ns for each byte of h = (p - 1) m; bsprun $*"
echo
printf '%8s %12s %12s %12s\n' m classic relaxed "as in paper"
join "$work/eager" "$work/asking" 2>/dev/null |
	awk '{ printf "%8d %12.3f %12.3f %12.3f\n", $1, $3, $5, $9 }'
