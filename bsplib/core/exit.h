/* SPDX-License-Identifier: BSD-3-Clause */
/* exit.h - functions that are called at the end of the program, with its status. */
#ifndef BSPI_EXIT_H
#define BSPI_EXIT_H

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
	/* what a function gets where the C library has no on_exit(), as musl; then it is called at
	 * the end of each program that does not call _exit(), whatever its status. Programs call
	 * exit(-1), but not with this, of which the parent gets 0. */
	BSPI_STATUS_UNKNOWN = INT_MIN,
	BSPI_EXIT_CALLS = 8,	/* most functions */
};

/* Is it known that the program ends with an error? */
static inline bool bspi_exit_is_error(int status)
{
	return status != EXIT_SUCCESS && status != BSPI_STATUS_UNKNOWN;
}

/* Call @call(status, NULL) at exit, before those that were given earlier. */
void bspi_exit_call(void (*call)(int status, void *unused));
/* Such a @call may use bspi_exit_again(). Where there is no on_exit() it comes last of all. */
void bspi_exit_call_last(void (*call)(int status, void *unused));
/* In that @call: the program ends with @status, after the functions that are left. */
_Noreturn void bspi_exit_again(int status);

#endif
