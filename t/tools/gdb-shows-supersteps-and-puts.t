#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# "info bsp" of gdb shows the superstep and the call site of each process, and the puts, gets and
# messages of the one at hand, of a process that is stopped and of a core.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v gdb >/dev/null || skip_all "no gdb here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: sanitizers leave out what gdb needs"
test -e "$libdir/libbsp.so" || skip_all "no shared library was built"
script=$(find "$stage" -name bsp-gdb.py)
DEBUGINFOD_URLS=
export DEBUGINFOD_URLS

cat >stops.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char area[100] = "", value;

	bsp_begin(2);
	bsp_push_reg(area, sizeof(area));
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_put(0, "hello", area, 8, 5);
		bsp_put(0, "hello", area, 20, 3);
		bsp_get(0, area, 30, &value, 1);
		bsp_send(0, NULL, "hello", 4);
		printf("%d\n", (int)getpid());
		fflush(stdout);
		pause();
	}
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -g -o stops stops.c
ok $? "the program compiles"

./stops >said 2>errors &
job=$!
until_true grep -q '^[0-9][0-9]*$' said
pid=$(cat said)

# shows FILE ARGUMENT...: what "info bsp" prints, in FILE
shows()
{
	to=$1
	shift
	timeout "$(limit)" gdb -batch -nx -x "$script" "$@" -ex 'info bsp' >"$to" 2>&1 </dev/null
}

# Process 0 goes on to bsp_sync meanwhile.
is_waiting()
{
	shows seen -p "$pid"
	grep -q 'process 0: superstep 1, in bsp_sync' seen || grep -q 'ptrace: ' seen
}

until_true is_waiting
if grep -q 'ptrace: .*not permitted' seen; then
	kill "$pid"
	wait "$job"
	skip_all "not applicable: this process may not attach a debugger"
fi
shows seen -p "$pid" -ex "generate-core-file core"

# has_lines WHERE LINE...: all of them, in order
has_lines()
{
	where=$1
	shift
	is "$(printf '%s\n' "$@")" \
		"$(grep -E '^[* ] +(process|put|get|message|to|no|and|sent)' seen)" "$where"
}

has_lines "a process that is stopped" \
	"  process 0: superstep 1, in bsp_sync, stops.c:21" \
	"* process 1: superstep 1, computing, stops.c:11" \
	"  put to process 0: 5 bytes at offset 8 of registration 0, stops.c:13" \
	"  put to process 0: 3 bytes at offset 20 of registration 0, stops.c:14" \
	"  get from process 0: 1 byte at offset 30 of registration 0, stops.c:15" \
	"  message to process 0"
kill "$pid"
wait "$job"

shows seen stops core
bytes=$(sed -n 's/^  to process 0: \([0-9]*\) bytes .*/\1/p' seen)
test "${bytes:-0}" -gt 40
ok $? "a core has the bytes of what was to be sent" || diag "$(cat seen)"
has_lines "and the rest" \
	"  process 0: superstep 1, in bsp_sync, stops.c:21" \
	"* process 1: superstep 1, computing, stops.c:11" \
	"  to process 0: $bytes bytes of puts, gets and messages, which a core does not have"
shows seen stops
like "^info bsp: bspi is not known: there is no process" "$(cat seen)" \
	"without a process it says so"
shows seen stops -ex 'break main' -ex run
like "^outside of the SPMD part: bsp_begin has not returned here" "$(cat seen)" \
	"before bsp_begin it says so"

done_testing
