#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job on one machine listens on no address that another machine could connect to.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

test -r /proc/net/tcp || skip_all "no /proc/net/tcp here"

# Each process says that it is up; then all wait for process 0, which waits for a line.
cat >stand.c <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	int left = -1, me;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	me = bsp_pid();
	bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
	bsp_sync();
	printf("up\n");
	fflush(stdout);
	if (me == 0)
		getchar();
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o stand stand.c || bail "the program does not compile"
mkfifo go
trap : PIPE
mark=BSP955_MARK=$$

# job_processes: all that were started with our mark, whichever processes are their parents now
job_processes()
{
	for environment in /proc/[0-9]*/environ; do
		grep -sqaz "^$mark\$" "$environment" 2>/dev/null || continue
		environment=${environment%/environ}
		echo "${environment#/proc/}"
	done
}

# listening: a line "PROTOCOL ADDRESS PORT" for each socket of the job that others could send to
listening()
{
	for pid in $(job_processes); do
		for fd in /proc/"$pid"/fd/*; do
			readlink "$fd" 2>/dev/null | sed -n 's/^socket:\[\([0-9]*\)\]$/\1/p'
		done
	done | sort -u >inodes
	for protocol in tcp tcp6 udp udp6; do
		test ! -r /proc/net/$protocol || $AWK -v protocol=$protocol '
			FNR == NR { ours[$1] = 1; next }
			($10 in ours) && $4 == (protocol ~ /tcp/ ? "0A" : "07") {
				split($2, at, ":")
				print protocol, at[1], at[2]
			}' inodes /proc/net/$protocol
	done
}

# outside: those that are not loopback; the kernel writes words of 4 bytes, each from the last to
# the first
outside()
{
	grep -vE '^(tcp|udp) [0-9A-F]{6}7F |^(tcp|udp)6 (0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F) '
}

# stands COMMAND...: while all processes of the program wait, what those with the mark listen on is
# in the file seen
stands()
{
	: >seen
	: >said
	timeout -k 5 "$(limit)" "$@" <go >said 2>errors &
	job=$!
	exec 7>go
	until test "$(grep -c '^up$' said)" -eq "$n"; do
		kill -0 $job 2>/dev/null || break
		sleep 0.05
	done
	listening >seen
	echo >&7
	exec 7>&-
	wait $job
}

n=3
for transport in shm mpi ofi mix; do
	has_transport $transport || continue
	stands env "$mark" BSP_NODE_SIZE="$(test $transport = mix && echo 2 || echo 0)" \
		bsprun -n $n --transport $transport ./stand
	is 0 $? "$transport: the job ends well" || diag "$(cat errors)"
	none "$(outside <seen)" "$transport: it listens on loopback only"
	case $transport in
	shm) none "$(cat seen)" "$transport: and not even there" ;;
	ofi) test -s seen; ok $? "$transport: it does listen, so this test can see it" ;;
	mpi) test "$(wc -l <seen)" -le 1; ok $? \
		"$transport: only the server of PMIx does, not the processes" ||
		diag "$(cat seen)" ;;
	esac
done

for provider in tcp net sockets udp; do
	has_transport ofi || break
	# The provider net of libfabric 1.17 leaves some of its memory when all is closed.
	leaks=1
	test $provider != net || leaks=0
	stands env "$mark" ASAN_OPTIONS=detect_leaks=$leaks BSP_OFI_PROVIDER=$provider bsprun -n \
		$n --transport ofi ./stand
	status=$?
	if grep -q "libfabric has no provider '$provider'" errors; then
		skip "no provider $provider of libfabric here"
		continue
	fi
	is 0 $status "provider $provider: the job ends well" || diag "$(cat errors)"
	none "$(outside <seen)" "provider $provider: it listens on loopback only"
	test -s seen
	ok $? "provider $provider: it does listen"
done

# An interface that the user names is used.
interface=$(ip -o -4 address show scope global up 2>/dev/null | $AWK '{ print $2; exit }')
if test "$interface" && has_transport ofi; then
	stands env "$mark" FI_TCP_IFACE="$interface" BSP_OFI_PROVIDER=tcp bsprun -n $n \
		--transport ofi ./stand
	is 0 $? "FI_TCP_IFACE=$interface: the job ends well" || diag "$(cat errors)"
	test "$(outside <seen | wc -l)" -ge $n
	ok $? "FI_TCP_IFACE=$interface: it listens there" || diag "$(cat seen)"
else
	skip "no interface but loopback, or no libfabric here"
fi

# Sockets of mpirun itself do not count: the mark is only in the environment of the program.
if test "$MPIRUN" && has_plugin pmix; then
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		stands "$MPIRUN" --oversubscribe -n $n env "$mark" ./stand
	is 0 $? "mpirun: the job ends well" || diag "$(cat errors)"
	none "$(outside <seen)" "mpirun: the processes of the program listen on loopback only"
else
	skip "no mpirun or libpmix here"
fi

done_testing
