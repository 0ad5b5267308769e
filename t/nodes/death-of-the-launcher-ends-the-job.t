#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When bsprun, the launcher or one of its daemons dies, all processes end everywhere.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2
build_endless

# process NODE NAME: its number
process()
{
	left_on "$1" |
		awk -v name="$2" '{ n = split($3, part, "/") } part[n] == name { print $2; exit }'
}

# dies SIGNAL NODE NAME
dies()
{
	run_endless 3 bsprun -H node1,node2:2
	victim=$(process "$2" "$3")
	test "$victim"
	ok $? "$3 runs on $2"
	kill "-$1" "$victim"
	ends "SIG$1 to $3 on $2 ends the job"
	test $status -ne 0 && test $status -ne 124
	ok $? "with a status that is not 0 ($status)"
}

for signal in TERM INT HUP KILL; do
	dies $signal node1 bsprun
done
dies TERM node1 mpirun
dies KILL node1 mpirun
dies KILL node2 orted

done_testing
