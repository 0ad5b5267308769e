#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bsp.h promises holds as well if mpirun of Open MPI or mpiexec of MPICH starts the processes.
# shellcheck disable=SC2154

# A few tests of each family; make check-launched runs all.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/under_launcher.sh"

test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: libraries that are loaded later have no sanitizers"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

if test "$MPIRUN" && has_plugin pmix; then
	BSP_TRANSPORT=auto passes "mpirun, auto" "$MPIRUN --oversubscribe -n" \
		transfer/get-returns-the-value-before-a-put \
		transfer/mismatched-registrations-abort \
		message/queue-is-stable-and-counts-what-is-left \
		schedule/schedules-shift-around-a-ring \
		relaxed/areas-are-read-many-supersteps-later
	for transport in ofi mpi; do
		has_transport "$transport" || continue
		BSP_TRANSPORT=$transport passes "mpirun, $transport" "$MPIRUN --oversubscribe -n" \
			transfer/all-gets-read-before-any-get-writes \
			message/large-messages-arrive-whole \
			relaxed/read-shows-the-puts-of-earlier-supersteps
	done
else
	skip "no mpirun or libpmix here"
fi

# One process that mpiexec starts is a program by itself, so these have no job of one.
if test "$MPICH_EXEC"; then
	BSP_TRANSPORT=mpi passes mpiexec "$MPICH_EXEC -n" \
		transfer/overlapping-transfers-end-whole \
		schedule/schedules-shift-around-a-ring
else
	skip "no mpicc.mpich and mpiexec.hydra here"
fi

done_testing
