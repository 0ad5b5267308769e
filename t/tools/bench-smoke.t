#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The benchmark runs, fills every row and writes a CSV file that can be read.

. "${0%/*}/../lib/env.sh"

bench=$top_builddir/bench/bspbench
test -x "$bench" || skip_all "bench/bspbench was not built"
csv=$tap_dir/all.csv
markdown=$tap_dir/all.md

# Two processes, with or without a core for each: figures that are wanted in either case.
said=$("$bench" --quick -n 2 --csv "$csv" --markdown "$markdown" 2>&1)
status=$?
is 0 "$status" "bspbench --quick succeeds" || diag "$said"

columns=$(head -n 1 "$csv" | tr ',' '\n' | wc -l)
none "$($AWK -F, -v n="$columns" 'NF != n' "$csv")" "every line of the CSV file has $columns fields"

# measured ROW...: the rows that have no positive number in the column "median"
missing()
{
	for row do
		$AWK -F, -v row="$row" '$2 == row && $5 + 0 == $5 && $5 > 0 { found = 1 }
			END { exit !found }' "$csv" || echo "$row"
	done
}

always="sync put-8 puts-1000 messages-1000 exchange-put-64K exchange-put-1M dot startup memory"
always="$always limit-flag limit-turn limit-copy-64 limit-copy-8388608 limit-memcpy-8388608 r l g-single"
# shellcheck disable=SC2086
none "$(missing $always)" "every row that does not depend on the number of cores was measured"

cores=$($AWK '/ processes on / { print $5; exit }' "$markdown" | tr -dc 0-9)
if test "${cores:-1}" -ge 2; then
	paired=$("$bench" --list | $AWK '$1 !~ /^(compute|isend-8)$/ { print $1 }')
	# shellcheck disable=SC2086
	none "$(missing $paired)" "every row of --list was measured"
else
	skip "two processes have no core each"
fi

# A loss may be nothing or less, by chance.
none \
	"$($AWK -F, \
	'$2 == "compute" && $5 + 0 == $5 { found = 1 } END { if (!found) print "compute" }' \
	"$csv")" \
	"the loss of a computation was measured"

like '^P = 2 processes' "$said" "the table is on the terminal"
like '^\| flag barrier' "$(cat "$markdown")" "and in the Markdown file"

said=$("$bench" --quick --no-mpi -n 3 --only sync 2>&1)
is 0 "$?" "any number of processes will do" || diag "$said"

# figure4 OPTION...: sizes 8, 32 and 128, one round
figure4()
{
	BUILD=$top_builddir MOST=128 ROUNDS=1 sh "$top_srcdir/bench/figure4.sh" "$@" 2>&1
}

row='^ +%d( +[0-9]+\.[0-9]+){3}$'
for options in "-n 2" "-n 3 --emulate sp2"; do
	# shellcheck disable=SC2086
	said=$(figure4 $options)
	is 0 "$?" "figure4.sh $options" || diag "$said"
	for m in 8 32 128; do
		# shellcheck disable=SC2059
		like "$(printf "$row" "$m")" "$said" \
			"has g($m), with barriers, relaxed, and as in the paper"
	done
done
figure4 -n 1 >/dev/null
is 1 "$?" "one process has no peer to put to"

# Beside the raw layer. Not with a sanitizer, which MPI's libraries do not bear.
net=$tap_dir/net.csv
if test -n "$BSP_SANITIZE"; then
	skip "programs are sanitized"
else
	said=$("$bench" --quick --transport all --only relaxed-8 --csv "$net" 2>&1)
	is 0 "$?" "transports that can run are measured beside what lies below them" || diag "$said"
	if test -e "$net"; then
		none "$($AWK -F, '/relaxed-8/ && !($(NF - 5) > 0)' "$net")" "with a ratio for each"
	else
		skip "no transport with a layer below can run: $(printf '%s' "$said" | tr '\n' ' ')"
	fi
fi

# One short round.
if test -n "$BSP_SANITIZE" || ! has_plugin gauge-mpi ||
	test -z "$MPIRUN"; then
	skip "bspgauge has no MPI here"
else
	said=$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 BUILD=$top_builddir \
		SECONDS_EACH=1 \
		MPICC=$MPICC MPIRUN=$MPIRUN \
		sh "$top_srcdir/bench/pingpong.sh" 1 2>&1)
	is 0 "$?" "pingpong.sh" || diag "$said"
	like '^\| 1048576 \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [0-9.]+-[0-9.]+ \|$' "$said" \
		"has a ratio for the last size"
fi

for wrong in "-n 0" "-n two" "--seconds never" "--nonsense" "rows" "--transport"; do
	# shellcheck disable=SC2086
	"$bench" --quick $wrong >/dev/null 2>&1
	is 2 "$?" "bspbench $wrong is refused"
done

# Two sizes of each operation on one network.
said=$(BUILD=$top_builddir BYTES=8 NETWORKS=rdma100 sh "$top_srcdir/bench/collgrid.sh" 2 3 2>&1)
is 0 "$?" "collgrid.sh" || diag "$said"
like '^\| bcast +\| +2 / 2 \| +2 / 2 \|$' "$said" \
	"each cell of a broadcast of one or four bytes is within 10 %"
like '^In all [0-9]+ of [0-9]+ cells, ' "$said" "and all are added up"

# Times of LogGP; what is faster is bold.
said=$(BUILD=$top_builddir GAPS=0 OTHERS='0 1' sh "$top_srcdir/bench/consensus.sh" 2 8 2>&1)
like '^\| 0 \| 0 \| 26 \*\*26\*\* \| 78 \*\*78\*\* \|$' "$said" "consensus.sh: nothing is sent"
like '^\| 0 \| 1 \| \*\*29\*\* 78 \| \*\*81\*\* 130 \|$' "$said" "and something is"

done_testing
