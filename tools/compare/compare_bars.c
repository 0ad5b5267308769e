// SPDX-License-Identifier: BSD-3-Clause
/* compare_bars.c - groups of bars, one for each way: classic above relaxed. */

#include "compare.h"
#include "common/page/bars.h"

#include <math.h>
#include <string.h>

enum { TEXT = 40, CHANGE = TEXT + 4, PARTS_MOST = 4 };

/* A spread may be so many times as long as the bars. */
static const double BEYOND = 1.25;

static int parts_of(enum compare_bars what, const struct compare_figures *f,
		    struct page_bar_part *parts)
{
	int n = 0;

	if (what == COMPARE_BARS_TOTAL)
		parts[n++] = (struct page_bar_part){ "compute", "computation", NULL, f->compute };
	parts[n++] = (struct page_bar_part){ "sync", "in bsp_sync", NULL, f->sync };
	parts[n++] = (struct page_bar_part){ "read", "in bsp_read", NULL, f->read };
	parts[n++] = (struct page_bar_part){ "collective", "in collectives", NULL, f->collective };
	return n;
}

/* The longest bar of one comparison. */
static double longest_of(enum compare_bars what, const struct comparison *c)
{
	double longest = 0;

	for (int mode = 0; mode < c->choice.n; mode++) {
		const struct compare_figures *f = &c->runs[mode];

		longest = fmax(longest, f->sync + f->read + f->collective +
					(what == COMPARE_BARS_TOTAL ? f->compute : 0));
	}
	return longest;
}

/* How far its picture reaches; a spread goes not much beyond the bars, lest these get short. */
static double reach_of(enum compare_bars what, const struct comparison *c)
{
	double bars = longest_of(what, c), most = 0;

	for (int mode = 0; mode < c->choice.n; mode++)
		most = fmax(most, c->spread[mode].most);
	return what == COMPARE_BARS_TOTAL ? bars : fmin(fmax(bars, most), BEYOND * bars);
}

/* The change against the first way, in @text, and its class; NULL for that one. */
static const char *change_of(enum compare_bars what, const struct comparison *c,
			     int mode, char text[CHANGE], const char **class)
{
	const struct compare_spread *s = what == COMPARE_BARS_TOTAL ? &c->saved_total[mode] :
								      &c->saved[mode];
	double saved = s->median;
	char part[TEXT];

	if (mode == 0)
		return NULL;
	if (!compare_is_seen(s)) {
		*class = "unseen";
		return "no difference";
	}
	compare_part_text(part, sizeof(part), fabs(saved));
	snprintf(text, CHANGE, "%s%s",
		 strcmp(part, "0.0 %") == 0 ? "±" : saved > 0 ? "−" : "+", part);
	*class = saved < 0 ? "lost" : "saved";
	return text;
}

static void compare_draw_bar(struct markup *m, enum compare_bars what, const struct comparison *c,
			     int mode, double full)
{
	const struct compare_figures *f = &c->runs[mode];
	struct compare_unit unit = compare_unit_of(longest_of(what, c));
	bool total = what == COMPARE_BARS_TOTAL;
	struct page_bar_part parts[PARTS_MOST];
	char values[PARTS_MOST][TEXT], value[TEXT], change[CHANGE];
	struct page_bar bar = {
		.label = c->choice.way[mode]->name,
		.parts = parts, .nparts = parts_of(what, f, parts),
		.low = total ? 0 : c->spread[mode].least, .high = total ? 0 : c->spread[mode].most,
		.full = full, .value = value,
	};

	for (int i = 0; i < bar.nparts; i++) {
		compare_time_text(values[i], TEXT, parts[i].length, unit);
		parts[i].value = values[i];
	}
	compare_time_text(value, sizeof(value), total ? f->total : f->communication, unit);
	bar.change = change_of(what, c, mode, change, &bar.change_class);
	page_bar(m, &bar);
}

static void compare_draw_group(struct markup *m, enum compare_bars what, const struct comparison *c,
			       double full)
{
	char processes[TEXT], where[TEXT + 2 + COMPARE_TEXT];

	compare_count_text(processes, sizeof(processes), c->nprocs, "process", "processes");
	snprintf(where, sizeof(where), "%s, %s", processes,
		 c->network[0] ? c->network : c->transport);
	if (what == COMPARE_BARS_SHARE)
		page_bar_group(m, c->command, where);
	else
		page_bar_group(m, processes, NULL);
	for (int mode = 0; mode < c->choice.n; mode++)
		compare_draw_bar(m, what, c, mode, full);
	markup_close(m);
}

void compare_bars_draw(struct markup *m, enum compare_bars what, const struct comparison *const *c,
		       size_t n, const char *caption)
{
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		longest = fmax(longest, reach_of(what, c[i]));
	page_bars(m, caption);
	for (size_t i = 0; i < n; i++)
		compare_draw_group(m, what, c[i],
				   what == COMPARE_BARS_SHARE ? reach_of(what, c[i]) : longest);
	markup_close(m);
}
