// SPDX-License-Identifier: BSD-3-Clause
/* violation.c - what bsprun --check finds: each reported once, the rest counted. */

/*
 * A violation is a line on standard error, and the program goes on. The same one again, by
 * rule, call sites and numbers, is only counted, and reported with its count in bsp_end. The
 * exit status of a process that found any, and of process 0 if any process did, is not 0:
 * the last to be called at exit sees to that, so that the program runs to its end.
 */

#include "bsplib/core/error.h"
#include "bsplib/core/exit.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/observer/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	TEXT_MOST = 1600,
	LINE_MOST = 2048,
	KINDS_MOST = 100,	/* different ones that a process tells */
	NBUCKETS = 256,
};

/* One that was reported. */
struct known {
	struct bspi_violation v;
	const char *format;	/* tells the rule */
	uint64_t more;		/* times again */
	struct known *next;	/* of the same bucket */
	char text[];
};

static struct {
	struct known *buckets[NBUCKETS];
	struct known *reported[KINDS_MOST];	/* in their order */
	size_t nreported;
	uint64_t found;		/* all of them */
	uint64_t untold;
	bool fails;		/* at exit */
	bool watched;
} all;

uint64_t bspi_violations(void)
{
	return all.found;
}

static void write_line(const struct bspi_violation *v, const char *text, uint64_t more)
{
	char line[LINE_MOST], again[48] = "";
	int n;

	if (more)
		snprintf(again, sizeof(again), " ... %llu more time%s", (unsigned long long)more,
			 more == 1 ? "" : "s");
	n = snprintf(line, sizeof(line), "%s: %s%s (process %d, superstep %u%s%.300s)\n", v->call,
		     text, again, v->pid, v->step, v->site ? ", " : "",
		     v->site ? bspi_site_text(v->site) : "");
	if (write(STDERR_FILENO, line, n < LINE_MOST ? n : LINE_MOST - 1) < 0)
		return;		/* there is nowhere to report it */
}

static struct known **violation_bucket_of(const struct bspi_violation *v, const char *format)
{
	uint64_t h = (uintptr_t)format;

	h = (h ^ (uintptr_t)v->site) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ (uintptr_t)v->other) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ (uintptr_t)v->third ^ v->given) * UINT64_C(0x94d049bb133111eb);
	h = (h ^ v->counted) * UINT64_C(0xd6e8feb86659fd93);
	return &all.buckets[(h >> 32) % NBUCKETS];
}

static bool violation_is_same(const struct known *k, const struct bspi_violation *v,
			      const char *format)
{
	return k->format == format && k->v.site == v->site && k->v.other == v->other &&
	       k->v.third == v->third && k->v.given == v->given && k->v.counted == v->counted;
}

static struct known *violation_find(const struct bspi_violation *v, const char *format)
{
	struct known *k = *violation_bucket_of(v, format);

	while (k && !violation_is_same(k, v, format))
		k = k->next;
	return k;
}

/* NULL if there are too many already. */
static struct known *violation_add(const struct bspi_violation *v, const char *format,
				   const char *text)
{
	struct known **bucket = violation_bucket_of(v, format);
	struct known *k;

	if (all.nreported == KINDS_MOST)
		return NULL;
	k = malloc(sizeof(*k) + strlen(text) + 1);
	if (!k)
		bspi_fail_memory(v->call, v->site);
	*k = (struct known){ .v = *v, .format = format, .next = *bucket };
	strcpy(k->text, text);
	*bucket = k;
	all.reported[all.nreported++] = k;
	return k;
}

/* The first of its kind. */
static void violation_print(const struct bspi_violation *v, const char *format, va_list args)
{
	uint64_t times = v->times ? v->times : 1;
	char text[TEXT_MOST];
	struct known *k;

	vsnprintf(text, sizeof(text), format, args);
	k = violation_add(v, format, text);
	if (!k) {
		all.untold += times;
		return;
	}
	write_line(v, text, 0);
	k->more = times - 1;
}

void bspi_violation(const struct bspi_violation *v, const char *format, ...)
{
	uint64_t times = v->times ? v->times : 1;
	struct known *k = violation_find(v, format);
	va_list args;

	all.found += times;
	if (k) {
		k->more += times;
		return;
	}
	va_start(args, format);
	violation_print(v, format, args);
	va_end(args);
}

void bspi_violations_tell_again(void)
{
	for (size_t i = 0; i < all.nreported; i++)
		if (all.reported[i]->more)
			write_line(&all.reported[i]->v, all.reported[i]->text,
				   all.reported[i]->more);
	if (all.untold)
		fprintf(stderr, "bsp: %llu more violations on process %d are not shown\n",
			(unsigned long long)all.untold, bspi.me);
}

/*
 * Called again by exit() it goes on with the handlers that are left, and the new status. One that
 * is not known may be an error already, which is 1 then.
 */
static void fail_at_exit(int status, void *unused)
{
	(void)unused;
	if (!bspi_exit_is_error(status) && all.fails && bspi.os_pid == getpid())
		exit(EXIT_FAILURE);
}

void bspi_violations_fail(void)
{
	all.fails = true;
	if (!all.watched)
		bspi_exit_call(fail_at_exit);
	all.watched = true;
}

void bspi_violations_close(void)
{
	for (size_t i = 0; i < all.nreported; i++)
		free(all.reported[i]);
	memset(all.buckets, 0, sizeof(all.buckets));
	all.nreported = 0;
	all.found = all.untold = 0;
}
