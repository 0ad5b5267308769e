#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspprobe finds the figures of an emulated network, and prints them as table, CSV and JSON.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

network=L=20us,o=5us,g=8us,G=10ns,cpu=0
bspprobe -n 3 --emulate "$network" --seconds 5 --bytes 64k >table 2>errors
ok $? "bspprobe runs" || diag "$(cat errors)"
none "$(cat errors)" "and says nothing where there is no terminal"
like "transport emu, network $network, 3 processes, virtual time" "$(cat table)" \
	"the table says what was measured"
for name in s l g nhalf L gamma combine copy; do
	like "^$name +[0-9.e+-]+ " "$(cat table)" "the table has $name"
done

# field NAME BYTES: its median out of the CSV
field()
{
	awk -F, -v name="$1" -v bytes="$2" '$1 == name && $2 == bytes { print $3 }' csv
}

# near WANTED SEEN: within 5 %, as messages have a header
near()
{
	awk -v wanted="$1" -v seen="$2" \
		'BEGIN { exit !(seen > 0.95 * wanted && seen < 1.05 * wanted) }'
	ok $? "$3: $2 is about $1"
}

bspprobe -n 2 --emulate "$network" --seconds 5 --bytes 64k --csv >csv
ok $? "--csv"
# us: a byte is there after L + 2 o, of which the gap is g; each byte more costs G
near 22 "$(field L 0)" "L, without the gap"
near 8.5 "$(field g 1)" "g(1), with its header"
near 168 "$(field g 16384)" "g(16384)"
near 659 "$(field g 65536)" "g(65536)"

if command -v python3 >/dev/null; then
	bspprobe -n 2 --emulate "$network" --seconds 5 --bytes 4k --json >json
	python3 - >seen 2>&1 <<'END'
import json
entry, = json.load(open('json'))['entries']
assert entry['transport'] == 'emu' and entry['nprocs'] == 2 and entry['network'].startswith('L=20us'), entry
assert [s['bytes'] for s in entry['sizes']] == sorted({s['bytes'] for s in entry['sizes']})
assert all(s['g'] > 0 and s['g_low'] <= s['g'] <= s['g_high'] for s in entry['sizes'])
END
	ok $? "--json is JSON" || diag "$(cat seen)"
else
	skip "--json: no python3 here"
fi

# A program sees them.
cat >slg.c <<'END'
#include <bsp.h>
#include <stdio.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	if (bsp_pid() == 0)
		printf("%.6g %.6g %.6g %d\n", bsp_s(), bsp_l(), bsp_g(), bsp_nhalf());
	bsp_end();
	return 0;
}
END
bspcc -o slg slg.c
ok $? "a program that asks for s, l and g"
bspprobe -n 2 --emulate "$network" --seconds 2 --bytes 4k --json >params.json
BSP_PARAMS=$PWD/params.json bsprun -n 2 --emulate "$network" ./slg >seen 2>errors
ok $? "it runs with BSP_PARAMS" || diag "$(cat errors)"
none "$(cat errors)" "which fits"
is "$(awk -F'[:,]' \
	'/"s":/ { s = $2 } /"l":/ { l = $2 } /"g":/ { if (!g) g = $2 } /"nhalf":/ { n = $2 }
	END { printf "%.6g %.6g %.6g %d", s, l, g, n }' params.json)" "$(cat seen)" \
		"bsp_s, bsp_l, bsp_g and bsp_nhalf answer from it"
BSP_PARAMS=$PWD/params.json bsprun -n 2 --transport shm ./slg >seen 2>errors
ok $? "over another transport it runs, too"
like "BSP_PARAMS: .*params.json has no entry for transport shm; bspprobe --save makes one" \
	"$(cat errors)" "with a warning"

done_testing
