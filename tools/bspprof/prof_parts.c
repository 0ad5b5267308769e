// SPDX-License-Identifier: BSD-3-Clause
/* prof_parts.c - cards of a profile with parts of the run: sections, processes. */

#include "prof_html.h"

#include "common/page/page.h"
#include "common/page/table.h"

#include <stdlib.h>

static void section_row(const struct prof *p, const struct prof_section *s, struct page_table *t)
{
	double share = prof_percent((double)s->time, (double)p->length), mean, most;
	int worst;

	mean = prof_mean(p, s->computed);
	most = prof_most(p, s->computed, &worst);
	page_table_cell(t, "%s", s->name);
	page_table_cell(t, "%llu", (unsigned long long)s->spans.n);
	prof_time_cell(t, (double)s->time);
	page_table_cell(t, "%.1f %%", share);
	page_table_meter(t, share);
	prof_time_cell(t, mean);
	if (mean > 0)
		page_table_cell(t, "%.2f, process %d", most / mean, worst);
	else
		page_table_cell(t, "%s", "");
	prof_time_cell(t, prof_mean(p, s->waited));
}

void prof_write_sections(const struct prof *p, struct markup *m)
{
	static const char *const heads[] = {
		"times", "time", "share", "computed, mean", "imbalance", "waited, mean",
	};
	struct page_table t;

	if (!p->nsections)
		return;
	page_card(m, "Sections");
	page_say(m, PAGE_ABOUT, "Of bsp_section: each time from the first process that begins it "
		 "to the last that ends it. A section that is inside another one is a part of "
		 "both. A profile of one section alone: bsprun --only NAME.");
	page_table_begin(&t, "Sections");
	page_table_column(&t, PAGE_WORDS, "section");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		page_table_column(&t, PAGE_KEPT, "%s", heads[i]);
	for (size_t i = 0; i < p->nsections; i++)
		section_row(p, &p->sections[i], &t);
	page_table_end(&t, m);
	page_card_end(m);
}

/* ---- Processes ---------------------------------------------------------------------------- */

/* A process, with what it does in all calls, ns. */
struct part_process {
	int pid;
	uint64_t computed, waited, late;
};

static void part_add_up(const struct prof *p, struct part_process *all)
{
	for (int q = 0; q < p->nprocs; q++)
		all[q] = (struct part_process){ .pid = q, .late = p->loss.late_by[q] };
	for (size_t i = 0; i < p->nrows; i++)
		for (int q = 0; q < p->nprocs; q++) {
			all[q].computed += p->rows[i].computed[q];
			all[q].waited += p->rows[i].waited[q];
		}
}

/* The more it computes and others wait for it, the earlier. */
static int part_by_cost(const void *a, const void *b)
{
	const struct part_process *x = a, *y = b;
	uint64_t of_x = x->computed + x->late, of_y = y->computed + y->late;

	return of_x != of_y ? (of_x < of_y ? 1 : -1) : x->pid - y->pid;
}

static int part_by_number(const void *a, const void *b)
{
	return ((const struct part_process *)a)->pid - ((const struct part_process *)b)->pid;
}

static void process_row(const struct prof *p, const struct part_process *of, double mean,
			struct page_table *t)
{
	double share = prof_percent((double)of->computed, (double)p->time);

	page_table_cell(t, "%d", of->pid);
	prof_time_cell(t, (double)of->computed);
	page_table_cell(t, "%.1f %%", share);
	page_table_meter(t, share);
	page_table_cell(t, "%.2f", mean > 0 ? (double)of->computed / mean : 1);
	prof_time_cell(t, (double)of->waited);
	prof_time_cell(t, (double)of->late);
	page_table_cell(t, "%.1f %%", prof_percent((double)p->path[of->pid],
						   (double)p->path_length));
}

static void processes_table(const struct prof *p, struct part_process *all, struct markup *m)
{
	static const char *const heads[] = {
		"computed", "share", "of the mean", "waited", "waited for", "path",
	};
	int shown = p->nprocs < PROF_CELLS ? p->nprocs : PROF_CELLS;
	double mean = (double)p->computed / p->recording.present;
	struct page_table t;

	part_add_up(p, all);
	if (shown < p->nprocs)
		qsort(all, (size_t)p->nprocs, sizeof(*all), part_by_cost);
	qsort(all, (size_t)shown, sizeof(*all), part_by_number);
	page_table_begin(&t, "Processes");
	page_table_column(&t, PAGE_WORDS, "process");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		page_table_column(&t, PAGE_KEPT, "%s", heads[i]);
	for (int i = 0; i < shown; i++)
		if (p->recording.parts[all[i].pid].head.nprocs)
			process_row(p, &all[i], mean, &t);
	page_table_end(&t, m);
}

void prof_write_processes(const struct prof *p, struct markup *m)
{
	struct part_process *all = calloc((size_t)p->nprocs, sizeof(*all));

	page_card(m, "Processes");
	page_say(m, PAGE_ABOUT, "Waited for: how long all others together waited for this process, "
		 "which came late; path: its computing on the critical path.%s",
		 p->nprocs > PROF_CELLS ? " Shown are the 64 that compute most and are waited for "
		 "most." : "");
	if (all)
		processes_table(p, all, m);
	page_card_end(m);
	free(all);
}
