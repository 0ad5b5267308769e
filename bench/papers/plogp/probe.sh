# SPDX-License-Identifier: BSD-3-Clause
# probe.sh - what the figures of the pLogP paper share; sourced by them.
# shellcheck shell=sh

# probe_rows FILE PROCESSES OPERATIONS OPTION...: rows of bspprobe --verify into FILE, with all
# algorithms that exist; the short form measures up to 1 KiB and for a second.
probe_rows()
{
	file=$1 processes=$2 operations=$3
	shift 3
	seconds=20 bytes=1M
	test "$FORM" = full || seconds=1 bytes=1k
	"$BUILD/tools/bspprobe/bspprobe" -n "$processes" --seconds "$seconds" --bytes "$bytes" \
		--verify --only "$operations" --csv --quiet "$@" >"$file"
}

# probe_series FILE PROCESSES ALGORITHM NAME: both series of an algorithm over bytes
probe_series()
{
	awk -F, -v processes="$2" -v algorithm="$3" -v name="$4" '
		$2 == algorithm && $3 == processes {
			printf "%s predicted,%d,%s,,,us\n", name, $4, $6
			printf "%s measured,%d,%s,%s,%s,us\n", name, $4, $7, $8, $9
		}' "$1"
}
