#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hello, reverse, sum, allgather, power, stencil and heat give the right answer on 1, 2, 3, 4 and 7
# processes.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

examples=$top_builddir/examples
test -x "$examples/hello" || bail "no $examples/hello: make check builds it"

# prints P PROGRAM WANTED: the program ends well and prints these lines, in any order
prints()
{
	seen=$(BSP_NPROCS=$1 "$examples/$2" 2>"$tap_dir/err")
	status=$?
	is "0 $3" "$status $(printf '%s\n' "$seen" | sort -n -k "$4")" "$2 on $1 processes" ||
		diag "$(cat "$tap_dir/err")"
}

for p in 1 2 3 4 7; do
	s=0 hello='' reverse=''
	while test $s -lt $p; do
		hello="$hello${hello:+
}Hello from process $s of $p"
		reverse="$reverse${reverse:+
}process $s had $((100 + s)) and has $((99 + p - s))"
		s=$((s + 1))
	done
	prints $p hello "$hello" 4
	prints $p reverse "$reverse" 2

	n=$((p * 100000))
	prints $p sum "1 + 2 + ... + $n = $((n * (n + 1) / 2))" 1

	# the components 3, 10, 17, ... are not zero
	n=$((p * 1000))
	prints $p allgather "every process has the $(((n + 3) / 7)) nonzeros of $n components" 1

	# 1 / (4 sin^2(pi / (2 (2 n + 1))))
	n=$((p * 100))
	prints $p power "greatest eigenvalue of $n rows: $($AWK -v n=$n 'BEGIN {
		s = sin(atan2(0, -1) / (2 * (2 * n + 1)))
		printf "%.10g", 1 / (4 * s * s) }')" 1
done

# The same square on meshes of 1 x 1, 2 x 2 and 3 x 3 processes, of which each is next to itself, to
# one process on both sides, or to four; and longer than wide on 1 x 2 and 1 x 3.
stencil()
{
	BSP_NPROCS=$1 "$examples/stencil" "$2" 60 2>"$tap_dir/err"
}

whole=$(stencil 1 12)
like '^heat: 1048576.000000 before, 1048576.000000 after 60 steps; squares: [0-9.e+]+$' "$whole" \
	"stencil loses no heat"
is "$whole" "$(stencil 4 6)" "stencil on four processes: as on one" || diag "$(cat "$tap_dir/err")"
is "$whole" "$(stencil 9 4)" "stencil on nine processes: as on one" || diag "$(cat "$tap_dir/err")"
for p in 2 3 6; do
	like '^heat: 1048576.000000 before, 1048576.000000 after 60 steps;' "$(stencil $p 8)" \
		"stencil on $p processes loses no heat"
done

# A picture of as many points as it says, the same on any number of processes, relaxed and with
# lists of neighbours; the upper edge is hot, so the first row has the light.
heat()
{
	BSP_NPROCS=$1 "$examples/heat" $2 40 300 >"$tap_dir/heat-$1$2.pgm" 2>"$tap_dir/err"
	ok $? "heat $2 on $1 processes" || diag "$(cat "$tap_dir/err")"
	cmp "$tap_dir/heat-1.pgm" "$tap_dir/heat-$1$2.pgm"
	ok $? "and its picture is that of one process"
}

for p in 1 2 3 7; do
	heat $p ''
	heat $p -r
	heat $p -l
done
is "P5 40 40 255" "$(head -n 1 "$tap_dir/heat-1.pgm")" "the picture has a head"
is $((13 + 1600)) "$(wc -c <"$tap_dir/heat-1.pgm")" "and a byte for each point"
column=$(tail -c 1600 "$tap_dir/heat-1.pgm" | od -An -v -tu1 -w40 | $AWK '{ print $20 }')
is "$(echo "$column" | sort -nr)" "$column" "light falls from the upper edge to the lower one"
like '^2[0-9][0-9]$' "$(echo "$column" | head -n 1)" "the upper edge is light"
is 0 "$(echo "$column" | tail -n 1)" "and the lower one dark"

done_testing
