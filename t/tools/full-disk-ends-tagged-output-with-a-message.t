#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tagged output that cannot be written is reported once, and the job does not end with 0.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

test -w /dev/full || skip_all "no /dev/full here"

cat >lines.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	bsp_begin(bsp_nprocs());
	for (int i = 0; i < 100; i++) {
		printf("to output\n");
		fprintf(stderr, "to errors\n");
		fflush(stdout);
	}
	bsp_end();
	fclose(fopen("done", "w"));
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
bspcc -o lines lines.c || bail "the program does not compile"

# tagged [ARGUMENT]...: the program, bounded
tagged()
{
	timeout -k 5 "$(limit)" bsprun -n 2 --tag-output ./lines "$@"
}

tagged >/dev/full 2>err
is 1 $? "output to a full disk: status 1"
is "bsp: cannot write what the processes print to standard output (--tag-output): \
No space left on device; the rest of it is lost" "$(grep -v 'to errors$' err)" "and one message"
is 200 "$(grep -c '^\[[01]\] to errors$' err)" "standard error is written all the same"
test -f done
ok $? "and the program comes to its end"

tagged 2>/dev/full >out
is "1 200" "$? $(grep -c '^\[[01]\] to output$' out)" "so with standard error on a full disk"
tagged 7 >/dev/full 2>err
is 7 $? "a status of the program that is not 0 remains"
tagged >/dev/full 2>&1
is 1 $? "both on a full disk: status 1"

# Whether SIGPIPE is ignored depends on the parent.
mkfifo pipe || bail "no fifos here"
(
	trap '' PIPE
	exec 3<>pipe 4>pipe 3>&-
	tagged >&4 2>err
	echo $? >status
)
is 1 "$(cat status)" "a pipe without a reader, SIGPIPE ignored: status 1"
like '^bsp: cannot write .* standard output .*: Broken pipe' "$(cat err)" "and a message"

done_testing
