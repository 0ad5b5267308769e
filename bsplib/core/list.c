// SPDX-License-Identifier: BSD-3-Clause
/* list.c - a part of a message that is a list: of anything, of processes. */

#include "bsplib/core/list.h"

#include "bsplib/core/state.h"

#include <stdarg.h>
#include <stdio.h>

void bspi_list_append(struct bspi_list *l, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(l->text + l->len, sizeof(l->text) - l->len, format, args);
	va_end(args);
	l->len += n;
	if (l->len >= sizeof(l->text))
		l->len = sizeof(l->text) - 1;
}

/* ---- Processes ---------------------------------------------------------------------- */

/* The first process after @q whose @in differs from that of @q. */
static int end_of_run(const bool *in, int q)
{
	int end = q + 1;

	while (end < bspi.nprocs && in[end] == in[q])
		end++;
	return end;
}

static void append_piece(struct bspi_list *l, int q, int piece, int pieces)
{
	bspi_list_append(l, "%s%d", piece == 0 ? "" : piece == pieces - 1 ? " and " : ", ", q);
}

void bspi_list_processes(struct bspi_list *l, const bool *in)
{
	int pieces = 0, piece = 0, members = 0;

	for (int q = 0, end; q < bspi.nprocs; q = end) {
		end = end_of_run(in, q);
		/* two are named each, more as "2 to 5" */
		pieces += !in[q] ? 0 : end - q == 2 ? 2 : 1;
		members += in[q] ? end - q : 0;
	}
	bspi_list_append(l, members == 1 ? "process " : "processes ");
	for (int q = 0, end; q < bspi.nprocs; q = end) {
		end = end_of_run(in, q);
		if (!in[q])
			continue;
		append_piece(l, q, piece++, pieces);
		if (end - q == 2)
			append_piece(l, end - 1, piece++, pieces);
		else if (end - q > 2)
			bspi_list_append(l, " to %d", end - 1);
	}
}
