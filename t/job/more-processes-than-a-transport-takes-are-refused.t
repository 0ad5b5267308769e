#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job has up to 16384 processes; a transport that takes fewer says how many, before any starts.
# shellcheck disable=SC1091,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >prog.c <<'END_C'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	puts("started");
	bsp_end();
	return 0;
}
END_C
bspcc -o prog prog.c || bail "prog.c does not compile"

# refused STATUS PROCESSES MESSAGE WHAT OPTION...
refused()
{
	status=$1 n=$2 message=$3 what=$4
	shift 4
	seen=$(timeout -k 5 "$(limit)" bsprun -n "$n" "$@" ./prog 2>&1)
	is "$status" $? "$what, $n processes: status $status"
	like "^$message" "$seen" "$what: the message says how many, and what takes more"
	none "$(echo "$seen" | grep started)" "$what: none has started"
}

more='it is for up to 4096 processes of a node, and one has 5000; make 2 nodes or more, which'
more="$more transport mix takes \\(bsprun --nodes\\), or use more hosts"
refused 1 5000 "bsp_begin: transport shm cannot be used: $more" "the usual transport"
refused 1 4097 "bsp_begin: transport mix cannot be used: .* one has 4097; make 2 nodes" mix \
	--transport mix
refused 2 9000 "bsprun: .*2 nodes have 4500 processes each, .* ask for 3 nodes or more" \
	"two nodes" --nodes 2
refused 2 16384 "bsprun: transport 'shm' cannot run here: it is for up to 4096 .* --nodes 4" shm \
	--transport shm
refused 2 5000 "bsprun: transport 'emu' cannot run here: .* is for up to 4096 processes" emu \
	--transport emu --emulate sp2
refused 2 2 "bsprun: transport 'self' cannot run here: it is for one process, not 2" self \
	--transport self

# Without bsprun the program looks for the transport itself.
seen=$(BSP_EMULATE=sp2 BSP_NPROCS=5000 timeout -k 5 "$(limit)" ./prog 2>&1)
is 1 $? "an emulated network without bsprun: status 1"
like "^bsp_begin: transport emu cannot be used: .* is for up to 4096 processes" "$seen" \
	"the message says so of emu"
none "$(echo "$seen" | grep started)" "none has started"

like "^bsprun: -n 16385: expected a number from 1 to 16384" "$(bsprun -n 16385 ./prog 2>&1)" \
	"no job has more than 16384"
for most in "shm 4096" "emu 4096" "esp 4096"; do
	name=${most% *} n=${most#* }
	like "(cannot run here|not with 4097 processes): .*up to $n processes" \
		"$(bspinfo -n 4097 | sed -n "/^  $name /,/^  [a-z]/p")" "bspinfo: $name takes $n"
done
if has_transport mpi; then
	like "up to 256 processes.*not 257" "$(bspinfo -n 257 | sed -n '/^  mpi /,/^  [a-z]/p')" \
		"bspinfo: mpi without a launcher takes 256"
fi
if has_transport ofi; then
	for name in mix ofi; do
		like "can run here with 16384 processes" \
			"$(bspinfo -n 16384 | sed -n "/^  $name /,/^  [a-z]/p")" \
			"bspinfo: $name takes as many as a job has"
	done
fi
done_testing
