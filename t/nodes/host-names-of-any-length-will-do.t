#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs start on hosts whose names are as long as the kernel lets them be, with digits and without,
# and hosts whose names differ in their last byte are two.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/nodes.sh"
. "$top_srcdir/t/lib/installed.sh"

need_launcher
make_nodes 2
write_ring ring.c
bspcc -o ring ring.c || bail "ring does not compile"
letters=abcdefghijklmnopqrstuvwxyz
beginning=$letters$letters${letters%???????????????}

# call_nodes NAME: the names of both nodes are NAME with another last byte
call_nodes()
{
	for k in 1 2; do
		name=$(test $k = 1 && echo "$1a" || echo "$1b")
		on_node node$k hostname "$name" || bail "node$k cannot have this name"
		echo "$address.$k $name" >>"$nodes/hosts"
	done
}

# runs DESCRIPTION COMMAND...: the ring of two
runs()
{
	what=$1
	shift
	on_node node1 timeout -k 5 "$(limit)" "$@" ./ring >output 2>errors
	is 0 $? "$what" || diag "$(cat errors)"
}

# same DESCRIPTION: that of two processes on one host
same()
{
	is "$alone" "$(sort output)" "$*"
}

alone=$(on_node node1 bsprun --local -n 2 ./ring | sort)
call_nodes "${beginning%???}"
runs "transport mpi, 61 bytes" bsprun --local --transport mpi -n 2
same "with what it gives elsewhere"
call_nodes "$beginning"
runs "transport mpi, 64 bytes" bsprun --local --transport mpi -n 2
same "with what it gives elsewhere"
for hosts in localhost:2 "${beginning}a:2" $address.1,$address.2; do
	runs "mpirun on $hosts" bsprun -H $hosts
	same "with what it gives elsewhere"
done
on_node node1 timeout -k 5 "$(limit)" bsprun -H "$beginning"a,"$beginning"b ./ring >output 2>errors
like "a host name has 50 bytes or more before its first digit: ${beginning}b has 64; give" \
	"$(cat errors)" "where mpirun aborts the message says why"

call_nodes "1$letters-$letters-abcdefgh"
runs "mpirun on hosts whose names differ in byte 64" bsprun -H $address.1,$address.2
same "with what it gives elsewhere"
for module in tcp udp; do
	on_node node1 timeout -k 5 "$(limit)" bsprun -H $address.1,$address.2 \
		"$bindir/bspgauge" --module $module --pattern one_one --sizes 1:1 --seconds 0.1 \
		--csv - >output 2>errors
	like "^,$module,one_one,one_one,us,2,1," "$(cat output errors)" \
		"bspgauge measures between them by $module"
done

done_testing
