#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare, --sync, --emulate and --report with a real program, as a user has it.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/relaxed-ring.sh"

write_relaxed relaxed.c
bspcc -o relaxed relaxed.c || bail "the program does not compile"
write_ring ring.c
bspcc -o ring ring.c || bail "the ring does not compile"
TMPDIR=$tap_dir/tmp
export TMPDIR
mkdir "$TMPDIR"

four="0 has 0 after 4
1 has 1 after 4
2 has 2 after 4
3 has 3 after 4"
is "$four" "$(runs -n 4 ./relaxed)" "the program runs relaxed"
is "$four" "$(runs -n 4 --sync classic ./relaxed)" "and classic"
is "$four" "$(runs -n 4 --emulate gigabit ./relaxed)" "and on an emulated network"

# field NAME FILE: of the report
field()
{
	tr ',{[' '\n\n\n' <"$2" | sed -n "s/^ *\"$1\": *\"*\([^\"}]*\).*/\1/p"
}

for sync in program classic; do
	runs -n 4 --sync $sync --report report.$sync ./relaxed >said
	is "$four" "$(cat said)" "--report changes nothing ($sync)"
	is "4 shm" "$(field nprocs report.$sync) $(field transport report.$sync)" \
		"the report has processes and transport"
	is 4 "$(field compute_s report.$sync | grep -cE '^[0-9.e-]+$')" "and a row for each process"
	is "4 4 4 4" "$(field puts report.$sync | tr '\n' ' ' | sed 's/ $//')" "with its puts"
done
is relaxed "$(field sync report.program)" "relaxed is what the program says"
is classic "$(field sync report.classic)" "classic is what --sync says"
is "$(field supersteps report.program)" "$(field supersteps report.classic)" \
	"supersteps are the same"

for network in "" "L=100us,o=10us,g=10us,G=10ns"; do
	bsprun -n 4 ${network:+--emulate $network} --compare --rounds 2 --html page.html \
		./relaxed >table 2>errors
	is 0 $? "--compare ${network:-on this machine}" || diag "$(cat errors)"
	like "^relaxed: 4 processes, $(test "$network" && echo "emulated network $network" ||
		echo "transport shm"), 2 rounds\$" \
		"$(cat table)" "says what was compared"
	like '^puts +16 +16$' "$(cat table)" "counts the puts"
	time='[0-9.]+ m?u?s' saved='(-?[0-9.]+ %|no difference to be seen)'
	like "^communication, mean +$time +$time +$saved  \(.*\)\$" "$(cat table)" "has times"
	like "^supersteps +$(field supersteps report.program) +$(field supersteps \
		report.program)\$" "$(cat table)" \
		"and the supersteps"
done
is 2 "$(grep -c '^<!-- comparison {' page.html)" "both are in the page"

bsprun -n 2 --compare ./ring >table 2>errors
is 1 $? "a program that is never relaxed"
like "^bsprun: there is nothing to compare: the program never calls bsp_set_sync\(BSP_RELAXED\)" \
	"$(cat errors)" "is said"
none "$(ls -A "$TMPDIR")" "no report is left"

done_testing
