// SPDX-License-Identifier: BSD-3-Clause
/* report.c - the message of a process that cannot write it is written by another. */

/*
 * A program may have closed its standard error, together with what else it had open; just then the
 * library has something to report. The text is left on the board of the node, and the supervisor, or the
 * process that notices by the lifeline that its author has ended, writes it.
 */

#include "wireup.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool bspt_report(struct bspt_board *board, const char *format, ...)
{
	char text[BSPT_MESSAGE_MOST];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (write(STDERR_FILENO, text, strlen(text)) >= 0)
		return true;
	if (!board)
		return false;
	memcpy(board->message, text, strlen(text) + 1);
	atomic_store(&board->unsaid, BSPT_UNSAID);
	return false;
}

void bspt_report_unsaid(struct bspt_board *board)
{
	int unsaid = BSPT_UNSAID;

	if (atomic_compare_exchange_strong(&board->unsaid, &unsaid, BSPT_SAID_BY_ANOTHER))
		bspt_say("%s", board->message);
}
