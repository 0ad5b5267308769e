#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 822 - programs of an installation that was moved find its plugins, however they are started.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/env.sh"
. "$top_srcdir/t/installed.sh"

plugins=$(find "$stage" -name 'bsp-*.so' | sed 's|.*/bsp-\(.*\)\.so|\1|' | grep -v pmix)
test "$plugins" || skip_all "no plugins are built"
moved=$tap_dir/moved
mv "$stage" "$moved"
programs=$moved${bindir#"$stage"}
PATH=$programs:$PATH

# finds PROGRAM HOW: it loads every plugin there is
finds()
{
	for plugin in $plugins; do
		none "$("$1" -n 2 2>&1 | grep "bsp-$plugin.so is not installed")" "$plugin is found: $2"
	done
}

is "$programs/bspinfo" "$(command -v bspinfo)" "the moved bspinfo is the one that runs"
finds bspinfo "through PATH"
finds "$programs/bspinfo" "with its whole name"
ln -s "$programs/bspinfo" link
finds ./link "through a symbolic link"
mkdir empty
BSP_PLUGINS=$PWD/empty
export BSP_PLUGINS
for plugin in $plugins; do
	like "bsp-$plugin.so is not installed" "$(bspinfo -n 2)" "$plugin is looked for only where BSP_PLUGINS says"
done

done_testing
