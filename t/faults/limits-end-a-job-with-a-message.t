#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever a limit (ulimit) leaves to a job, it works or ends with one message, and in bounded time.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v prlimit >/dev/null || skip_all "no prlimit here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers need memory of their own"

write_ring ring.c
bspcc -o ring ring.c || bail "the ring does not compile"
as_user=
test "$(id -u)" -ne 0 || as_user="setpriv --reuid 65533 --regid 65533 --clear-groups"
chmod 755 "$tap_dir"

# The environment lies on the stack, and before it the kernel leaves up to 8 kB free, by chance: a
# stack of 24 kB may be too little for any program.

# limited TRANSPORT LIMIT...: the ring on three processes, with limits as prlimit(1) writes them.
# Its output goes through pipes, as a file could be too long.
limited()
{
	transport=$1
	shift
	run_as=
	case $* in *--nproc*) run_as=$as_user ;; esac
	nodes=0
	test "$transport" != mix || nodes=2
	{
		{
			# shellcheck disable=SC2086
			env -i PATH="$PATH" BSP_NODE_SIZE=$nodes timeout -k 5 "$(limit)" \
				prlimit "$@" $run_as \
				bsprun -n 3 --transport "$transport" ./ring
			echo $? >status
		} 2>&1 >&3 | cat >errors
	} 3>&1 | cat >said
	status=$(cat status)
	messages=$(grep -c '^bsp' errors)
	if test $status -eq 0; then
		test "$(grep -c ' after ' said)" -eq 3
	else
		test $status -ne 124 && test $status -ne 137 && test "$messages" -eq 1
	fi
	ok $? "$transport, $*: $(test $status -eq 0 && echo it works || cut -c1-120 errors |
		grep '^bsp')" ||
		diag "status $status" "$(head -n 5 said errors)"
}

K=1024
for transport in shm ofi mpi mix; do
	has_transport $transport || continue
	for k in 40 64 256; do
		limited $transport --stack=$((k * K))
	done
	for n in 6 14 40; do
		limited $transport --nofile=$n
	done
	for n in 3 20; do
		limited $transport --nproc=$n
	done
	limited $transport --memlock=0
	limited $transport --fsize=0
done
for k in 10000 40000 100000; do
	limited shm --as=$((k * K))
	limited shm --data=$((k * K))
done

# Where libfabric gets no memory for a message or a connection it tries for ever, and does not say
# so.
has_transport ofi && for k in 15000 20000 30000; do
	limited ofi --data=$((k * K))
	limited ofi --as=$(((k + 10000) * K))
done
has_transport mix && limited mix --data=$((25000 * K))

# Open MPI, and the server of PMIx, hang or crash.
has_transport mpi && for k in 20000 60000 100000 200000 400000; do
	limited mpi --as=$((k * K))
	limited mpi --data=$((k * K / 4))
done

# Libfabric takes 21 MB of each process, and no limit but the machine's memory says so.
mib=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
if has_transport ofi && test "$mib" -lt 60000; then
	for transport in ofi mix; do
		seen=$(BSP_TRANSPORT=$transport BSP_NODE_SIZE=1 bsprun -n 4096 ./ring 2>&1)
		is 1 $? "$transport, 4096 processes for which there is no memory: status 1"
		like "^bsp_begin: no memory for 4096 processes; ask for fewer" "$seen" \
			"$transport: the message says so before any starts"
	done
fi

done_testing
