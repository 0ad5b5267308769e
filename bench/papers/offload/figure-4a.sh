# SPDX-License-Identifier: BSD-3-Clause
# figure-4a.sh - a frame is answered by a process, in softirq and by a worker.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

offload_rows
awk '
	BEGIN {
		way["user"] = "process"
		way["softirq"] = "kernel in softirq"
		way["worker"] = "kernel in a worker"
		way["worker-softirq"] = "a worker adds"
	}
	$2 == "answer" && ($4 in way) {
		printf "%s,%d,%g,%g,%g,us\n", way[$4], $3 == "computing", $7, $8, $9
	}' rows
