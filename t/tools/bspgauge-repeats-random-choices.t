#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random pairs and servers of bspgauge are others in each sample, and the same again with the seed
# that the report shows. Both directions at once take as long as one; bandwidths are bytes over
# time.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# The lower half of 5 processes has 2, and a link between the halves carries a message at a time:
# it carries 3 from or to a server among those 2, and 2 of another one.
network=L=20us,o=1us,g=2us,G=1ns,cpu=0,bisection=10ns
# measured OPTION...: to the file csv
measured()
{
	bspgauge -n 5 --module emu --emulate $network --sizes 4k:4k --samples 12 --raw --csv csv \
		"$@" >table 2>errors
	ok $? "bspgauge $*" || diag "$(cat errors)"
}
# servers PATTERN: for each sample 2 or 3, as the time has it
servers()
{
	awk -F, -v p="$1" '$3 == p && $5 == "us" { print $15 }' csv | tr ' ' '\n' |
		awk '{ print ($1 > 150 ? 3 : 2) }' | paste -sd ' '
}
# crossing: for each sample whether a pair of one_one is of both halves
crossing()
{
	awk -F, '$3 == "one_one" && $5 == "us" { print $15 }' csv | tr ' ' '\n' |
		awk '{ print ($1 > 40 ? "yes" : "no") }' | paste -sd ' '
}

measured --pattern one_to_n,n_to_one,one_one --seed 7
like 'bspgauge .* --seed 7$' "$(grep ', bsp ' table)" "the report shows the seed"
many=$(servers one_to_n)
one=$(servers n_to_one)
pairs=$(crossing)
is 12 "$(echo "$many" | wc -w)" "one_to_n has as many samples as --samples says"
is 12 "$(echo "$one" | wc -w)" "so has n_to_one"
like '2.*3|3.*2' "$many" "one_to_n: servers of both halves"
like '2.*3|3.*2' "$one" "n_to_one: servers of both halves"
like 'yes.*no|no.*yes' "$pairs" "one_one: pairs of one half and of both"
measured --pattern one_to_n,n_to_one,one_one --seed 7
is "$many" "$(servers one_to_n)" "the same seed: the same servers of one_to_n"
is "$one" "$(servers n_to_one)" "of n_to_one"
is "$pairs" "$(crossing)" "and the same pairs"
measured --pattern n_to_one --seed 7
is "$one" "$(servers n_to_one)" "also without the other patterns"
measured --pattern n_to_one --seed 8
test "$one" != "$(servers n_to_one)"
ok $? "another seed: other servers"

# By default it is another each time, and repeats.
measured --pattern n_to_one
one=$(servers n_to_one)
seed=$(sed -n 's/.*bsp .* --seed \([1-9][0-9]*\)$/\1/p' table)
like '^[1-9][0-9]*$' "$seed" "without --seed the report shows what was chosen"
measured --pattern n_to_one --seed "$seed"
is "$one" "$(servers n_to_one)" "which chooses the same again"
bspgauge -n 2 --module emu --emulate $network --pattern noise --json a.json >/dev/null
bspgauge -n 2 --module emu --emulate $network --pattern noise --json b.json >/dev/null
test "$(grep -o 'seed [0-9]*' a.json)" != "$(grep -o 'seed [0-9]*' b.json)"
ok $? "two runs have two seeds"

# L + 2 o and the G of 39 bytes with a header of 32: 22 us and 39 ns; 4096 bytes are 4 * 4096 over
# the time of all, whose bounds change places.
bspgauge -n 2 --module emu --emulate L=20us,o=1us,g=2us,G=1ns,cpu=0 --pattern one_one,ping_ping \
	--sizes 1:1 --samples 1 --csv csv >table
is "22.04 22.04" "$(awk -F, '$5 == "us" { printf "%.2f\n", $8 }' csv | paste -sd ' ')" \
	"both directions at once take as long as one"
is "1 1" "$(awk -F, '$5 == "us" { print $11 }' csv | paste -sd ' ')" "in a sample each"
measured --pattern one_to_n --seed 7
awk -F, '$5 == "us" { us = $8; low = $9; high = $10 }
	$5 == "MB/s" { n++; good = $8 * us - 16384; good = good < 1 && good > -1 &&
		$9 * high - 16384 < 1 && $9 * high - 16384 > -1 && $10 * low - 16384 < 1 }
	END { exit !(n == 1 && good) }' csv
ok $? "a bandwidth is the bytes of all messages over the time" || diag "$(cat csv)"

done_testing
