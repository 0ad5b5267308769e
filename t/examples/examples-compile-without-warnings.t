#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every example compiles without a warning, for the interface of 1998 and for that of MulticoreBSP.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

warnings="-Wall -Wextra -Wmissing-prototypes -Wshadow -Wstrict-prototypes -Wvla -Werror"

for source in "$top_srcdir"/examples/*.c; do
	for interface in "" -DBSP_MCBSP; do
		# shellcheck disable=SC2086
		said=$($CC -O2 $warnings $interface -I"$top_srcdir/include" \
			-c -o "$tap_dir/object.o" "$source" 2>&1)
		ok $? "${source##*/} $interface" || diag "$said"
	done
done

done_testing
