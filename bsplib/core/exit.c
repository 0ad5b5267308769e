// SPDX-License-Identifier: BSD-3-Clause
/* exit.c - functions that are called at the end of the program, by on_exit() or by atexit(). */
#include "bsplib/core/exit.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

/* musl has no on_exit(), and names itself by nothing. */
#ifdef __GLIBC__
void bspi_exit_call(void (*call)(int status, void *unused))
{
	on_exit(call, NULL);
}
#else
static void (*exit_calls[BSPI_EXIT_CALLS])(int status, void *unused);
static int nexit_calls;

/*
 * Registered once for each of them. Removed first: one that calls exit() leads here for the next.
 */
static void run_last_call(void)
{
	exit_calls[--nexit_calls](BSPI_STATUS_UNKNOWN, NULL);
}

void bspi_exit_call(void (*call)(int status, void *unused))
{
	assert(nexit_calls < BSPI_EXIT_CALLS);
	exit_calls[nexit_calls++] = call;
	atexit(run_last_call);
}
#endif
