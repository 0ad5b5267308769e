#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Samplesort sorts, also keys that are few, none or all equal, and no process gets far too many.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

samplesort=$top_builddir/examples/samplesort
test -x "$samplesort" || bail "no $samplesort: make check builds it"

# sorts P LIMIT KEYS [SEED [RANGE]]: ends well, and no process has LIMIT times its share
sorts()
{
	p=$1 limit=$2
	shift 2
	said=$(BSP_NPROCS=$p "$samplesort" "$@" 2>&1)
	is 0 $? "$p processes sort keys, seed, range $*" || diag "$said"
	like "^samplesort: $1 keys on $p process(es)? in .* keys/s, 3 supersteps, " "$said" \
		"and tell how fast"
	share=$(printf '%s\n' "$said" | $SED -n 's/.* supersteps, \([0-9.]*\) of a share.*/\1/p')
	test "$(echo "${share:-none} $limit" | $AWK '{ print $1 + 0 == $1 && $1 <= $2 }')" = 1
	ok $? "and the fullest has $share of its share, at most $limit"
}

for p in 1 2 3 4 7; do
	sorts $p $p 0			# a limit of p says nothing
	sorts $p $p 1
	sorts $p $p $((p - 1)) 5
	sorts $p $p $((p + 1)) 6
	sorts $p 1.1 50000 7		# all different
	sorts $p 2.01 50000 8 1		# all equal
	sorts $p 2.01 50000 9 2
	sorts $p 2.01 50000 10 300	# the upper bytes are equal
done
BSP_SHUFFLE=3 && export BSP_SHUFFLE
sorts 4 1.1 50000
unset BSP_SHUFFLE

sorts 2 1.1 10000000

BSP_NPROCS=2 && export BSP_NPROCS
for wrong in "-1" "ten" "10x" "1e6" "''" "99999999999999999999" "10 x" "10 1 y" "10 1 1 1" \
	"--help"; do
	said=$(eval "'$samplesort' $wrong" 2>&1)
	is 2 $? "samplesort $wrong is refused"
	like "^(usage: samplesort|samplesort: '.*' is not a number from 0 to )" "$said" \
		"and says why"
done
said=$("$samplesort" 100000000000000000 2>&1)
is 1 $? "more keys than there is memory for end the job"
like '^bsp_abort: (no memory for|[0-9]* keys on one process are too many)' "$said" "with a message"

done_testing
