#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun reports a program that never calls bsp_begin; one whose reader goes ends without a word.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: libraries that are loaded later have no sanitizers"
cd "$tap_dir" || bail "no $tap_dir"
forget_settings
BSP_PLUGINS=$top_builddir/.libs
export BSP_PLUGINS
bsprun=$top_builddir/tools/bsprun/bsprun

# compile PROGRAM: out of PROGRAM.c
compile()
{
	# shellcheck disable=SC2086
	$CC $CFLAGS -I"$top_srcdir/include" -o "$1" "$1.c" -L"$top_builddir/.libs" \
		-Wl,-rpath,"$top_builddir/.libs" \
		-lbsp >built 2>&1 || bail "$1 does not compile: $(cat built)"
}

# With an argument it begins, if that is not "usage"; its status is the second.
cat >perhaps.c <<'END'
#include <bsp.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (strcmp(argv[1], "begin") == 0) {
		bsp_begin(bsp_nprocs());
		bsp_end();
	} else {
		puts("usage: perhaps begin");
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
END
compile perhaps

said=$("$bsprun" -n 2 ./perhaps usage 2>&1 >out)
is 0 $? "the exit status stays what it is"
is "bsp: the program ended without bsp_begin, so nothing of it ran in parallel (bsprun -n 2)" \
	"$said" \
	"a program that never begins is reported, in one line"
is "usage: perhaps begin" "$(cat out)" "its output too"
like '^bsp: the program ended without bsp_begin' "$("$bsprun" ./perhaps usage 2>&1)" \
	"also without -n"
is "" "$("$bsprun" -n 1 ./perhaps usage 2>&1 >out)" "with -n 1 nothing is missed"
is "" "$("$bsprun" -n 2 ./perhaps begin 2>&1)" "nothing is said of a program that begins"
is "" "$("$bsprun" -n 2 ./perhaps usage 3 2>&1 >out)" "or that has failed"
is "" "$("$bsprun" -n 2 sh -c './perhaps usage' 2>&1 >out)" "or that another program has started"
is "" "$(BSP_NPROCS=2 ./perhaps usage 2>&1 >out)" "or that was started without bsprun"

cat >endless.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int after = argc > 1 && atoi(argv[1]);

	bsp_begin(bsp_nprocs());
	if (after)
		bsp_end();
	for (long i = 0;; i++) {
		printf("line %ld\n", i);
		if (!after && i % 100 == 0)
			bsp_sync();
	}
}
END
compile endless

# first_of_pipe COMMAND...: prints its errors; its reader ends after a line, its status is in status
first_of_pipe()
{
	{ "$@" 2>err; echo $? >status; } | head -n 1 >out
	cat err
}

for transport in shm mix ofi mpi; do
	case $transport in
	ofi | mpi) has_transport "$transport" || continue ;;
	esac
	for n in 1 3; do
		seen=$(first_of_pipe timeout -k 5 "$(limit)" "$bsprun" -n $n --transport $transport \
			./endless 0)
		is "" "$seen" "$transport, $n processes: nothing is said when the reader goes"
		is 141 "$(cat status)" \
			"$transport, $n processes: the status is that of a program whose output is not read"
	done
done
is "" "$(first_of_pipe timeout -k 5 "$(limit)" "$bsprun" -n 3 ./endless 1)" "nor after bsp_end"
is 141 "$(cat status)" "with the same status"
is "" "$(first_of_pipe timeout -k 5 "$(limit)" "$bsprun" -n 3 --tag-output ./endless 0)" \
	"nor with --tag-output"
is 141 "$(cat status)" "with the same status"

# Another pipe that breaks is a fault of the program.
cat >other.c <<'END'
#include <bsp.h>
#include <unistd.h>

int main(void)
{
	int ends[2];

	bsp_begin(bsp_nprocs());
	if (bsp_pid() == 1 && pipe(ends) == 0) {
		close(ends[0]);
		return write(ends[1], "x", 1) < 0;
	}
	for (;;)
		bsp_sync();
}
END
compile other
like '^bsp: killed by signal 13 \(Broken pipe\) \(process 1' \
	"$(timeout -k 5 "$(limit)" "$bsprun" -n 2 ./other 2>&1 >out)" \
	"a process that dies of another pipe is named"

done_testing
