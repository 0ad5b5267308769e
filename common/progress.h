/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - how far a long computation is, for a user at a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>
#include <time.h>

struct progress {
	struct timespec begin;
	double reported;	/* seconds after that */
};

/* Now. */
void progress_begin(struct progress *p);

/*
 * @done of @all operations: a line on standard error, not in the first second and then once in
 * each; when all are done it is removed. @progress is a struct progress. The caller sees to it that
 * standard error is a terminal.
 */
void progress_show(void *progress, uint64_t done, uint64_t all);

#endif
