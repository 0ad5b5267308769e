# SPDX-License-Identifier: BSD-3-Clause
# collectives.sh - rows of ../../offload.sh, which boots a guest; sourced by Figs. 5 to 7.
# shellcheck shell=sh

# guest_or_skip: ends with 77 where no guest can be booted, or the form is short
guest_or_skip()
{
	if test "$FORM" = short; then
		echo "a guest takes minutes: only in the full form" >&2
		exit 77
	fi
	for file in "$BUILD/stock/complete" "$BUILD/kernel-modules/kernel/espgoal.ko"; do
		test -e "$file" || {
			echo "no ${file##*/}: make stock-kernel kernel-modules" >&2
			exit 77
		}
	done
}

# offload_rows: into the file rows, measured once for all figures of a run
offload_rows()
{
	guest_or_skip
	BUILD=$BUILD ROUNDS=3 ANSWERS=10 LINKS='0 1000' ROWS=$SHARED/offload.rows \
		sh "$SOURCE/bench/offload.sh" 2 4 6 8 >/dev/null || exit 1
	cp "$SHARED/offload.rows" rows
	cp rows "$KEEP/rows"
	echo "# a guest in virtual time: an instruction takes 1 ns; its hosts share a processor, so"
	echo "# times are divided by P, and the link is made P times as slow; medians and quartiles"
	echo "series,x,value,low,high,unit"
}

# offload_series TABLE LINK UNIT FACTOR: a panel for each operation, a curve for each way
offload_series()
{
	awk -v table="$1" -v link="$2" -v unit="$3" -v factor="$4" '
		BEGIN {
			way["softirq"] = "kernel in softirq"
			way["worker"] = "kernel in a worker"
			way["esp"] = "process over ESP"
			way["tcp"] = "process over TCP"
			operation["barrier"] = "barrier"
			operation["tree"] = "tree barrier"
			operation["exchange"] = "total exchange"
		}
		$2 == table && $6 == link && ($3 in operation) && ($4 in way) {
			printf "%s/%s,%d,%g,%g,%g,%s\n", operation[$3], way[$4], $5, factor * $7, \
				factor * $8, factor * $9, unit
		}' rows
}

# library_rows: into the file library, of ../../rivals.sh: the same through the calls of libraries,
# and by Open MPI, where that is here; measured once for all figures of a run
library_rows()
{
	: >library
	for tool in mpirun orted ompi_info; do
		command -v $tool >/dev/null || return 0
	done
	test -x "$BUILD/bench/rivalsmpi" || return 0
	test -s "$SHARED/rivals.rows" ||
		BUILD=$BUILD ROUNDS=3 LINKS='0 1000' WAYS='kernel process mpi' \
			ROWS=$SHARED/rivals.rows sh "$SOURCE/bench/rivals.sh" 2 4 6 8 >/dev/null ||
		exit 1
	cp "$SHARED/rivals.rows" library
	cp library "$KEEP/rivals.rows"
}

# library_series TABLE LINK UNIT: panels of what a program calls: bsp_iallreduce and goal_start with
# BSP_OFFLOAD=1 or without, MPI_Iallreduce and MPI_Ibarrier
library_series()
{
	awk -v table="$1" -v link="$2" -v unit="$3" '
		BEGIN {
			way["kernel"] = "calls with the kernel"
			way["process"] = "calls with the process"
			way["mpi"] = "Open MPI"
			operation["tree"] = "tree barrier by calls"
			operation["allreduce"] = "allreduce of 8 bytes by calls"
		}
		$2 == table && $6 == link && ($3 in operation) && ($4 in way) {
			printf "%s/%s,%d,%g,%g,%g,%s\n", operation[$3], way[$4], $5, $7, $8, $9, \
				unit
		}' library
}
