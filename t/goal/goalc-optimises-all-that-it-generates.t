#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc compile -O prints what it changes; of what is generated nothing gets more, or slower.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"

# number LINE COLUMN: of the table in the file said
number()
{
	$AWK -v line="$1" -v column="$2" 'index($0, line "  ") == 1 { print $(NF - 2 + column) }' \
		said
}

# numbers LINE: before and after
numbers()
{
	printf '%s %s\n' "$(number "$1" 1)" "$(number "$1" 2)"
}

# round KIND ALGORITHM P OPTION...: the table has the numbers of the files, none of which is larger
round()
{
	kind=$1 algorithm=$2 ranks=$3
	shift 3
	if ! "$goalc" gen "$kind" --algorithm "$algorithm" -P "$ranks" "$@" --binary -o wanted \
		2>said; then
		not_applicable "$kind $algorithm of $ranks: $(cat said)"
		return
	fi
	"$goalc" compile -O -o seen wanted 2>said && "$goalc" check seen >found
	ok $? "$kind $algorithm of $ranks $*" || diag "$(head -n 5 said found)"
	is "$("$goalc" sim -b wanted) $("$goalc" sim -b seen)" "$(numbers 'simulated time')" \
		"the times are those of goalc sim"
	is "$("$goalc" check wanted | sed 's/.*operations \([0-9]*\), messages.*/\1/') $(sed \
		's/.*operations \([0-9]*\), messages.*/\1/' found)" "$(numbers operations)" \
		"the operations those of goalc check"
	is "" "$($AWK '/ [0-9]+ +[0-9]+$/ && $NF + 0 > $(NF - 1) + 0' said)" "nothing gets more"
}

"$goalc" gen --list >list || bail "no list"
while read -r kind algorithm _; do
	round "$kind" "$algorithm" 8
done <list
round bcast scatter-allgather 5

round allreduce dissemination 8
is "72 64" "$(numbers dependencies)" "an allreduce by dissemination: eight are implied"
round bcast scatter-allgather 8
is "48 40" "$(numbers operations)" "a broadcast by scatter and allgather: four sends and receives"
is "24 20" "$(numbers messages)" "which are four messages"
is "7168 7168" "$(numbers 'bytes sent')" "of as many bytes in all"
is "47312 45818" "$(numbers 'simulated time')" "and faster"
round bcast scatter-allgather 5
is "19 19" "$(numbers messages)" "of five processes it would be slower"
like '^messages are not merged: the simulated time would grow to 48900$' "$(cat said)" \
	"so it stays, and that is said"

cat >open.goal <<'TEXT'
num_ranks 2
rank 0 {
send 8b to 1 tag 1
send 8b to 1 tag 2
}
rank 1 {
recv 8b from 0 tag 1
recv 8b from -1 tag 2
}
TEXT
"$goalc" compile --optimize -o open.bin open.goal 2>said
like '^messages are not merged: a receive is open to any process or any tag$' "$(cat said)" \
	"an open receive keeps messages apart"
"$goalc" compile -o plain.bin open.goal 2>said
is "" "$(cat said)" "without -O nothing is printed"

done_testing
