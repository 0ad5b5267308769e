# SPDX-License-Identifier: BSD-3-Clause
# hangs.sh - a job that hangs, and waiting for what it prints; read in the folder of the test.
# shellcheck shell=sh disable=SC2154

cat >hangs.c <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void mine(int signo)
{
	(void)signo;
	_exit(write(1, "mine\n", 5) != 5);
}

/* Process 0 never comes; or all go on and on, and process 0 says so. */
int main(int argc, char **argv)
{
	int x = 0;

	if (argc > 1 && !strcmp(argv[1], "handles"))
		signal(SIGTERM, mine);
	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; argc > 1; i++) {
		bsp_sync();
		if (i == 1000 && bsp_pid() == 0)
			puts("on"), fflush(stdout);
	}
	while (bsp_pid() == 0)
		pause();
	bsp_read(&x, 1);
	bsp_end();
	return 0;
}
END

# until_printed COUNT WORDS FILE: wait for so many lines, while the job $job lives, as until_true
until_printed()
{
	hangs_began=$(date +%s)
	until test "$(grep -c "$2" "$3")" -ge "$1"; do
		kill -0 "$job" 2>/dev/null || return 1
		test $(($(date +%s) - hangs_began)) -le "$(limit)" || return 1
		sleep 0.1
	done
}
