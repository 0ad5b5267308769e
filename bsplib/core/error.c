// SPDX-License-Identifier: BSD-3-Clause
/* error.c - the one place where a job is ended with a message. */

/*
 * One of all processes that find something wrong reports it: the one that claims the
 * fault prints and exits, the others wait to be ended by the supervisor or the launcher. The
 * message is written with one call, so that it stays in one piece.
 */

#include "bsplib/core/error.h"

#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_MOST = BSPJ_MESSAGE_MOST };

/* Where and when, or as much of it as is known. */
static void append_site(char *text, size_t len, int pid, uint32_t step, const char *site)
{
	if (bspi.phase >= BSPI_RUNNING)
		snprintf(text, len, " (process %d, superstep %u%s%s)", pid, step,
			 site ? ", " : "", site ? bspi_site_text(site) : "");
	else if (site && bspi.job.table && bspi.job.nprocs > 1)
		snprintf(text, len, " (process %d, %s)", bspi.job.me, bspi_site_text(site));
	else if (site)
		snprintf(text, len, " (%s)", bspi_site_text(site));
}

/* Make it one line. */
static size_t finish_line(char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	text[len++] = '\n';
	return len;
}

/*
 * A child that the program forked is none of the job's processes. Before there is a job this is
 * not known.
 */
static bool is_of_the_job(void)
{
	return !bspi.os_pid || bspi.os_pid == getpid();
}

/*
 * Output of the program from before comes before the message; but another thread may hold the
 * stream for ever.
 */
static void flush_output(void)
{
	if (ftrylockfile(stdout) != 0)
		return;
	fflush(stdout);
	funlockfile(stdout);
}

static _Noreturn void error_report(int status, const char *call, int pid, uint32_t step,
				   const char *site, const char *format, va_list args)
{
	char text[MESSAGE_MOST];
	int n;

	if (is_of_the_job() && !bspj_claim_fault(&bspi.job))
		for (;;)		/* until the supervisor or the launcher ends this process */
			pause();
	n = snprintf(text, sizeof(text), "%s: ", call);
	vsnprintf(text + n, sizeof(text) - n - 512, format, args);
	n = strlen(text);
	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	append_site(text + n, sizeof(text) - n - 1, pid, step, site);
	n = finish_line(text);
	flush_output();
	/* another process writes it when this one has ended */
	if (!bspj_report(is_of_the_job() ? bspi.job.table : NULL, "%.*s", n, text))
		_exit(status);
	if (is_of_the_job())
		bspj_abort(&bspi.job, status);
	_exit(status);
}

void bspi_fail_va(const char *call, const char *site, const char *format, va_list args)
{
	error_report(EXIT_FAILURE, call, bspi.me, bspi.step, site, format, args);
}

void bspi_fail(const char *call, const char *site, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_report(EXIT_FAILURE, call, bspi.me, bspi.step, site, format, args);
}

void bspi_fail_with(int status, const char *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_report(status, call, bspi.me, bspi.step, NULL, format, args);
}

void bspi_fail_of(int pid, uint32_t step, const char *call, int64_t site,
		  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_report(EXIT_FAILURE, call, pid, step, bspi_site_unpack(site), format, args);
}

void bspi_warn(const char *call, const char *format, ...)
{
	char text[MESSAGE_MOST];
	va_list args;
	int n = snprintf(text, sizeof(text), "%s: ", call);

	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n - 512, format, args);
	va_end(args);
	n = strlen(text);
	append_site(text + n, sizeof(text) - n - 1, bspi.me, bspi.step,
		     bspi.job.table ? bspi_own_site() : NULL);
	n = finish_line(text);
	if (write(STDERR_FILENO, text, n) < 0)
		return;
}

void bspi_fail_operator(const char *call, const char *site)
{
	bspi_fail(call, site, "called by an operator of %s; an operator must not call the library",
		  bspi.operator_of);
}

void bspi_fail_phase(const char *call, const char *site)
{
	if (bspi.phase == BSPI_FORKED)
		bspi_fail(call, site,
			  "called in a process that process %d has forked, which is none of the "
			  "job; call only what is not of the library there, or exec",
			  bspi.me);
	if (bspi.phase == BSPI_IN_SYNC && bspi.operator_of)
		bspi_fail_operator(call, site);
	if (bspi.phase == BSPI_IN_SYNC)
		bspi_fail(call, site,
			  "called by another thread, or a signal handler, while the process is "
			  "in %s; only one thread of a process calls the library",
			  bspi.ending ? "bsp_end" : "bsp_sync");
	bspi_fail(call, site, bspi.phase == BSPI_BEFORE ?
		  "called before bsp_begin; call it between bsp_begin and bsp_end" :
		  "called after bsp_end; call it between bsp_begin and bsp_end");
}

void bspi_fail_pid(const char *call, const char *site, int64_t pid)
{
	bspi_fail(call, site, "process %lld does not exist, there %s %d", (long long)pid,
		  bspi.nprocs == 1 ? "is" : "are", bspi.nprocs);
}

void bspi_fail_memory(const char *call, const char *site)
{
	bspi_fail(call, site,
		  "out of memory; use more processes or smaller supersteps, or raise the limit "
		  "(ulimit -v)");
}

/* ---- Memory ---------------------------------------------------------------- */

void *bspi_grow(void *array, size_t n, size_t size, size_t *room)
{
	size_t more = *room ? 2 * *room : 16;

	if (n < *room)
		return array;
	array = realloc(array, more * size);
	if (!array)
		bspi_fail_memory(bspi.ending ? "bsp_end" : "bsp_sync", NULL);
	*room = more;
	return array;
}
