#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The folder of a job over MPI that was killed together with its host is removed by a later job, and
# no other is.
# shellcheck disable=SC1090,SC2034,SC2154

# Another test's job over MPI is a later job too: this test has a /dev/shm of its own where it can
# make one.
map_root=
test "$(id -u)" -eq 0 || map_root=--map-root-user
if test -z "${BSP_TEST_OWN_SHM-}" &&
	unshare $map_root --mount mount -t tmpfs tmpfs /dev/shm 2>/dev/null; then
	# shellcheck disable=SC2016
	BSP_TEST_OWN_SHM=yes exec unshare $map_root --mount \
		sh -c 'mount -t tmpfs tmpfs /dev/shm && exec "${SHELL:-/bin/sh}" "$0"' "$0"
fi

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport mpi
test -w /dev/shm || skip_all "no /dev/shm here"
write_ring ring.c
bspcc -o ring ring.c || bail "the ring does not compile"
cat >stand.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

/* Says that it is up, and where the folder of its job is; then stays. */
int main(void)
{
	int p;

	bsp_begin(bsp_nprocs());
	p = bsp_pid();
	bsp_sync();
	if (p == 0) {
		printf("up\n");
		fflush(stdout);
	}
	for (;;)
		pause();
}
END
bspcc -o stand stand.c || bail "the program does not compile"

# start: a job that stays; $mark is in the environment of all its processes, the host among them
start()
{
	mark=BSP_TEST_MARK=$$.$1
	: >said
	env "$mark" BSP_TRANSPORT=mpi BSP_NPROCS=2 timeout "$(limit 120)" ./stand >said 2>errors &
	until test -s said; do
		kill -0 $! 2>/dev/null || bail "it does not start: $(cat errors)"
		sleep 0.05
	done
	for pid in $(marked); do
		folder=$(tr '\0' '\n' <"/proc/$pid/maps" |
			sed -n 's|.* \(/dev/shm/bsp-mpi-[^/]*\)/.*|\1|p' | head -n 1)
		test -z "$folder" || break
	done
	test "$folder" || bail "no folder of the job in /dev/shm"
}

# marked: the processes of that job
marked()
{
	for environment in /proc/[0-9]*/environ; do
		grep -sqaz "^$mark\$" "$environment" 2>/dev/null || continue
		environment=${environment%/environ}
		echo "${environment#/proc/}"
	done
}

# kill_all: all are stopped first, so that none of them cleans up
kill_all()
{
	for pid in $(marked); do
		kill -STOP "$pid"
	done
	for pid in $(marked); do
		kill -KILL "$pid"
	done
	while test "$(marked)"; do
		sleep 0.05
	done
}

start 1
dead=$folder
kill_all
test -d "$dead"
ok $? "a job that is killed with its host leaves its folder"
start 2
alive=$folder
test ! -e "$dead"
ok $? "the next job removes it"

# A folder as others might make it, to have something removed that is not theirs.
mkdir "$tap_dir/precious" && touch "$tap_dir/precious/lock" "$tap_dir/precious/file" &&
	chmod 700 "$tap_dir/precious"
trick=/dev/shm/bsp-mpi-trick$$
ln -s "$tap_dir/precious" "$trick"
open=/dev/shm/bsp-mpi-open$$
mkdir "$open" && chmod 777 "$open" && touch "$open/lock"
bsprun -n 2 --transport mpi ./ring >said 2>errors
is 0 $? "a job beside a living one ends well" || diag "$(cat errors)"
test -d "$alive"
ok $? "and leaves the folder of that one"
test -f "$tap_dir/precious/file" && test -L "$trick"
ok $? "a symbolic link is not followed"
test -d "$open"
ok $? "a folder that others can write to is left alone"
rm -rf "$trick" "$open"
kill_all
bsprun -n 2 --transport mpi ./ring >said 2>errors
test ! -e "$alive"
ok $? "when it is dead, its folder goes, too"

done_testing
