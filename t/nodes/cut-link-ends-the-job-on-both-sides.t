#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# When a node cannot be reached any more, the job ends there and everywhere, and says so.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 3
build_endless

# The last one is what mpirun says when ssh ends before its connection to that node is lost.
messages='lost communication|is lost|no answer|no sign of life|cannot be reached|unable to reliably start'
seconds=$(scaled 3)
for case in "2 ofi" "3 mpi" "1 ofi"; do
	link=${case% *} far=${case#* }
	# the first with the default of BSP_WAIT
	set -- -x BSP_WAIT=lifeline:"$seconds"
	test "$case" != "2 ofi" || set --
	run_endless 3 bsprun "$@" -x BSP_FAR="$far" -H node1,node2,node3
	cut_link "$link"
	ends "node$link is cut off: all processes end, there and elsewhere ($far)"
	test $status -ne 0 && test $status -ne 124
	ok $? "with a status that is not 0 ($status)"
	like "$messages" "$(cat errors)" "and a message"
	mend_link "$link"
done

# A process ends while the launcher does not know yet: it then has something to say to a node
# that does not receive it.
run_endless 3 bsprun -x BSP_WAIT=lifeline:"$seconds" -H node1,node2,node3
cut_link 3
kill -KILL "$(cat running.0)"
ends "a process dies when the link has just been cut"
test $status -ne 0 && test $status -ne 124
ok $? "with a status that is not 0 ($status)"
mend_link 3

done_testing
