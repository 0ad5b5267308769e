// SPDX-License-Identifier: BSD-3-Clause
/* prof_parts.c - cards of a profile with parts of the run: sections of the program. */

#include "prof_html.h"

#include "common/page/page.h"
#include "common/page/table.h"

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
