// SPDX-License-Identifier: BSD-3-Clause
/* prof_units.c - times, bytes, shares and processes as the page of a profile has them. */

#include "prof_html.h"

#include "common/page/table.h"

double prof_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

const char *prof_time_text(char *text, double ns)
{
	if (ns >= 1e9)
		snprintf(text, PROF_TEXT, "%.3f s", ns * 1e-9);
	else if (ns >= 1e6)
		snprintf(text, PROF_TEXT, "%.3f ms", ns * 1e-6);
	else
		snprintf(text, PROF_TEXT, "%.2f \302\265s", ns * 1e-3);
	return text;
}

const char *prof_bytes_text(char *text, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	int unit = 0;

	for (; bytes >= 10240 && unit < 4; unit++)
		bytes /= 1024;
	snprintf(text, PROF_TEXT, "%.0f %s", bytes, units[unit]);
	return text;
}

void prof_time_cell(struct page_table *t, double ns)
{
	char text[PROF_TEXT];

	page_table_cell(t, "%s", prof_time_text(text, ns));
}

const char *prof_cell_name(const void *of, int i, char *text, size_t len)
{
	const struct prof *p = of;
	int first = i * p->per_cell, last = first + p->per_cell - 1;

	if (last >= p->nprocs)
		last = p->nprocs - 1;
	if (last > first)
		snprintf(text, len, "%d\342\200\223%d", first, last);
	else
		snprintf(text, len, "%d", first);
	return text;
}
