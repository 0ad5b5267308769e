#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bsprun --check finds is printed once for all processes, and not lost with a job that fails.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# wrong [kill|abort|hang [FILE]]: process 1 ends so, if there is a FILE when that is not empty, as
# mpirun may lose what it has not yet read when a process dies
cat >wrong.c <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void end(const char *how, const char *file)
{
	struct stat is = { 0 };

	while (file && (stat(file, &is) < 0 || is.st_size == 0))
		usleep(10000);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "abort"))
		bsp_abort("no more");
	puts("hangs"), fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	static int area;
	int me, n, x = 1;

	bsp_begin(bsp_nprocs());
	me = bsp_pid(), n = bsp_nprocs();
	bsp_push_reg(&area, sizeof area);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_put((me + 1) % n, &x, &area, 0, sizeof x);
	bsp_sync();
	bsp_read(&area, 2);
	/* when all have found that n is 1 */
	bsp_sync();
	if (argc > 1 && me == 1)
		end(argv[1], argv[2]);
	bsp_end();
	return 0;
}
END
compile wrong -g
found="^bsp_read: n is 2, but the true number of puts .*wrong.c:35"

# found PATTERN WHAT: in one line, which ends so
found()
{
	is 1 "$(grep -c "$found" err)" "$2: one line" || diag "$(cat err)"
	like "$found$1\$" "$(grep "$found" err)" "$2: which says on which processes"
}

# ---- A supervisor on each machine ----------------------------------------------------------

# supervised STATUS N OPTION... -- ARGUMENT
supervised()
{
	status=$1 n=$2
	shift 2
	timeout -k 5 "$(limit)" "$top_builddir/tools/bsprun/bsprun" -n "$n" --check "$@" \
		>out 2>err </dev/null
	is "$status" $? "$*: status $status"
}

supervised 1 5 ./wrong
found '; 5 times, on processes 0 to 4)' "five processes"
# a process that gets no processor for so long may not have come so far
seconds=$(scaled 1)
until BSP_WATCHDOG=$seconds supervised 1 3 ./wrong hang && grep -q hangs out; do
	seconds=$((4 * seconds))
	test $seconds -le 1000 || break
done
found '; 3 times, on processes 0 to 2)' "the watchdog ends it"
like 'bsp: no progress for ' "$(cat err)" "and says so"

if has_transport ofi; then
	supervised 1 5 --nodes 2 ./wrong
	found '; 5 times, on processes 0 to 4)' "two nodes"
	supervised 137 5 --nodes 2 ./wrong kill
	is 2 "$(grep -c "$found" err)" "a process of two nodes dies: one line of each" ||
		diag "$(cat err)"
	like '; 2 times, on processes 3 and 4)' "$(cat err)" "with the processes of the node"
else
	skip "no bsp-$(plugin_of ofi).so here"
fi

# ---- Under a launcher -----------------------------------------------------------------------

BSP_CHECK=1
export BSP_CHECK
launched 3 ./wrong >/dev/null
is 2 "$(grep -c "$found" err)" "mpirun: once at once, and once with the number" || diag "$(cat err)"
like "$found; 3 times, on processes 0 to 2)" "$(cat err)" "which is that of all"
for how in kill abort; do
	launched 3 ./wrong $how err >/dev/null
	is 1 "$(grep -c "$found" err)" "mpirun, $how: one line" || diag "$(cat err)"
done
done_testing
