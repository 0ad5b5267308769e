# SPDX-License-Identifier: BSD-3-Clause
# recorded.sh - recordings out of descriptions, and what bspprof shows of them; read after env.sh.
# shellcheck shell=sh disable=SC2034,SC2154

for setting in $(sed -n 's/.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/common/env.def"); do
	unset "$setting"
done
PATH=$top_builddir/tools/bspprof:$top_builddir/tools/goalc:$PATH
export PATH
mkdir "$tap_dir/work"
cd "$tap_dir/work" || bail "no $tap_dir/work"

# record FILE: the recording that standard input describes as t/lib/recorded.c says
record()
{
	"$top_builddir/t/lib/recorded" "$1" || bail "$1 is no description of a recording"
}
