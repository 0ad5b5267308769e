/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - bsprun --record, --profile, --trace: what is made of a recorded run. */
#ifndef BSPRUN_RECORD_H
#define BSPRUN_RECORD_H

#include <stdbool.h>

struct record_request {
	const char *record;	/* file of the recording, or NULL: it does not stay */
	const char *profile;	/* file of a page, or NULL */
	const char *trace;	/* file of a timeline, or folder of an archive, or NULL */
	const char *predict;	/* networks for which a prediction is printed, or NULL */
	const char *only, *without;	/* section that counts, or does not; NULL: all does */
	bool shown;		/* the program does not run: its settings are printed */
};

/* Ends bsprun, with @what in its message, if there can be no @file; NULL: none is wanted. */
void check_output(const char *what, const char *file);

bool record_is_wanted(const struct record_request *r);
/* Is something of it wanted that may count one section alone? */
bool record_may_choose(const struct record_request *r);
/* Before the run: ends bsprun if a file cannot be; sets BSP_RECORD. */
void record_prepare(struct record_request *r);
/* After a run that ended with @status: the status for bsprun to end with. */
int record_finish(const struct record_request *r, int status);

#endif
