#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# BSP_PROGRESS=thread is refused where the program has initialised MPI for one thread.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

netmpi=$top_builddir/bench/netmpi
test -z "$BSP_SANITIZE" || skip_all "not applicable: MPI's libraries bear no sanitizer"
test -x "$netmpi" || skip_all "no mpicc and mpirun here"
BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_PLUGINS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# start PROGRESS: netmpi calls MPI_Init, which asks for no threads
start()
{
	timeout "$(limit)" "$MPIRUN" --oversubscribe -n 2 env BSP_TRANSPORT=mpi BSP_PROGRESS="$1" \
		"$netmpi" sync >"$tap_dir/out" 2>"$tap_dir/err"
}

start calls
ok $? "without the thread it runs" || diag "$(cat "$tap_dir/err")"
start thread
test $? -ne 0
ok $? "with the thread it ends"
grep -q \
	"^bsp_begin: the network failed: BSP_PROGRESS=thread needs an MPI that was initialised with MPI_THREAD_SERIALIZED" \
	"$tap_dir/err"
ok $? "the message says what is missing" || diag "$(cat "$tap_dir/err")"

done_testing
