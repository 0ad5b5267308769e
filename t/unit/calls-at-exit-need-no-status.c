/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the C library has no on_exit(), the functions of the library are called at exit as well. */
#include "../lib/tap.h"

#include <stdlib.h>

/* As with musl. */
#undef __GLIBC__
#define bspi_exit_call call_at_exit
#include "bsplib/core/exit.c"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_test;

static void say(const char *name, int status)
{
	dprintf(to_test, "%s %s\n", name, status == BSPI_STATUS_UNKNOWN ? "unknown" : "known");
}

static void first(int status, void *unused)
{
	(void)unused;
	say("first", status);
}

static void second(int status, void *unused)
{
	(void)unused;
	say("second", status);
	exit(5);
}

static void third(int status, void *unused)
{
	(void)unused;
	say("third", status);
}

static void end_with_three(void)
{
	call_at_exit(first);
	call_at_exit(second);
	call_at_exit(third);
	exit(3);
}

int main(void)
{
	char text[200] = "";
	int ends[2], status;

	if (pipe(ends))
		bail("no pipe");
	to_test = ends[1];
	if (fork() == 0)
		end_with_three();
	wait(&status);
	ok(read(ends[0], text, sizeof text - 1) > 0, "they are called");
	is_str("third unknown\nsecond unknown\nfirst unknown\n", text,
	       "the last first, without a status, and those that are left when one calls exit()");
	is_int(5, WEXITSTATUS(status), "which sets the status of the program");
	ok(!bspi_exit_is_error(BSPI_STATUS_UNKNOWN) && !bspi_exit_is_error(0),
	   "one that is not known need be no error");
	ok(bspi_exit_is_error(-1) && bspi_exit_is_error(1), "that of exit(-1) is one");
	return done_testing();
}
