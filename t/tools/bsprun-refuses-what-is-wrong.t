#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wrong option, value, transport or program is named before anything starts.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >prog <<'END'
#!/bin/sh
echo started
END
chmod +x prog

# refuses STATUS PATTERN ARGUMENT...: one line on standard error, and nothing starts
refuses()
{
	status=$1 pattern=$2
	shift 2
	seen=$(bsprun "$@" 2>errors)
	is "$status:" "$?:$seen" "bsprun $*: status $status, nothing starts"
	like "^bsprun: $pattern" "$(cat errors)" "bsprun $*: says why"
	is 1 "$(wc -l <errors | tr -d ' ')" "bsprun $*: in one line"
}

for n in 0 -1 16385 4x 1.5 '' 99999999999999999999 0x2 ' 2'; do
	refuses 2 "-n $n: expected a number from 1 to 16384" -n "$n" ./prog
done
refuses 2 "-np 0: expected a number" -np 0 ./prog
refuses 2 "-npes 0: expected a number" -npes 0 ./prog
refuses 2 "-n 4x: expected a number" -n4x ./prog
refuses 2 "--nprocs 0: expected a number" --nprocs=0 ./prog
refuses 2 "unknown option '-nice'" -nice ./prog
refuses 2 "-restart: there are no checkpoints to go on from" -restart ./prog
refuses 2 "-n: its argument is missing" -n
refuses 2 "--bind node: expected one of auto\|core\|share\|cache\|numa\|socket\|none\|LIST" \
	--bind node ./prog
refuses 2 "--bind 0-: expected one of" --bind 0- ./prog
refuses 2 "--bind 0,,1: expected one of" --bind 0,,1 ./prog
refuses 2 "--bind : expected one of" --bind= ./prog
refuses 2 "--bind auto\|core: expected one of" --bind 'auto|core' ./prog
refuses 2 "--watchdog soon: expected a time" --watchdog soon ./prog
refuses 2 "--watchdog -1: expected a time" --watchdog -1 ./prog
refuses 2 "--watchdog 1e9: expected a time" --watchdog=1e9 ./prog
refuses 2 "--transport pigeon: expected one of .*shm" --transport pigeon ./prog
refuses 2 "transport 'self' cannot run here: .*one process" -n 2 --transport self ./prog
refuses 2 "unknown option '--frobnicate'" --frobnicate ./prog
refuses 2 "unknown option '-q'" -q ./prog
refuses 2 "unknown option '--stat=1'" --stat=1 ./prog
refuses 2 "which program\?"
refuses 2 "which program\?" -n 2 --
refuses 2 "-x NAME: expected NAME=VALUE" -x NAME ./prog
refuses 2 "-x =1: expected NAME=VALUE" -x =1 ./prog
refuses 2 "-x 1A=1: expected NAME=VALUE" -x 1A=1 ./prog
refuses 2 "-x BSP_WAIT=spin:long: expected a list" -x BSP_WAIT=spin:long ./prog
refuses 2 "--sync tally: expected one of program\|classic" --sync tally ./prog
refuses 2 "--sync : expected one of" --sync= ./prog
refuses 2 "network 'sp3': .*sp3" --emulate sp3 ./prog
refuses 2 "network 'L=': .*L=" --emulate L= ./prog
refuses 2 "network 'sp2' with transport 'shm': it does not emulate a network" --emulate sp2 \
	--transport shm ./prog
refuses 2 "--predict sp2,gigabi: 'gigabi' " --predict sp2,gigabi ./prog
refuses 2 "--predict sp2,,x: a name is empty" --predict sp2,,x ./prog
refuses 2 "--predict sp2,: a name is empty" --predict sp2, ./prog
refuses 2 "--predict @nowhere: .*nowhere: No such file" --predict @nowhere ./prog
refuses 2 "--profile and --trace write to the same file run; name two" --trace run --profile run \
	./prog
refuses 2 "--record and --report write to the same file run" --record run --report run ./prog
refuses 2 "--record and --trace write to the same file ./run" --record run --trace ./run ./prog
mkdir -p folder
: >folder/there
ln -sf folder/there link
refuses 2 "--record and --profile write to the same file link" --record folder/there \
	--profile link ./prog
refuses 2 "--profile and --report write to the same file folder/../new" --profile new \
	--report folder/../new ./prog
refuses 2 "--suggest goes with --check" --suggest ./prog
refuses 2 "unknown option '--check=1'" --check=1 ./prog
refuses 2 "--report: its argument is missing" --report
refuses 2 "report .: it is a directory" --report . ./prog
refuses 2 "report nowhere/file: No such file" --report nowhere/file ./prog
for rounds in 0 -1 1001 4x '' 1.5 99999999999999999999; do
	refuses 2 "--rounds $rounds: expected a number from 1 to 1000" --compare --rounds \
		"$rounds" ./prog
done
refuses 2 "--rounds goes with --compare" --rounds 2 ./prog
refuses 2 "--html goes with --compare" --html page.html ./prog
refuses 2 "--verbose goes with --compare" --verbose ./prog
refuses 2 "--compare measures and --check checks: one at a time" --compare --check ./prog
refuses 2 "--compare measures and --check checks: one at a time" --compare -x BSP_CHECK=1 ./prog
refuses 2 "--compare sets --sync itself" --compare --sync classic ./prog
refuses 2 "--compare sets --report itself" --compare --report file ./prog
refuses 2 "--html: the name of the file is empty" --compare --html= ./prog
refuses 127 "./nothing is not there: No such file" --compare ./nothing
BSP_EMULATE=sp3
export BSP_EMULATE
refuses 2 "network 'sp3': " ./prog
unset BSP_EMULATE
BSP_NPROCS=none
export BSP_NPROCS
refuses 2 "BSP_NPROCS=none in the environment: expected a number" ./prog
unset BSP_NPROCS

: >data
mkdir dir
refuses 127 "./nothing is not there: No such file" -n 2 ./nothing
refuses 127 "data/prog is not there: Not a directory" data/prog
refuses 127 "no-such-program is not on the search path .*$bindir" no-such-program
refuses 127 "prog is not on the search path; did you mean ./prog\?" prog
refuses 127 "the name of the program is empty" ''
refuses 126 "./data cannot be run: it is not executable" ./data
refuses 126 "./dir cannot be run: it is a directory" ./dir
refuses 126 "/dev/null cannot be run: it is not a file" /dev/null
printf '#!/nowhere/sh\n' >script
chmod +x script
refuses 126 "./script cannot be run: its interpreter \(#! in its first line\)" ./script
PATH=$PWD:$PATH
refuses 126 "$PWD/data cannot be run: it is not executable" data

done_testing
