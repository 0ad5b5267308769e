// SPDX-License-Identifier: BSD-3-Clause
/* exit.c - functions that are called at the end of the program, by on_exit() or by atexit(). */

/*
 * With the GNU C library a function that is called at exit may call exit(), which goes on with
 * those that are left, and the new status. Elsewhere that is not defined, and may end the program
 * by a signal. There the status is changed by _exit(), in a function that was given to atexit()
 * before main() begins: after all those of the program.
 */

#include "bsplib/core/exit.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* musl has no on_exit(), and names itself by nothing. */
#ifdef __GLIBC__
void bspi_exit_call(void (*call)(int status, void *unused))
{
	on_exit(call, NULL);
}

void bspi_exit_call_last(void (*call)(int status, void *unused))
{
	on_exit(call, NULL);
}

void bspi_exit_again(int status)
{
	exit(status);
}
#else
static void (*exit_calls[BSPI_EXIT_CALLS])(int status, void *unused);
static int nexit_calls;
static void (*last_call)(int status, void *unused);

/* Registered once for each of them. */
static void run_next_call(void)
{
	exit_calls[--nexit_calls](BSPI_STATUS_UNKNOWN, NULL);
}

void bspi_exit_call(void (*call)(int status, void *unused))
{
	assert(nexit_calls < BSPI_EXIT_CALLS);
	exit_calls[nexit_calls++] = call;
	atexit(run_next_call);
}

static void run_last_call(void)
{
	if (last_call)
		last_call(BSPI_STATUS_UNKNOWN, NULL);
}

__attribute__((constructor)) static void exit_register_last(void)
{
	atexit(run_last_call);
}

void bspi_exit_call_last(void (*call)(int status, void *unused))
{
	last_call = call;
}

void bspi_exit_again(int status)
{
	fflush(NULL);
	_exit(status);
}
#endif
