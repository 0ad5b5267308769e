#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# soak.sh - runs random programs for a time, over all transports and barriers; make soak starts it.

# usage: soak.sh FOLDER_OF_THE_BUILD
#
#	SOAK_MINUTES	how long (60)
#	SOAK_RUNS	at most so many runs (0: no such bound)
#	SOAK_SEED	what all choices depend on (the time of day); the same one, the same runs
#	SOAK_ONLY	only runs with these choices, as in "transport=mpi barrier=counting"
#
# Each run is one program of t/soak/soak.h on a random number of processes, over a random transport
# and barrier and with other random settings; some run under valgrind, some under mpirun. The first
# failure ends it with the output, the command that repeats the run, and the command of the smallest
# run found that fails as well.

build=$1
. "$build/t/lib/env.sh" || exit 2

minutes=${SOAK_MINUTES:-60}
seed=${SOAK_SEED:-$(date +%s)}
suppressions=$top_srcdir/t/soak/valgrind.supp
BSP_PLUGINS=${BSP_PLUGINS:-$build/.libs}
TMPDIR=$tap_dir
# mpirun runs for root only if settings allow it.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_PLUGINS TMPDIR OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# carried_by TRANSPORT: the settings for it; emu is what carries an emulated network
carried_by()
{
	test "$1" = emu || echo "BSP_TRANSPORT=$1"
}

# runs TRANSPORT: can it run here?
runs()
{
	# shellcheck disable=SC2046
	env $(carried_by "$1") BSP_NPROCS=2 timeout "$(limit)" "$build/t/soak/soak" steps=2 \
		>"$tap_dir/probe" 2>&1
}

transports=
table=$top_srcdir/transport/transports.def
for transport in $($SED -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' "$table"); do
	runs $transport && transports="$transports $transport"
done
test "$transports" || { cat "$tap_dir/probe"; exit 1; }
programs=
command -v valgrind >/dev/null && programs="$programs valgrind"
test "$MPIRUN" && runs mpi && programs="$programs mpirun"

# ---- One run ---------------------------------------------------------------------

# choose NUMBER: the choices of one run, NAME=VALUE, those with capitals for the environment
choose()
{
	"$build/t/lib/random-numbers" "$((seed * 1000003 + $1))" 100 |
		$AWK -v transports="$transports" -v programs="$programs" '
		function draw(n) { getline number; return number % n }
		function one(list, words) { return words[1 + draw(split(list, words, " "))] }
		function rarely(list) { return draw(8) ? "" : " " one(list) }
		function under() {
			if (programs ~ /valgrind/ && draw(24) == 0)
				return "valgrind"
			if (programs ~ /mpirun/ && transport == "mpi" && draw(4) == 0)
				return "mpirun"
			return "none"
		}
		BEGIN {
			transport = one(transports)
			text = "transport=" transport " processes=" 2 + draw(8)
			by = under()
			text = text " program=" one("soak soak soak-size_t") " under=" by
			text = text " barrier=" one("auto alltoall counting twophase " \
				"dissemination butterfly binomial knomial:3 knomial:4 linear nbx")
			if (transport == "mix")
				text = text " BSP_NODE_SIZE=" one("1 2 3 4")
			if (transport == "emu")
				text = text " BSP_EMULATE=" one("gigabit " \
					"L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1")
			text = text rarely("BSP_PROGRESS=thread")
			text = text rarely("BSP_SHARE=0 BSP_SHARE=4096")
			text = text rarely("BSP_EAGER=0 BSP_EAGER=64")
			text = text rarely("BSP_CREDIT=256 BSP_CREDIT=4096")
			text = text rarely("BSP_SHUFFLE=4711")
			text = text rarely("BSP_SYNC=classic")
			text = text rarely("BSP_WAIT=yield:0,spin:1ms")
			text = text rarely("coll=" 1 + draw(11))
			text = text rarely("most=1000 most=40")
			text = text rarely("heap=1")
			text = text rarely("longest=6 relaxed=3 relaxed=4")
			text = text rarely("without=relaxed without=relaxed without=hp")
			if (draw(2))
				text = text " phases=" one("mixed busy puts large empty one " \
					"regular registrations renewals silent messages bursts " \
					"collectives")
			steps = by == "valgrind" ? one("63 64 65 127 128 300") : \
				one("63 64 65 127 128 129 500 1000 2000 2000 4000")
			seed = draw(1000000000)
			print text, "seed=" seed, "steps=" steps rarely("BSP_NEIGHBORS=0")
		}'
}

# choice NAME: its value in $choices
choice()
{
	for word in $choices; do
		case $word in
		"$1"=*) printf '%s\n' "${word#*=}" ;;
		esac
	done
}

