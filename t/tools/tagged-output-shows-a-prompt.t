#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --tag-output shows a line without its end once it is followed by silence; lines never mix.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Process 0 writes a part of a line before it reads and a part after that; process 1 reads from a
# fifo and writes a line.
cat >ask.c <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	char answer[80] = "";
	FILE *from = stdin;

	bsp_begin(bsp_nprocs());
	if (bsp_pid() == 0)
		printf("Name: ");
	fflush(stdout);
	if (bsp_pid() == 1)
		from = fopen("other", "r");
	if (bsp_pid() < 2 && fscanf(from, "%79s", answer) == 1)
		printf("%s, welcome%s", answer, bsp_pid() == 0 ? "" : "\n");
	bsp_end();
	return 0;
}
END
bspcc -o ask ask.c || bail "the program does not compile"
mkfifo in other || bail "no fifos here"
exec 4<>other

# asks N: start it with N processes, "out" and the number of the job as $asking
asks()
{
	timeout -k 5 "$(limit)" bsprun -n "$1" --tag-output ./ask <in >out 2>err &
	asking=$!
	exec 3>in
	until_true grep -q '^\[0\] Name: ' out
	ok $? "$1 processes: the prompt is shown while the program reads"
}

asks 1
printf 'Ada' >&3
exec 3>&-
wait "$asking"
is "0 [0] Name: Ada, welcome" "$? $(cat out err)" "the rest of the line follows without a tag"
is 1 "$(wc -l <out)" "a last line without its end gets one"

asks 3
echo 'Bob' >&4
until_true grep -q 'Bob, welcome' out
ok $? "process 1 writes a line while that of process 0 has no end"
printf 'Ada' >&3
exec 3>&-
wait "$asking"
is "0 [0] Name:|[1] Bob, welcome|[0]+ Ada, welcome|" \
	"$? $(cat out err | sed 's/ $//' | tr '\n' '|')" \
	"which begins on a new line, and the rest has a tag with +"

done_testing
