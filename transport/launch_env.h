/* SPDX-License-Identifier: BSD-3-Clause */
/* launch_env.h - what launchers leave in the environment of the processes that they start. */
#ifndef BSPT_LAUNCH_ENV_H
#define BSPT_LAUNCH_ENV_H

#include <stdbool.h>
#include <stddef.h>

/* Signs of a launcher in the environment of this process. */
struct bspt_sign {
	int n;			/* processes that it has started, or more; 0: no sign of it */
	const char *launcher;
	const char *advice;	/* what the user can do if its processes cannot find each other */
	bool pmi;		/* it speaks PMI, by which only an MPI finds the others */
	bool exact;		/* there are no more than n */
};

struct bspt_sign bspt_sign_find(void);

/* The number of this process according to the environment, or 0 if that has none. */
int bspt_sign_process(void);

/* Does a launcher that speaks PMIx say that it has started this process? */
bool bspt_sign_is_pmix(void);

/*
 * A process that has joined the job that its launcher has started marks its environment so
 * (BSP_LAUNCH_USED). For variables are inherited: a program that it starts would take itself
 * for the same process of the same job, and wait for the others for ever. 0 or a negative
 * errno.
 */
int bspt_launch_mark(void);

/* Unset variables of launchers that another process used before this program was started. */
void bspt_launch_forget_used(void);

/* Unset variables of launchers, used or not; those of the user stay (BSP_DISCOVER). */
void bspt_launch_forget(void);

#endif
