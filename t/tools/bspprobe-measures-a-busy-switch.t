#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspprobe finds gamma on an emulated network whose switch is busy, and marks it beyond the model.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

probe=$top_builddir/tools/bspprobe/bspprobe
cd "$tap_dir" || bail "no $tap_dir"
net=L=20us,o=8us,g=8us,G=10ns,cpu=0

# probe N NETWORK: of N processes with messages of up to 1 KiB; its CSV is in the file csv
probe()
{
	"$probe" -n "$1" --emulate "$2" --bytes 1024 --seconds 1 --csv >csv 2>said ||
		bail "bspprobe: $(cat said)"
}

# value NAME: its median; bounds and times are those of 1 KiB
value()
{
	$AWK -F, -v name="$1" '$1 == name && ($2 == 0 || $2 == 1024) { print $3 }' csv
}

# flag NAME: why it is marked
flag()
{
	$AWK -F, -v name="$1" '$1 == name && $2 == 0 { print $8 }' csv
}

# near WANTED SEEN WHAT: WANTED is an expression
near()
{
	$AWK -v seen="$2" "BEGIN { wanted = $1; d = wanted - seen; exit !(d < 2e-3 && d > -2e-3) }"
	ok $? "$3" || diag "$1 is wanted, and seen $2"
}

# Both bounds have or = 8 us and an L with which L + g(m) is half a round trip: 28 us.
probe 2 "$net"
calm=$(value exchange)
is "0 " "$(value gamma) $(flag gamma)" "no switch: gamma is 0"
near "8 + 8 + 28" "$(value exchange_lower)" "the lower bound: os + or + L"
near "$(value exchange_calm)" "$calm" "an exchange takes as long as predicted without contention"
near "$calm + 8" "$(value exchange_upper)" "the upper bound: g + or + L"

# A message has (calm - 36) / 0.01 + 1 bytes: it takes o, 10 ns for all bytes but one, L and o.
probe 2 "$net,switch=7ns"
near "36 + (2 * (($calm - 36) / 0.01 + 1) - 1) * 0.007" "$(value exchange)" \
	"a busy switch: the last byte of two messages is behind all others"
near "($(value exchange) - $(value exchange_lower)) / \
	($(value exchange_upper) - $(value exchange_lower))" "$(value gamma)" \
	"gamma says where that is between the bounds"
is "" "$(flag gamma)" "and is not marked"

probe 4 "$net"
calm=$(value exchange)
probe 4 "$net,switch=1ns"
is "0 $calm" "$(value gamma) $(value exchange)" "a switch that is faster than four is never busy"
probe 4 "$net,switch=100ns"
is "1 cannot be measured: exchanges take more than the upper bound" \
	"$(value gamma) $(flag gamma)" "a switch that is busier than the model knows: marked"
$AWK -v took="$(value exchange)" 'BEGIN { exit !(took >= 36 + 12 * 1.024 * 100) }'
ok $? "as all twelve messages pass it one after the other"

done_testing
