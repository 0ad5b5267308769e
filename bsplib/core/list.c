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

void bspi_list_processes(struct bspi_list *l, const bool *in)
{
	l->len += bspj_list_processes(l->text + l->len, sizeof(l->text) - l->len, in, bspi.nprocs);
	if (l->len >= sizeof(l->text))
		l->len = sizeof(l->text) - 1;
}
