#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes run on their share of the cores that the job may use, or where the user says; not where
# another job is; and with less time of processors than processes they are not bound.
# shellcheck disable=SC1090,SC2034,SC2154

# In namespaces of its own: jobs of other tests are not seen there, and a folder stands for groups.
script=$(readlink -f "$0")
. "${script%/*}/../lib/alone.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >where.c <<'END2'
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char line[10];

	bsp_begin(bsp_nprocs());
	/* a second argument: until standard input ends */
	if (argc > 1 && bsp_pid() == 0 && write(1, "here\n", 5) == 5)
		while (read(0, line, sizeof line) > 0)
			;
	bsp_sync();
	bsp_end();
	return argc > 9 && argv[1][0];
}
END2
bspcc -o where where.c || bail "the program does not compile"
unset BSP_BIND
processors=$(BSP_NPROCS='' bspinfo | awk '$1 == "processors" { print $2 }')
test "$processors" -ge 2 || skip_all "not applicable: one processor"
first=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)

# places [OPTION]...: the lines of bsprun --report-bindings, without what bsp_begin puts around
places()
{
	bsprun --report-bindings "$@" ./where 2>&1 </dev/null |
		sed 's/^bsp_begin: //; s/ (process [0-9].*//' | sort
}

both=$(places -n 2)
shares='^process [01] is bound to processors [0-9].*: a share of [0-9]* cores for 2 processes$'
is 2 "$(echo "$both" | grep -c "$shares")" "auto: shares of the cores"
is 2 "$(echo "$both" | sed 's/.* processors \(.*\):.*/\1/' | sort -u | wc -l)" "not the same"
is "$both" "$(places -n 2 --bind share)" "--bind share is the same"
is "$both" "$(places -n 2 --bind auto)" "and --bind auto"
like "^process 0 is bound to processors $first.*: a core" "$(places -n 2 --bind core)" "--bind core"
like '^process 1 is bound to .*: those of a socket' "$(places -n 2 --bind socket)" "--bind socket"
like '^process 1 is bound to .*: those of a NUMA node' "$(places -n 2 --bind numa)" "--bind numa"
like '^process 1 is bound to .*: those of a shared cache' "$(places -n 2 --bind cache)" \
	"--bind cache"
like '^process 1 is not bound, and may use processors [0-9].*: --bind none$' \
	"$(places -n 2 --bind none)" "--bind none"
is "process 0 is bound to processors $first: a single process" "$(places -n 1 --bind "$first")" \
	"a list binds one process as well"
is "process 0 is bound to processors $first: 2 processes have 1 processors
process 1 is bound to processors $first: 2 processes have 1 processors" \
	"$(places -n 2 --bind "$first")" "and more than its processors, all of them to all"
like "BSP_BIND: 1023 are not among the processors that the program may use, $first" \
	"$(places -n 2 --bind 1023)" "a processor that the job may not use is an error"
like "BSP_BIND: 0,1024 is no list of processors from 0 to 1023" "$(places -n 2 --bind 0,1024)" \
	"and so is one that there cannot be"
like "BSP_BIND: 1-0 is no list of processors" "$(places -n 2 --bind 1-0)" \
	"and a range that begins with the larger one"
is "$(BSP_NPROCS='' BSP_BIND="$first" bspinfo | awk '$1 == "processors" { print $2 }')" 1 \
	"there are as many processors as the list has"
many=$((2 * processors))
like "^process 0 is not bound, and may use .*: $many processes have $processors processors" \
	"$(places -n $many)" "more processes than processors are not bound"

# Another job, until its standard input ends.
mkfifo input
bsprun -n 2 ./where wait <input >other &
other=$!
exec 3>input
until_true grep -q here other || bail "the other job does not begin"
is 2 "$(places -n 2 | grep -c ': other jobs are bound to the processors$')" \
	"auto does not bind where another job is"
is "$both" "$(places -n 2 --bind share)" "a user who says where is obeyed"
exec 3>&-
wait $other
is 0 $? "the other job ends well"
is "$both" "$(places -n 2)" "then its processors are free"

# A control group with the time of one processor and a half.
grep -q '^0::' /proc/self/cgroup || {
	not_applicable "no control groups of version 2"
	done_testing
	exit
}
mkdir groups
echo "150000 100000" >groups/cpu.max
mount --bind groups /sys/fs/cgroup || bail "no folder of groups"
is "$(BSP_NPROCS='' bspinfo | awk '$1 == "processors" { print $2 }')" 1 \
	"the limit of a control group counts"
like '^process 1 is not bound, .*: 2 processes share the time of 1 processors$' "$(places -n 2)" \
	"and with less time than processes none is bound"
like '^bsp: waits poll for 0 us before they yield for .*: 2 processes and 1 processor on' \
	"$(bsprun -x BSP_VERBOSE=1 -n 2 ./where 2>&1)" "and none waits without a pause"
echo "max 100000" >groups/cpu.max
is "$both" "$(places -n 2)" "without a limit they are"
done_testing
