#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Heat makes the same picture in C and in Python, with barriers and relaxed, and over a network.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/python.sh"

cp "$top_srcdir"/examples/heat.* . || bail "no examples/heat.py"
# shellcheck disable=SC2086
$CC $CFLAGS -ffp-contract=off -I"$top_srcdir/include" -o heat heat.c -L"$BSP_LIBDIR" \
	-Wl,-rpath,"$BSP_LIBDIR" -lbsp || bail "heat.c does not compile"

# picture N TRANSPORT PROGRAM...: on so many processes
picture()
{
	started "$@" 2>&1 | cksum
}

wanted=$(picture 1 self ./heat 40 60)
test "$wanted" != "$(picture 1 self ./heat 40 61)"
ok $? "another step makes another picture"
for n in 1 3; do
	for mode in "" -r; do
		# shellcheck disable=SC2086
		is "$wanted" "$(picture $n shm "$PYTHON" heat.py $mode 40 60)" \
			"heat.py $mode on $n processes"
	done
done
for network in $networks; do
	is "$wanted" "$(picture 3 $network "$PYTHON" heat.py -r 40 60)" "heat.py -r over $network"
done
like 'well-formed' "$(bsprun -n 3 --check "$PYTHON" heat.py -r 20 10 2>&1 >picture)" \
	"heat.py -r is well-formed"
like '^bsp_abort: usage: heat\.py .*heat\.py:[0-9]*\)$' "$(bsprun -n 3 "$PYTHON" heat.py 2 2>&1)" \
	"heat.py refuses less rows than processes"

done_testing
