#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare refuses reports that are missing, malformed or of another run, and says what is
# wrong.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

# refuses PATTERN DESCRIPTION: of the reports that are there now
refuses()
{
	seen=$(bsprun --compare --rounds 2 ./fake 2>errors)
	is "1:" "$?:$seen" "$2: status 1, no table"
	like "^bsprun: $1" "$(cat errors)" "$2: says why"
	is 1 "$(wc -l <errors | tr -d ' ')" "$2: in one line"
	rm -f runs
}

# malformed PATTERN DESCRIPTION SED-COMMAND: of a good report
malformed()
{
	afresh
	report good classic 2 "1 1 0" "1 1 0"
	sed "$3" good >report.1
	cmp -s good report.1 && bail "$2: the report is still a good one"
	refuses "the report of the program is malformed, byte [0-9]+ of [0-9]+: $1" "$2"
}

afresh
: >report.1
refuses "the program ended without a report" "an empty report"
cat >silent <<'END'
#!/bin/sh
exit 0
END
chmod +x silent
like "^bsprun: the program ended without a report" "$(bsprun --compare ./silent 2>&1)" \
	"a program that writes none"
cat >thief <<'END'
#!/bin/sh
rm "$BSP_REPORT"
END
chmod +x thief
like "^bsprun: the report of the program: No such file" "$(bsprun --compare ./thief 2>&1)" \
	"a report that was removed"

# Not JSON.
malformed "expected an object" "a list" '1s/^{/[/'
malformed "expected a comma" "a comma is missing" 's/,"transport/ "transport/'
malformed "expected a colon" "a colon is missing" 's/"transport":/"transport" /'
malformed "expected a string" "a member without a name" 's/"transport":/transport:/'
malformed "expected a string" "a comma too much" 's/\]}/],}/'
malformed "expected an object" "a comma too much in the list" 's/\]}/,]}/'
malformed "expected nothing more" "something after it" 's/\]}/]}]/'
malformed "a character that cannot be" "an escape that is none" 's/"shm"/"s\\qhm"/'
malformed "a character that cannot be" "half a pair of surrogates" 's/"shm"/"s\\ud800hm"/'
malformed "a character that cannot be" "a control character" "s/\"shm\"/\"s$(printf '\001')hm\"/"
malformed "a character that cannot be" "a zero by escape" 's/"shm"/"s\\u0000hm"/'
for number in '' 01 .5 1. 1e 1e+ +1 -0x1 0x1 nan inf Infinity 1e999 1,5 '"1"' null true; do
	malformed "(expected |a )" "seconds are '$number'" "s/\"seconds\":2/\"seconds\":$number/"
done
printf '{"transport":"shm' >report.1
rm -f runs
refuses "the report of the program is malformed, byte 17 of 17: a string that does not end" \
	"a string that does not end"
printf '{"program":"fake","nprocs":1\0' >report.1
refuses "the report of the program is malformed, byte 28 of 29: expected a comma" "a zero byte"
awk 'BEGIN { printf "{\"more\":"; for (i = 0; i < 100000; i++) printf "["; }' >report.1
refuses "the report of the program is malformed, byte [0-9]+ of 100008: brackets too deep" \
	"a hundred thousand brackets"

# Not such a report.
for member in transport sync emulate nprocs supersteps seconds processes; do
	malformed "a member is missing" "no $member" "s/\"$member\":/\"other\":/"
	malformed "a member that was there before" "$member twice" "s/^{/{\"$member\":$(
		case $member in
		transport | sync | emulate) echo '"classic"' ;;
		processes) echo '[]' ;;
		*) echo 1 ;;
		esac),/"
done
for member in compute_s sync_s read_s puts gets messages bytes_out bytes_in; do
	malformed "a member is missing in" "a process without $member" "s/\"$member\":/\"other\":/"
	malformed "a member that was there before" "$member twice" \
		"s/{\"compute/{\"$member\":1,\"compute/"
	malformed "a negative number" "negative $member" "s/\"$member\":/&-1/"
done
malformed "a negative number" "negative collective_s" 's/"puts"/"collective_s":-1,&/'
malformed "a negative number" "negative seconds" 's/"seconds":/&-/'
malformed "a negative number" "a negative number of supersteps" 's/"supersteps":/&-/'
malformed "not a count" "half a put" 's/"puts":3/"puts":3.5/'
malformed "not a count" "half a superstep" 's/"supersteps":12/"supersteps":1.5/'
malformed "not a count" "too many supersteps" 's/"supersteps":12/"supersteps":1e300/'
malformed "nprocs is not the number of processes" "a process too much" 's/"nprocs":2/"nprocs":1/'
malformed "nprocs is not the number of processes" "no process" \
	's/"nprocs":2/"nprocs":0/; s/\[.*\]/[]/'
malformed "sync is neither" "sync is something else" 's/"classic"/"program"/'
malformed "expected a number" "a text for a number" 's/"nprocs":2/"nprocs":"2"/'
malformed "expected a string" "a number for a text" 's/"shm"/5/'
malformed "a string that is too long" "a text without end" "s/\"shm\"/\"$(printf '%0600d' 0)\"/"

# Cut anywhere.
afresh
report good classic 2 "1 1 0"
length=$(($(wc -c <good) - 1))
n=1
while test $n -lt $length; do
	head -c $n good >report.1
	rm -f runs
	bsprun --compare --rounds 1 ./fake >out 2>errors
	test $? -eq 1 && test ! -s out &&
		grep -q '^bsprun: the report of the program is malformed' errors || echo "$n"
	n=$((n + 7))
done >wrong
none "$(cat wrong)" "no part of a report is taken for a report"

# Unknown members are no error.
afresh
report good classic 2 "1 1 0"
sed 's/^{/{"more":[{"a":"\\u00e9\\ud83d\\ude00\\n","b":[true,false,null,-1.5e-3,{}]},[]],/' good \
	>report.1
report report.2 relaxed 2 "1 0.5 0"
seen=$(bsprun --compare --rounds 1 ./fake 2>&1)
is 0 $? "members that are not known are passed over" || diag "$seen"

# Good reports, but not of what was asked for.
afresh
report report.1 classic 2 "1 1 0"
report report.2 classic 2 "1 1 0"
refuses "there is nothing to compare: the program never calls bsp_set_sync\(BSP_RELAXED\)" \
	"a program that is never relaxed"
afresh
report report.1 relaxed 2 "1 1 0"
refuses "the run with BSP_SYNC=classic reports that it was relaxed" \
	"a program that is relaxed in any case"
afresh
report report.1 classic 2 "1 1 0"
report report.2 relaxed 2 "1 1 0" "1 1 0"
refuses "runs cannot be compared: 1 processes, then 2" "another number of processes"
afresh
report report.1 classic 2 "1 1 0"
network=L=1us
report report.2 relaxed 2 "1 1 0"
refuses "runs cannot be compared: one used transport shm and network '', one shm and 'L=1us'" \
	"another network"
afresh
network=
report report.1 classic 2 "1 1 0"
report report.2 relaxed 2 "1 1 0"
report report.3 classic 2 "1 1 0" "1 1 0"
refuses "runs cannot be compared: 1 processes, then 2" "another number in the second round"
nothing_left "no report is left"

done_testing
