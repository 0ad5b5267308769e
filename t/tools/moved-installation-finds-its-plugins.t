#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs of an installation that was moved find its plugins, however they are started.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

plugins=$(find "$stage" -name 'bsp-*.so' | sed 's|.*/bsp-\(.*\)\.so|\1|' | grep -v pmix)
test "$plugins" || skip_all "no plugins are built"
moved=$tap_dir/moved
mv "$stage" "$moved"
programs=$moved${bindir#"$stage"}
PATH=$programs:$PATH

# mpich stands in for mpi; otf2 is no transport
transports=$(printf '%s\n' "$plugins" | grep -v 'gauge\|mpich\|otf2')
gauges=$(printf '%s\n' "$plugins" | grep -c gauge)	# of 2: those of MPI and of libfabric

# finds PROGRAM HOW: it loads every transport there is
finds()
{
	for plugin in $transports; do
		none "$("$1" -n 2 2>&1 | grep "bsp-$plugin.so is not installed")" \
			"$plugin is found: $2"
	done
}

# lacking: how many plugins bspgauge does not find
lacking()
{
	bspgauge --list | grep -c 'without which this was built or installed'
}

# lacking_otf2: the message of bsprun, if it does not find that one
lacking_otf2()
{
	bsprun --trace run.otf2 true 2>&1 | grep 'bsp-otf2.so is not installed'
}

is "$programs/bspinfo" "$(command -v bspinfo)" "the moved bspinfo is the one that runs"
finds bspinfo "through PATH"
finds "$programs/bspinfo" "with its whole name"
ln -s "$programs/bspinfo" link
finds ./link "through a symbolic link"
is $((2 - gauges)) "$(lacking)" "bspgauge finds its own"
if has_plugin otf2; then
	none "$(lacking_otf2)" "bsprun finds that for OTF2"
fi
mkdir empty
BSP_PLUGINS=$PWD/empty
export BSP_PLUGINS
for plugin in $transports; do
	like "bsp-$plugin.so is not installed" "$(bspinfo -n 2)" \
		"$plugin is looked for only where BSP_PLUGINS says"
done
is 2 "$(lacking)" "those of bspgauge too"
like . "$(lacking_otf2)" "and that for OTF2"

done_testing
