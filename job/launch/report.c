// SPDX-License-Identifier: BSD-3-Clause
/* report.c - the message of a process that cannot write it is written by another. */

/*
 * A program may have closed its standard error, together with what else it had open; just then
 * the library has something to report. The text is left in the status table of the node, and the
 * supervisor, or the process that notices by the lifeline that its author has ended, writes it.
 */

#include "job/internal.h"

#include "transport/launch_env.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_GRACE_S = 2 };

bool bspj_report(struct bspj_status_table *table, const char *format, ...)
{
	char text[BSPJ_MESSAGE_MOST];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (write(STDERR_FILENO, text, strlen(text)) >= 0)
		return true;
	if (!table)
		return false;
	memcpy(table->message, text, strlen(text) + 1);
	atomic_store(&table->unsaid, BSPJ_UNSAID);
	return false;
}

void bspj_report_unsaid(struct bspj_status_table *table)
{
	int unsaid = BSPJ_UNSAID;

	if (atomic_compare_exchange_strong(&table->unsaid, &unsaid, BSPJ_SAID_BY_ANOTHER))
		bspj_say("%s", table->message);
}

/*
 * An error before the processes know each other is in all of them, mostly. The launcher ends
 * the others. If it is process 0 that does not come, process 1 speaks, and so on: of those with
 * as many bits in their number the first.
 */
void bspj_let_process_0_speak(const struct bspj_job *job)
{
	struct timespec grace = { 0 };

	for (int p = job->launched ? job->me : bspt_sign_process(); p > 0; p /= 2)
		grace.tv_sec += REPORT_GRACE_S;
	if (grace.tv_sec)
		nanosleep(&grace, NULL);
}

struct bspj_seconds bspj_seconds(double seconds)
{
	unsigned long long us = (unsigned long long)(seconds * 1e6 + 0.5);
	struct bspj_seconds s;
	int len = snprintf(s.text, sizeof(s.text), "%llu.%06llu", us / 1000000, us % 1000000);

	while (s.text[len - 1] == '0')
		s.text[--len] = '\0';
	if (s.text[len - 1] == '.')
		s.text[--len] = '\0';
	return s;
}
