/* SPDX-License-Identifier: BSD-3-Clause */
/* After a violation the program runs to its end, and only then is the status not 0. */
#include "../lib/checked.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int area;
static int wanted;	/* n of process 1, where 0 would be right */

static void part(void)
{
	enter();
	bsp_push_reg(&area, sizeof area);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_read(&area, wanted);
	bsp_end();
}

static void early(void)
{
	puts("early handler");
}

static void late(void)
{
	puts("late handler");
}

static void with_handlers(void)
{
	atexit(early);
	part();
	atexit(late);
	puts("end of the program");
}

static void with_a_status(void)
{
	part();
	exit(7);
}

static void from_init(void)
{
	char *no_arguments = NULL;

	bsp_init(part, 0, &no_arguments);
	part();
	puts("process 0 is here");
}

/* A child that the program forked is none of the job's processes. */
static void with_a_child(void)
{
	int status = -1;
	pid_t child;

	part();
	child = fork();
	if (!child)
		exit(EXIT_SUCCESS);
	waitpid(child, &status, 0);
	printf("the child's status is %d\n", status);
}

static int times_in(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void ends(void (*body)(void), int status, const char *said, int times, const char *what)
{
	check_run(body, 3, false);
	is_int(status, job_status(), "%s: the status", what);
	is_int(times, times_in(job_out(), said), "%s: how often it says: %s", what, said);
	ok(strncmp(last_reported(), "bsp: checked 2 supersteps, 1 reads, 0 puts: ", 44) == 0,
	   "%s: the verdict is reported", what);
}

int main(void)
{
	wanted = 1;
	ends(with_handlers, 1, "end of the program\n", 3, "a violation");
	is_int(3, times_in(job_out(), "late handler\n"), "handlers made after bsp_end are called");
	is_int(3, times_in(job_out(), "early handler\n"), "and those made before bsp_begin");
	ends(with_a_status, 7, "nothing", 0, "a program with a status of its own");
	ends(from_init, 1, "process 0 is here\n", 1, "a program with bsp_init");
	ends(with_a_child, 1, "the child's status is 0\n", 3, "a program that forks");
	wanted = 0;
	ends(with_handlers, 0, "end of the program\n", 3, "no violation");
	return done_testing();
}
