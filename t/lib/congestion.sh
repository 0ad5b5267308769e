# SPDX-License-Identifier: BSD-3-Clause
# congestion.sh - senders to one receiver behind a short queue, by bench/congestion.sh; read after
# guests.sh.
# shellcheck shell=sh disable=SC2154

# bench/CONGESTION.md has its figures. Time in the guest is virtual.

test -x "$top_builddir/bench/offload" || skip_all "bench/offload was not built"
test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"
test -z "$BSP_GUEST_KERNEL" ||
	skip_all "in virtual time a kernel that watches itself takes for ever"

rows=$tap_dir/rows

# measure WAYS QUEUE BYTES ROUNDS SENDERS...
measure()
{
	ways=$1 queue=$2 bytes=$3 rounds=$4
	shift 4
	rm -f "$rows"
	said=$(BUILD=$top_builddir ROUNDS=$rounds SIZES=$bytes QUEUES=$queue WAYS=$ways ROWS=$rows \
		sh "$top_srcdir/bench/congestion.sh" "$@" 2>&1)
	is 0 "$?" "a queue of $queue, messages of $bytes bytes" || diag "$said"
}

# row TABLE WAY SENDERS: its value
row()
{
	$AWK -v table="$1" -v way="$2" -v senders="$3" \
		'$2 == table && $4 == way && $5 == senders { print $7 }' "$rows"
}

# holds CONDITION NAME: of awk
holds()
{
	$AWK "BEGIN { exit !($1) }"
	is 0 "$?" "$2" || diag "not so: $1"
}

# loses_less PERCENT SENDERS: of the frames that are needed; one round more is not counted
loses_less()
{
	lost=$($AWK -v n="$(row dropped esp "$2")" -v senders="$2" -v bytes="$bytes" \
		-v rounds="$rounds" 'BEGIN {
			print 100 * n / ((rounds + 1) * senders * bytes / 1448)
		}')
	diag "$lost % of frames are lost"
	holds "$lost < $1" "$2: less than $1 % of the frames are lost"
}
