#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An ordinary compiler with pkg-config's flags does what bspcc does.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v pkg-config >/dev/null || skip_all "no pkg-config here"
test -e "$libdir/libbsp.so" ||
	skip_all "only a static library was built; that takes pkg-config --static"

is "$(bspcc -showme:version | sed 's/.*bsp \([^ ]*\) .*/\1/')" "$(pkg-config --modversion bsp)" \
	"same version"
for part in compile:cflags link:libs; do
	is "$(bspcc -showme:"${part%:*}")" "$(pkg-config --"${part#*:}" bsp | sed 's/ *$//')" \
		"bsp: --${part#*:} are the flags that bspcc shows"
	is "$(bspcc --mcbsp -showme:"${part%:*}")" \
		"$(pkg-config --"${part#*:}" bsp-mcbsp | sed 's/ *$//')" \
		"bsp-mcbsp: --${part#*:} are the flags that bspcc --mcbsp shows"
done

for name in bsp:4 bsp-mcbsp:8; do
	write_ring ring.c
	# shellcheck disable=SC2046,SC2086
	$BSP_CC -o ring ring.c $(pkg-config --cflags --libs "${name%:*}")
	is "0 after 1, size ${name#*:}
1 after 0, size ${name#*:}" "$(runs -n 2 ./ring)" "a program built with ${name%:*} runs"
done

# As installed the files must name the place for which they were made.
for file in "$pkgconfigdir"/bsp.pc "$pkgconfigdir"/bsp-mcbsp.pc; do
	none "$(grep -n '@' "$file")" "${file##*/}: nothing is left to be replaced"
	none "$(grep -nF "$stage" "$file")" "${file##*/}: names no temporary place"
done
for file in bspcc bspcxx; do
	none "$(grep -nE '@[A-Za-z_]+@' "$bindir/$file")" "$file: nothing is left to be replaced"
	none "$(grep -nF "$stage" "$bindir/$file")" "$file: names no temporary place"
done

done_testing
