/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - the interface between tap.c, which prints, and job.c, which runs jobs. */
#ifndef JOB_H
#define JOB_H

#include "tap.h"

enum tap_kind {
	TAP_CHECK,
	TAP_SKIPPED,
	TAP_DIAG,
};

/* A check or a comment, of the test itself or of a process of a job. */
struct tap_note {
	enum tap_kind kind;
	bool passed;
	const char *file;	/* of the check; job.c keeps a copy */
	int line;
	char what[200];		/* description */
	char saw[240];		/* the values that a failed check saw */
};

/* tap.c: the first call starts the watchdog and line buffering, each further one restarts it. */
void tap_progress(void);

/* tap.c: print @note; comments on a failed check follow by diag(). */
void tap_print(const struct tap_note *note);

/* job.c: is this a process of a job? */
bool job_inside(void);

/* job.c: in a job, record @note for the test. */
void job_note(const struct tap_note *note);

/* job.c: in a job, make the test bail out for @reason, and exit. */
__attribute__((noreturn))
void job_bail(const char *reason);

/* job.c: for the watchdog, in its signal handler: kill the job, show its standard error. */
void job_kill(void);

#endif
