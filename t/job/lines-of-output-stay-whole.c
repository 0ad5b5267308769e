/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that several processes print arrive whole, and all of them, also before an end by
 * bsp_end. */
#include "../lib/spmd.h"

#include <stdio.h>

enum { LINES = 200 };

static void body(void)
{
	printf("before\n");
	enter();
	for (int i = 0; i < LINES; i++) {
		printf("process %d ", (int)bsp_pid());
		printf("prints its line %d", i);
		printf(" of %d\n", LINES);
	}
	bsp_end();
}

/* How many lines of the job's output are one of those printed? */
static int whole_lines(void)
{
	int count = 0, pid, i, n;
	const char *line = job_out();

	while (line && *line) {
		int end = 0;

		sscanf(line, "process %d prints its line %d of %d%n", &pid, &i, &n, &end);
		count += end && line[end] == '\n';
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return count;
}

static void several(int nprocs)
{
	job_run(body, nprocs);
	is_int(0, job_status(), "a job of %d", nprocs);
	is_int(nprocs * LINES, whole_lines(), "all lines are whole");
	ok(!strncmp(job_out(), "before\n", 7), "what came before bsp_begin comes first");
	ok(!strstr(job_out() + 1, "before"), "and once");
}

int main(void)
{
	several(1);
	if (job_max_nprocs() >= 4)
		several(4);
	return done_testing();
}
