# SPDX-License-Identifier: BSD-3-Clause
# matrix.sh - all faults at all moments in all processes, over all that can run here; make
# check-faults starts it.
# shellcheck shell=sh disable=SC2154

# usage: matrix.sh FOLDER_OF_THE_BUILD
#
#	CARRIERS, FAULTS, MOMENTS, PROCESSES	only these; words of faults.sh, processes from 0
# to 3
#
# A line for each case, as tests write them; the last line says how many there were, and how many
# went wrong.

build=$1
. "$build/t/lib/env.sh" || exit 2
. "$top_srcdir/t/faults/faults.sh"

start_cluster "${CARRIERS:-$all_carriers}"
for carrier in $carriers; do
	for fault in ${FAULTS:-$all_faults}; do
		for moment in ${MOMENTS:-$all_moments}; do
			for process in ${PROCESSES:-0 2 3}; do
				can_be "$carrier" "$fault" "$moment" "$process" || continue
				for calls in $(calls_at "$moment"); do
					run_case "$carrier" "$fault" "$moment" "$process" "$calls"
				done
			done
		done
	done
done
stop_cluster
none "$(left_on node1; left_on node2)" "at the end no process is left"
diag "$tap_made cases, $tap_failed wrong"
done_testing
