#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A plugin of another version than the library, or of none, is named and not used.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

plugins=$(find "$stage" -name 'bsp-*.so' | sed 's|.*/bsp-\(.*\)\.so|\1|')
test "$plugins" || skip_all "no plugins are built"
folder=$libdir/bsp
ours=$(bspcc --version | sed -n '1s/.*(bsp) //p')
other=$(echo "$ours" | tr 0123456789 1234567890)
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"

# Copies in which another version stands, as long as ours.
mkdir other none
for plugin in $plugins; do
	LC_ALL=C sed "s/$(echo "$ours" | sed 's/\./\\./g')/$other/g" "$folder/bsp-$plugin.so" \
		>"other/bsp-$plugin.so"
	# and a library that is no plugin of any version
	echo "int bspt_${plugin%%-*}_ops;" |
		$BSP_CC -shared -fPIC -x c -o "none/bsp-$plugin.so" - ||
		bail "no library can be made"
done
for plugin in $(printf '%s\n' "$plugins" | grep -v 'gauge\|otf2\|mpich\|pmix'); do
	transport=${plugin%%-*}
	seen=$(BSP_PLUGINS=$PWD/other bsprun -n 2 --transport "$transport" ./ring 2>&1)
	is 1 $? "$plugin of version $other: status 1"
	name="bsp-$plugin.so"
	is "bsp_begin: transport $transport cannot be used: $name is of another version of bsp \
($other) than the library ($ours); install both of one build (BSP_PLUGINS names another folder) \
(ring.c:8)" "$seen" "$plugin: the message has both versions"
	like "cannot be used: bsp-$plugin\.so is of another version of bsp \(an earlier one\)" \
		"$(BSP_PLUGINS=$PWD/none bsprun -n 2 --transport "$transport" ./ring 2>&1)" \
		"$plugin without a version"
	seen=$(BSP_PLUGINS=$folder bsprun -n 2 --transport "$transport" ./ring 2>&1)
	is 0 $? "$plugin of this version is used" || diag "$seen"
done
is "$(runs -n 2 ./ring)" "$(BSP_PLUGINS=$PWD/other runs -n 2 ./ring)" "shared memory needs none"
if has_plugin pmix; then
	like "bsp-pmix\.so is of another version of bsp \($other\)" \
		"$(BSP_PLUGINS=$PWD/other PMIX_NAMESPACE=a PMIX_RANK=0 ./ring 2>&1)" \
		"that for PMIx is refused"
fi
if has_plugin otf2; then
	like "bsp-otf2\.so is of another version of bsp \($other\)" \
		"$(BSP_PLUGINS=$PWD/other bsprun -n 2 --trace run.otf2 ./ring 2>&1)" \
		"and that for OTF2"
fi

done_testing
