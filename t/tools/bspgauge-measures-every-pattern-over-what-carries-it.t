#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge measures each pattern over each module that can, and says why not over the others.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

bspgauge --list >list
ok $? "--list"
patterns=$(sed -n '/^Patterns:/,/^$/s/^  \([a-z_]*\)  *.*/\1/p' list | grep -v '^$')
modules=$(sed -n '/^Modules:/,$s/^  \([a-z][a-z-]*\)  *.*/\1/p' list)
for name in one_one ping_ping one_to_n n_to_one loggp plogp nbov overlap barrier bcast allgather \
	allreduce ebb hrelation relaxed noise; do
	like "(^|[^a-z_])$name([^a-z_]|\$)" "$(echo $patterns)" "there is a pattern $name"
done
for name in shm emu mix ofi mpi bsp-hpput bsp-hpget tcp udp ip eth edp esp; do
	like "(^|[^a-z_-])$name([^a-z_-]|\$)" "$(echo $modules)" "there is a module $name"
done

# gauged: all patterns of $module, on $nprocs processes
gauged()
{
	# shellcheck disable=SC2086
	bspgauge -n $nprocs --module "$module" $emulate --sizes 1:4k:64 --seconds 1 --csv csv \
		>table 2>errors
}

# has_values PATTERN: each between its bounds
has_values()
{
	awk -F, -v m="$module" -v p="$1" '$2 == m && $3 == p && $11 > 0 && $9 <= $8 && $8 <= $10 {
		n++ } END { exit !n }' csv
}

# is_refused PATTERN: with a reason
is_refused()
{
	grep -q "^$1 over $module: not measured: ." table
}

# datagrams_arrive: on a busy machine they are lost, up to all of a run
datagrams_arrive()
{
	gauged || return
	for pattern in $patterns; do
		is_refused "$pattern" || has_values "$pattern" || return
	done
}

# On as many processes as ebb needs, but where waiting for others keeps a processor busy: there on
# as many as there are.
for module in $modules; do
	reason=$(awk -v name="$module" '$1 == name && /^  [a-z]/ { here = 1; next }
		/^  [a-z]/ { here = 0 } here && /cannot run here/' list)
	if test "$reason"; then
		seen=$(bspgauge -n 4 --module "$module" 2>&1)
		is 1 $? "$module: cannot run: status 1"
		like "^bspgauge: module $module cannot run here: " "$seen" "$module: says why"
		continue
	fi
	emulate=
	case $module in
	shm | emu | tcp) nprocs=4 ;;
	*) nprocs=2 ;;
	esac
	test "$module" = emu && emulate="--emulate gigabit,cpu=0"
	case $module in
	udp | ip | eth | edp) until_true datagrams_arrive ;;
	*) gauged ;;
	esac
	ok $? "$module: runs" || diag "$(cat errors)"
	for pattern in $patterns; do
		if is_refused "$pattern"; then
			none "$(grep ",$module,$pattern," csv)" \
				"$module: $pattern is refused with a reason"
		else
			has_values "$pattern"
			ok $? "$module: $pattern has values between their bounds"
		fi
	done
	none "$(awk -F, 'NR > 1 && $8 < 0 && $14 == ""' csv)" \
		"$module: nothing is negative without a mark"
done

# Barriers and collective operations: by each algorithm, or with the reason; and by the library.
bspgauge -n 4 --module emu --emulate gigabit,cpu=0 --pattern barrier,bcast,allgather,allreduce \
	--sizes 8:512:64 --seconds 1 --json coll.json --csv csv >table
bspgauge compare coll.json --html page.html >again
# series PATTERN: those that have values
series()
{
	awk -F, -v p="$1" '$3 == p { print $4 }' csv | LC_ALL=C sort -u | tr '\n' ' '
}
is "binomial bsp_sync butterfly dissemination knomial:4 linear " "$(series barrier)" \
	"barriers by each algorithm, and bsp_sync"
is "bruck bsp_allgather gather-bcast recursive-doubling ring " "$(series allgather)" \
	"allgathers by each algorithm that can, and bsp_allgather"
for name in +multicast +networks +multicast+networks +nodes +nodes+multicast multicast \
	reduce-multicast; do
	grep -qF "  $name: not measured: " table
	ok $? "$name cannot be measured, and has a reason"
	grep -q "<td[^>]*>$name</td><td" page.html
	ok $? "$name: so says the page"
done
grep -F 'not measured' table >reasons
grep -F 'not measured' again | cmp -s reasons -
ok $? "reasons are read as they were written"

# Patterns that a module cannot measure are refused with the reason.
has_delay()
{
	bspgauge -n 2 --module udp --pattern loggp,nbov,hrelation,ebb --sizes 1:16:16 \
		--seconds 1 >table && grep -q "o by delay, us" table
}
until_true has_delay
like "ebb over udp: not measured: the module may lose messages" "$(cat table)" \
	"what may lose messages has no effective bisection"
like "^  discarded +[0-9]+.samples" "$(cat table)" "LogGP counts the samples with loss"
like "o by delay, us" "$(cat table)" "and has o by delay"
like "nbov over udp: not measured: the module has no non-blocking messages" "$(cat table)" \
	"what blocks has no nbov"
like "hrelation over udp: not measured: the module has no supersteps" "$(cat table)" \
	"sockets have no h-relations"
bspgauge -n 2 --module emu --emulate sp2,cpu=0 --pattern noise,ebb --seconds 1 >table
like "noise over emu: not measured: time is virtual" "$(cat table)" "virtual time has no noise"
bspgauge -n 2 --module emu --emulate sp2,cpu=0 --pattern loggp --sizes 1:4 >delay
like "  o by delay: not measured: time is virtual" "$(cat delay)" "nor delays between messages"
like "ebb over emu: not measured: needs 4 processes" "$(cat table)" \
	"two processes have no bisection"

done_testing
