#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A file without an end that is neither text nor binary is refused at its first wrong byte, and a
# pipe that has none is not waited for.

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"
# If goalc reads on, the limit ends it, with another message. Sanitizers need unlimited memory.
test "$BSP_SANITIZE" || ulimit -v 1000000 2>/dev/null

seen=$(timeout "$(limit)" "$goalc" check /dev/zero 2>&1)
is "1 /dev/zero:1:1: a byte of value 0, which no text has" "$? $seen" "zeros"

{ printf 'num_ranks 1\nrank 0 {\n'; cat /dev/zero; } 2>/dev/null |
	timeout "$(limit)" "$goalc" check - >out 2>&1
is "1 standard input:3:1: a byte of value 0, which no text has" "$? $(cat out)" \
	"zeros behind a text"

mkfifo pipe
seen=$(timeout "$(limit)" "$goalc" check pipe 2>&1)
is "1 goalc: pipe: no process writes to that pipe" "$? $seen" "a pipe without a writer"
(exec >pipe && printf 'num_ranks 1\nrank 0 {\n}\n') &
timeout "$(limit)" "$goalc" check pipe >out 2>&1
is 0 $? "one with a writer is read" || diag "$(cat out)"
wait $!

done_testing
