#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that closes descriptors 3 to 1023 in the middle, or allows itself no more, goes on or
# gets a message, and soon.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >closes.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int to[20000], from[20000];

/* closes HOW WHEN PROCESS (-1: each): in superstep WHEN, while all put large and small data. */
int main(int argc, char **argv)
{
	int who = atoi(argv[3]), when = atoi(argv[2]), s, fd;

	bsp_begin(bsp_nprocs());
	for (s = 0; s < 40; s++) {
		if (s == when && (who < 0 || bsp_pid() == who)) {
			struct rlimit none = { 0, 0 };

			for (fd = 3; strcmp(argv[1], "close") == 0 && fd < 1024; fd++)
				close(fd);
			if (strcmp(argv[1], "limit") == 0)
				setrlimit(RLIMIT_NOFILE, &none);
			if (strcmp(argv[1], "mute") == 0 && close(2) == 0)
				bsp_abort("without standard error");
		}
		if (s == 0)
			bsp_push_reg(to, sizeof to);
		else
			bsp_put((bsp_pid() + 1) % bsp_nprocs(), from, to, 0, s % 2 ? sizeof to : 8);
		bsp_sync();
	}
	printf("ended\n");
	bsp_end();
	return 0;
}
END
bspcc -o closes closes.c || bail "the program does not compile"

# At the end of a process the search for leaks opens files, which it then cannot.
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

for transport in shm ofi mpi mix; do
	has_transport $transport || continue
	BSP_NODE_SIZE=$(test $transport = mix && echo 2 || echo 0)
	export BSP_NODE_SIZE
	for how in "close 0 1" "close 5 1" "close 5 -1" "limit 0 1" "limit 5 0" "limit 5 -1"; do
		# shellcheck disable=SC2086
		timeout -k 5 "$(limit)" bsprun -n 3 --transport $transport ./closes $how \
			>said 2>errors
		status=$?
		if test $status -eq 0; then
			test "$(grep -c ended said)" -eq 3
		else
			test $status -eq 1 &&
				test "$(grep -c '^bsp.*process [0-2]' errors)" -eq 1
		fi
		ok $? "$transport, $how: $(test $status -eq 0 && echo it goes on ||
			cut -c1-90 errors)" ||
			diag "status $status" "$(cat errors)"
	done
	timeout -k 5 "$(limit)" bsprun -n 3 --transport $transport ./closes mute 5 1 >said 2>errors
	is 1 $? "$transport, mute 5 1: the status is 1"
	is 1 "$(grep -c '^bsp_abort: without standard error (process 1' errors)" \
		"and the message is written once" || diag "$(cat errors)"
done

if command -v mpirun >/dev/null && has_plugin pmix; then
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 BSP_TRANSPORT=shm \
		BSP_NODE_SIZE=0 \
		timeout -k 5 "$(limit)" mpirun --oversubscribe -n 3 ./closes close 5 1 \
			>said 2>errors
	status=$?
	test $status -ne 0 && test $status -ne 124
	ok $? "mpirun, close 5 1: it ends with a status ($status)" || diag "$(cat errors)"
	is 1 "$(grep -c '^bsp: process 1 on .* has closed descriptors' errors)" \
		"mpirun, close 5 1: and says who"
else
	skip "no mpirun, or built without PMIx"
fi

done_testing
