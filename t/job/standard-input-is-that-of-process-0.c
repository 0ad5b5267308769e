/* SPDX-License-Identifier: BSD-3-Clause */
/* Process 0 reads standard input, the others find it empty. */
#include "../lib/spmd.h"

#include <stdio.h>
#include <unistd.h>

static void body(void)
{
	char line[20] = "";
	int ends[2];

	if (pipe(ends) || write(ends[1], "hello\nworld\n", 12) != 12)
		bail("no pipe");
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	enter();
	if (bsp_pid() != 0)
		ok(!fgets(line, sizeof line, stdin), "nothing for the others");
	bsp_sync();
	if (bsp_pid() == 0) {
		ok(fgets(line, sizeof line, stdin), "a line for process 0");
		is_str("hello\n", line, "it is the first");
		ok(fgets(line, sizeof line, stdin), "another line");
		is_str("world\n", line, "it is the second");
	}
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