# words PATTERN: the words of $choices that have such a name
words()
{
	for word in $choices; do
		if printf '%s\n' "$word" | grep -Eq "^($1)="; then
			printf ' %s' "$word"
		fi
	done
}

# command_of: what $choices mean, as it can be given to a shell
command_of()
{
	n=$(choice processes) stuck=$(limit) most=$(limit 300) under=
	case $(choice under) in
	valgrind)
		# A search for leaks reads all memory that shm has reserved.
		# hwloc says much where it cannot ask the processor.
		under="env HWLOC_COMPONENTS=-x86 valgrind -q --leak-check=no"
		under="$under --error-exitcode=99 --trace-children=yes"
		under="$under --suppressions=$suppressions "
		stuck=$(limit 120) most=$(limit 600) ;;
	mpirun)
		under="$MPIRUN -q --oversubscribe -n $n " ;;
	esac
	printf 'env BSP_PLUGINS=%s BSP_NPROCS=%s BSP_WATCHDOG=%s ' "$BSP_PLUGINS" "$n" "$stuck"
	printf '%s BSP_BARRIER=%s' "$(carried_by "$(choice transport)")" "$(choice barrier)"
	words 'BSP_[A-Z_]*'
	printf ' timeout %s %s%s/t/soak/%s' "$most" "$under" "$build" "$(choice program)"
	words 'seed|steps|phases|without|most|coll|own|longest|relaxed|heap'
	echo
}

# runs_well: the run of $choices; what it says is in output and errors of $tap_dir
runs_well()
{
	# A warning is a failure as well, unless of a forced algorithm that cannot be taken.
	sh -c "exec $(command_of)" >"$tap_dir/output" 2>"$tap_dir/errors" </dev/null &&
		grep -q 'as in the model$' "$tap_dir/output" &&
		! grep -v '^BSP_COLL: ' "$tap_dir/errors" >/dev/null
}

# ---- A smaller run -----------------------------------------------------------------

# with NAME VALUE: $choices but for this one
with()
{
	for word in $choices; do
		case $word in
		"$1"=*) ;;
		*) printf '%s ' "$word" ;;
		esac
	done
	printf '%s=%s\n' "$1" "$2"
}

# fails_again: in one of three runs
fails_again()
{
	for turn in 1 2 3; do
		test "$(date +%s)" -lt "$shrink_until" || return 1
		runs_well || return 0
	done
	return 1
}

# try NAME VALUE: keep this choice if the run still fails
try()
{
	before=$choices
	choices=$(with "$1" "$2")
	fails_again && return
	choices=$before
	return 1
}

# shrink: leave out kinds of operations, then supersteps, as long as the run fails; for 5 minutes
# on a quiet machine
shrink()
{
	shrink_until=$(($(date +%s) + $(limit 300)))
	without=$(choice without)
	for kind in schedule collective hp relaxed nothing tagsize send get read write pop put; do
		if try without "${without:+$without,}$kind"; then
			without=${without:+$without,}$kind
		fi
	done
	steps=$(choice steps)
	less=$((steps / 2))
	while test $less -gt 0; do
		if test $((steps - less)) -gt 0 && try steps $((steps - less)); then
			steps=$((steps - less))
		else
			less=$((less / 2))
		fi
	done
}

# ---- All runs ------------------------------------------------------------------------

# matches: has this run all the words of SOAK_ONLY?
matches()
{
	for wanted in ${SOAK_ONLY-}; do
		case " $choices " in
		*" $wanted "*) ;;
		*) return 1 ;;
		esac
	done
}

report_failure()
{
	echo "soak: run $number failed: $choices"
	tail -n 40 "$tap_dir/output" "$tap_dir/errors"
	echo "soak: repeat: $(command_of)"
	shrink
	echo "soak: smaller: $(command_of)"
}

begun=$(date +%s)
told=$begun
number=0 made=0 supersteps=0
echo "soak: $minutes minutes over$transports, some under${programs:- nothing}; SOAK_SEED=$seed"
while now=$(date +%s) && test $((now - begun)) -lt $((minutes * 60)); do
	test "${SOAK_RUNS:-0}" -eq 0 || test "$made" -lt "$SOAK_RUNS" || break
	number=$((number + 1))
	choices=$(choose $number)
	matches || continue
	made=$((made + 1))
	runs_well || { report_failure; exit 1; }
	supersteps=$((supersteps + $(choice steps)))
	if test $((now - told)) -ge 60; then
		told=$now
		echo "soak: $(((now - begun) / 60)) minutes, $made runs, $supersteps supersteps"
	fi
done
echo "soak: $made runs, $supersteps supersteps: all as in the model"
