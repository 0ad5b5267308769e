/* SPDX-License-Identifier: BSD-3-Clause */
/* relaxed.h - for bodies of relaxed tests: to begin, and to run them under each protocol. */

/*
 * These tests hold under every setting, so under_each() runs a body that needs none in
 * particular with each setting that changes how bytes are sent.
 *
 * A relaxed superstep hides from a process all that is done in the same superstep and
 * later ones. A body that has to know that another process is there already ("process 1
 * is 1000 supersteps ahead") reads a flag outside the library, in shared memory like that
 * of the checks. Only eager puts let their sender go on while
 * the other side computes, so such bodies begin with enter_eager().
 */
#ifndef RELAXED_H
#define RELAXED_H

#include "spmd.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

enum { FLAGS = 64 };

static atomic_int *flags;

static inline void make_flags(void)
{
	void *p = mmap(NULL, FLAGS * sizeof *flags, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bail("no memory for flags");
	flags = p;
}

static inline void raise_flag(int i)
{
	atomic_fetch_add(&flags[i], 1);
}

/* How many have raised it? */
static inline int raised(int i)
{
	return atomic_load(&flags[i]);
}

/* Wait without a call to the library, as a computation does. */
static inline void await_flag(int i, int times)
{
	while (raised(i) < times)
		sched_yield();
}

/* Begin, relaxed from this superstep on. */
static inline void enter_relaxed(void)
{
	make_flags();
	enter();
	bsp_set_sync(BSP_RELAXED);
}

static inline void enter_with(const char *eager)
{
	setenv("BSP_SYNC", "program", 1);
	setenv("BSP_EAGER", eager, 1);
	setenv("BSP_CREDIT", "auto", 1);
	enter_relaxed();
}

/* The same, and no process waits for the target of a small put. */
static inline void enter_eager(void)
{
	enter_with("auto");
}

/* The same, and bsp_sync waits until the target of each put has reached that superstep. */
static inline void enter_rendezvous(void)
{
	enter_with("0");
}

/* A job with one more setting. */
static inline void under(const char *name, const char *value, void (*body)(void), int nprocs,
			 const char *claim)
{
	const char *before = getenv(name);
	char *kept = before ? strdup(before) : NULL;

	setenv(name, value, 1);
	lives_ok(body, nprocs, "%s=%s: %s", name, value, claim);
	if (kept)
		setenv(name, kept, 1);
	else
		unsetenv(name);
	free(kept);
}

/* A job with default settings, and with every way to carry puts. */
static inline void under_each(void (*body)(void), int nprocs, const char *claim)
{
	lives_ok(body, nprocs, "%s", claim);
	under("BSP_EAGER", "0", body, nprocs, claim);
	under("BSP_EAGER", "64", body, nprocs, claim);
	under("BSP_CREDIT", "256", body, nprocs, claim);
	under("BSP_SYNC", "classic", body, nprocs, claim);
}

/* Does the standard error of the last job contain "file:line" of this call? */
static inline bool names(const char *file, int line)
{
	char text[200];

	snprintf(text, sizeof text, "%s:%d", file, line);
	return strstr(job_err(), text);
}

/* Does the standard error of the last job contain @number, as a word? */
static inline bool reports(int number)
{
	const char *at = job_err();
	char text[20];
	int len = snprintf(text, sizeof text, "%d", number);

	for (; (at = strstr(at, text)); at++)
		if ((at == job_err() || at[-1] < '0' || at[-1] > '9') &&
		    (at[len] < '0' || at[len] > '9'))
			return true;
	return false;
}

/* The last job was ended, with a status and with a message, not by a signal. */
static inline bool ended_with_message(const char *claim)
{
	bool ended = ok(job_status() > 0 && job_status() < 128 && !strncmp(job_err(), "bsp", 3),
			"%s", claim);

	if (!ended)
		diag("status %d, standard error: %.150s", job_status(), job_err());
	return ended;
}

#endif
