#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# FT refuses numbers of processes that do not divide the box, unknown classes and wrong options, and
# says why.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

ft=$top_builddir/examples/ft
test -x "$ft" || skip_all "no libfftw3-dev here"

# cannot_divide P CLASS Y Z POSSIBLE
cannot_divide()
{
	said=$(BSP_NPROCS=$1 "$ft" "$2" 2>&1)
	is 1 $? "class $2 is not for $1 processes" || diag "$said"
	like "^bsp_abort: ft: class $2 has $3 planes of y and $4 of z, .* $1 processes alike" \
		"$said" \
		"and the message says why"
	like "; possible numbers of processes: $5 \\(" "$said" "and which would be possible"
}

cannot_divide 3 S 64 64 "1, 2, 4, 8, 16, 32, 64"
cannot_divide 6 S 64 64 "1, 2, 4, 8, 16, 32, 64"
cannot_divide 64 W 128 32 "1, 2, 4, 8, 16, 32"	# divides y but not z
cannot_divide 5 B 256 256 "1, 2, 4, 8, 16, 32, 64, 128, 256"

for class in X s SS 5 ""; do
	said=$(BSP_NPROCS=2 "$ft" "$class" 2>&1)
	is 2 $? "there is no class '$class'"
	like "^ft: there is no class '$class'; the classes are S, W, A, B and C\$" "$said" \
		"and the message says which there are"
done

for wrong in "S W" -x "-b" "-b 0 S" "-b -1 S" "-b x S" "-b 3x S" "-b 99999999999 S" "-e" "-e x S" \
	"S -s"; do
	# shellcheck disable=SC2086
	said=$(BSP_NPROCS=2 "$ft" $wrong 2>&1)
	is 2 $? "ft $wrong is refused"
	like '^usage: ft ' "$said" "and says how it is used"
done

done_testing
