/* SPDX-License-Identifier: BSD-3-Clause */
/* checked.h - what the tests of bsprun --check share: a run under it, and the lines it reports. */
#ifndef CHECKED_H
#define CHECKED_H

#include "spmd.h"

/* As bsprun --check does, or with --suggest as well. */
static inline void check_run(void (*body)(void), int nprocs, bool suggest)
{
	setenv("BSP_CHECK", suggest ? "2" : "1", 1);
	job_run(body, nprocs);
}

/* Is this a whole line of standard error? */
static inline bool reported(const char *line)
{
	size_t len = strlen(line);

	for (const char *at = job_err(); (at = strstr(at, line)); at++)
		if ((at == job_err() || at[-1] == '\n') && at[len] == '\n')
			return true;
	return false;
}

static inline int lines_reported(void)
{
	int n = 0;

	for (const char *c = job_err(); *c; c++)
		n += *c == '\n';
	return n;
}

static inline const char *last_reported(void)
{
	const char *last = job_err();

	for (const char *c = last; *c; c++)
		if (c[0] == '\n' && c[1])
			last = c + 1;
	return last;
}

/* The program has exactly these @lines of violations; the verdict follows. */
static inline void finds(void (*body)(void), int nprocs, const char *const *lines,
			 const char *verdict, const char *what)
{
	int n = 0;

	check_run(body, nprocs, false);
	for (; lines[n]; n++)
		ok(reported(lines[n]), "%s: %.150s", what, lines[n]);
	if (!ok(lines_reported() == n + 1, "%s: that is all", what))
		diag("%s", job_err());
	is_str(verdict, last_reported(), "%s: the verdict", what);
	is_int(1, job_status(), "%s: the status", what);
}

/* The program has no violation: bsprun prints only the verdict. */
static inline void passes(void (*body)(void), int nprocs, const char *verdict, const char *what)
{
	check_run(body, nprocs, false);
	is_str(verdict, job_err(), "%s, %d processes: all that is reported", what, nprocs);
	is_int(0, job_status(), "%s, %d processes: the status", what, nprocs);
}

#endif
