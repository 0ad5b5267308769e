#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that a launcher has started bind themselves to their share of the cores if the user asks
# for that and the launcher has bound none; what the launcher has done stays.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >where.c <<'END2'
#include <bsp.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	return 0;
}
END2
compile where
first=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
test "$(nproc)" -ge 2 || skip_all "not applicable: one processor"

# places HOW BIND: where the processes are that mpirun has bound in that way, with BSP_BIND
places()
{
	BSP_BIND=$2 BSP_REPORT_BINDINGS=1 launched 2 --bind-to "$1" ./where >/dev/null
	sed -n 's/^bsp_begin: \(process [01] .*\) (process.*/\1/p' err | sort
}

seen=$(places none share)
shares=' is bound to processors .*: a share of [0-9]* cores for 2 processes$'
is 2 "$(echo "$seen" | grep -c "$shares")" "a share of the cores of the node"
is 2 "$(echo "$seen" | sed 's/.* processors \(.*\):.*/\1/' | sort -u | wc -l)" "each another one"
is "process 0 is bound to processors $first: 2 processes have 1 processors
process 1 is bound to processors $first: 2 processes have 1 processors" \
	"$(places none "$first")" "a list that is too short: all of it"
is 2 "$(places core share | grep -c ' is bound to processors .*: by its launcher$')" \
	"what mpirun has bound stays"
is 2 "$(places none auto | grep -c ' is not bound, .*: its launcher has not$')" \
	"and auto is what mpirun thinks best"
done_testing
