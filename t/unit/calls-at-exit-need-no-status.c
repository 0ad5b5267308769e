/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the C library has no on_exit(), the functions of the library are called at exit as well. */
#include "../lib/tap.h"

#include <stdlib.h>

/* As with musl. */
#undef __GLIBC__
#define bspi_exit_call call_at_exit
#define bspi_exit_call_last call_last_at_exit
#define bspi_exit_again end_again
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
}

/* The only one that may set a status, when the program has nothing left to do at exit. */
static void last(int status, void *unused)
{
	(void)unused;
	say("last", status);
	end_again(5);
}

static void of_the_program(void)
{
	say("program", 0);
	printf("buffered");
}

static void third(int status, void *unused)
{
	(void)unused;
	say("third", status);
}

static void end_with_three(void)
{
	dup2(to_test, STDOUT_FILENO);
	atexit(of_the_program);
	call_last_at_exit(last);
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
	close(ends[1]);
	while (read(ends[0], text + strlen(text), sizeof text - 1 - strlen(text)) > 0)
		;
	is_str("third unknown\nsecond unknown\nfirst unknown\nprogram known\nlast unknown\n"
	       "buffered", text,
	       "the last first, without a status; that of the status after those of the program");
	is_int(5, WEXITSTATUS(status), "which it sets, when output is written");
	ok(!bspi_exit_is_error(BSPI_STATUS_UNKNOWN) && !bspi_exit_is_error(0),
	   "one that is not known need be no error");
	ok(bspi_exit_is_error(-1) && bspi_exit_is_error(1), "that of exit(-1) is one");
	return done_testing();
}
