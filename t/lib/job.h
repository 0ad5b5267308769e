/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - between tap.c, which prints, and job.c, which runs what is tested. */
#ifndef JOB_H
#define JOB_H

#include "tap.h"

enum tap_kind {
	TAP_CHECK,
	TAP_SKIPPED,
	TAP_DIAG,
};

/* One thing to be said, by the test itself or by a process of a job. */
struct tap_note {
	enum tap_kind kind;
	bool passed;
	const char *file;	/* of the check; job.c keeps a copy */
	int line;
	char what[200];		/* description */
	char saw[240];		/* what a failed check saw */
};

/* tap.c: start the watchdog and line buffering, once; again gives the watchdog its time back. */
void tap_progress(void);

/* tap.c: seconds of the watchdog. */
int tap_timeout(void);

/* tap.c: print a check; diagnosis follows by diag(). */
void tap_print(const struct tap_note *note);

/* job.c: is this a process of a job? */
bool job_inside(void);

/* job.c: in a job, write down @note. */
void job_note(const struct tap_note *note);

/* job.c: in a job, make the test bail out, and exit. */
__attribute__((noreturn))
void job_bail(const char *reason);

/* job.c: for the watchdog, in its signal handler: kill the job, show its standard error. */
void job_kill(void);

#endif
