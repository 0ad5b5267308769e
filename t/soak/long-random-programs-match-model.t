#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs of thousands of supersteps leave what a model leaves: make soak in short.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

# This transport alone, if there is one; what else is set belongs to each run.
transport=${BSP_TRANSPORT-}
forget_settings BSP_TRANSPORT BSP_NODE_SIZE BSP_FAR BSP_PLUGINS
BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
BSP_WATCHDOG=$(limit)
export BSP_PLUGINS BSP_WATCHDOG
test "$transport" != emu || skip_all "not applicable: emu carries for another transport"

# run PROGRAM PROCESSES BARRIER [NAME=VALUE]...: settings have capitals, the rest is for the program
run()
{
	program=$1 processes=$2 settings=BSP_BARRIER=$3 arguments=
	test "$transport" != self || processes=1
	shift 3
	for word do
		case $word in
		BSP_*) settings="$settings $word" ;;
		*) arguments="$arguments $word" ;;
		esac
	done
	# shellcheck disable=SC2086
	env $settings BSP_NPROCS="$processes" timeout "$(limit 120)" \
		"$top_builddir/t/soak/$program" $arguments >"$tap_dir/out" 2>&1 </dev/null
	test $? -eq 0 && grep -q 'as in the model$' "$tap_dir/out"
	ok $? "$program, $processes processes, $settings:$arguments" ||
		diag "$(tail -n 20 "$tap_dir/out")"
}

run soak 3 dissemination seed=1 steps=2000
run soak-size_t 4 dissemination seed=2 steps=2000
run soak 5 knomial:3 seed=3 steps=500
run soak 3 binary seed=4 steps=500 coll=3

# Runs that end soon after a round number of supersteps must end well.
for steps in 63 64 65 127 128; do
	run soak 3 dissemination seed=$steps steps=$steps phases=one,regular without=relaxed
	run soak 3 dissemination seed=$steps steps=$steps phases=registrations without=relaxed
done

if test -z "$transport"; then
	run soak 5 alltoall seed=5 steps=2000
	run soak 7 counting seed=6 steps=2000
	run soak-size_t 3 butterfly seed=7 steps=500
	run soak 9 linear seed=8 steps=500
	run soak 2 auto seed=9 steps=500 BSP_SYNC=classic
	run soak 4 auto seed=10 steps=500 BSP_EAGER=0
	run soak 4 auto seed=11 steps=500 BSP_CREDIT=256
	run soak 3 auto seed=12 steps=500 BSP_SHARE=4096
	run soak 4 dissemination seed=13 steps=500 \
		BSP_EMULATE=L=50us,o=5us,g=5us,G=10ns,jitter=30us,reorder=1
fi
run soak 3 dissemination seed=14 steps=500 BSP_PROGRESS=thread

done_testing
