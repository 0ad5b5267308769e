# SPDX-License-Identifier: BSD-3-Clause
# gauge.sh - a ping-pong of bspgauge between two processes of a guest; sourced by Figs. 2 and 3.
# shellcheck shell=sh disable=SC1091

. "$SOURCE/bench/papers/offload/collectives.sh"

# ping_pong UNIT: series of EDP and UDP in us (half of the round trip) or MB/s, over bytes
ping_pong()
{
	guest_or_skip
	program=$BUILD/tools/bspgauge/.libs/bspgauge
	test -x "$program" || program=$BUILD/tools/bspgauge/bspgauge
	cat >script <<'END'
segment 2 && ip link set lo up || echo "Bail out! no segment"
export HOME=/tmp
bspgauge -n 2 --module edp,udp --pattern one_one --sizes 1:1472 --seconds 4 \
	--csv /tmp/csv >/tmp/out 2>&1
ok $? "bspgauge" || sed 's/^/# /' /tmp/out
sed -n 's/^,//p' /tmp/csv | sed 's/^/row /'
END
	sh "$SOURCE/kernel/testbed/guest.sh" -v 0 -t 600 -k "$BUILD/kernel-modules/kernel/enet.ko" \
		"$BUILD/stock" script "$program" >"$KEEP/guest" || {
		grep -v '^row ' "$KEEP/guest" >&2
		exit 1
	}
	echo "# two processes of a guest, over its loopback interface, in virtual time; median and"
	echo "# its 95 % confidence"
	echo "series,x,value,low,high,unit"
	sed -n 's/^row //p' "$KEEP/guest" | awk -F, -v unit="$1" '
		$4 == unit { printf "%s,%d,%s,%s,%s,%s\n", toupper($1), $6, $7, $8, $9, unit }'
}
