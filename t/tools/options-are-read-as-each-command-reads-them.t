#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# goalc reads options as getopt_long() does, bsprun up to the program, the others word by word; each
# names an option as it was written.

. "${0%/*}/../lib/env.sh"

bin=$top_builddir/tools

# says COMMAND STATUS LINE ARGUMENT...: one line on standard error
says()
{
	command=$1 status=$2 line=$3
	shift 3
	"$bin/$command/$command" "$@" >"$tap_dir/out" 2>"$tap_dir/err" </dev/null
	is "$status $command: $line" "$? $(cat "$tap_dir/err")" "$command $*"
}

for option in --algorithm --al --bytes --processes -P; do
	says goalc 2 "gen: $option: expected a value" gen "$option"
done
says goalc 2 "svg: --output: expected a value" svg --output
says goalc 2 "gen: --list=3: no such option; goalc --help lists them" gen --list=3
says goalc 2 "gen: --r=0: no such option; goalc --help lists them" gen --r=0
says goalc 2 "compile: --rank: no such option; goalc --help lists them" compile --rank 3
says goalc 2 "sim: -x: no such option; goalc --help lists them" sim -bx
says goalc 2 "sim: b: expected one file or operation" sim -- a b
says bsprun 2 "unknown option '--stat=1'; bsprun --help lists them" --stat=1 true
says bsprun 2 "-n 0: expected a number from 1 to 16384" -n0 true
says bsprun 2 "--sync both: expected one of program|classic" --sync=both true
says bspinfo 2 "-n '0': expected a number from 1 to 16384" -n 0
says bspinfo 2 "unknown option '-n2'; bspinfo --help lists the options" -n2
says bspinfo 2 "nothing follows '-n'; bspinfo --help lists the options" -n

# same WAY OTHER: two command lines of goalc that mean the same
same()
{
	# shellcheck disable=SC2086
	is "$("$bin/goalc/goalc" $1 2>&1)" "$("$bin/goalc/goalc" $2 2>&1)" "goalc $2 is goalc $1"
}

same "sim -b -P 4 barrier" "sim -bP4 barrier"
same "sim -b -P 4 barrier" "sim barrier --batchmode --processes=4"
same "gen -P 4 --algorithm binomial bcast" "gen bcast --al=binomial --proc 4"
same "gen -P 4 barrier" "gen -P 4 -- barrier"

is "BSP_NPROCS=4 BSP_SYNC=classic true -n 5" \
	"$(env -u BSP_PLUGINS "$bin/bsprun/bsprun" --show -npes4 --sync=classic true -n 5 2>&1)" \
	"bsprun leaves what follows the program"

done_testing
