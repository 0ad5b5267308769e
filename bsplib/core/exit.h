/* SPDX-License-Identifier: BSD-3-Clause */
/* exit.h - functions that are called at the end of the program, with its status. */
#ifndef BSPI_EXIT_H
#define BSPI_EXIT_H

enum {
	/* what a function gets where the C library has no on_exit(), as musl; then it is called at
	 * the end of each program that does not call _exit(), whatever its status */
	BSPI_STATUS_UNKNOWN = -1,
	BSPI_EXIT_CALLS = 8,	/* most functions */
};

/* Call @call(status, NULL) at exit, before those that were given earlier. It may call exit(). */
void bspi_exit_call(void (*call)(int status, void *unused));

#endif
