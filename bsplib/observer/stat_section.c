// SPDX-License-Identifier: BSD-3-Clause
/* stat_section.c - statistics of one section of the program, or of all but it. */

/*
 * A process counts what bspi.stat gains while the section is open, or with BSP_WITHOUT is not. How
 * long that lasts is known to all together: the n-th time on one process belongs to the n-th time
 * on the others, and lasts from the first beginning to the last end; times that overlap count once.
 * So process 0 gets the beginnings and ends of all. Clocks are compared where they are one: virtual
 * ones, and those of a node.
 */

#include "bsplib/observer/stat_section.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/observer/section.h"

#include "common/json.h"
#include "common/spans.h"

#include <stdlib.h>
#include <string.h>

enum { SPANS_OF_A_RECORD = 32, NAME = 104, WORDS = sizeof(struct bspi_stat) / sizeof(uint64_t) };

_Static_assert(WORDS * sizeof(uint64_t) == sizeof(struct bspi_stat), "counts are numbers");

/* A record for process 0: a name, or from the @from-th on some times that count. */
struct section_note {
	char name[NAME];		/* "" if it has times */
	uint64_t from, n;
	struct span spans[SPANS_OF_A_RECORD];
};

static struct {
	const char *chosen;		/* a name, or NULL: all counts */
	bool without;
	unsigned int depth;		/* of it */
	struct bspi_stat mark, sum;	/* when it began to count, until it ended to */
	uint64_t since, ns;		/* likewise */
	struct spans own;		/* times that count */
	char (*names)[NAME];		/* on process 0, in the end: all that have occurred */
	size_t nnames, names_room;
	struct spans *nodes;		/* on process 0, in the end */
} section;

bool bspi_stat_section_counts(void)
{
	return !section.chosen || (section.depth > 0) != section.without;
}

/* ---- On each process ---------------------------------------------------------------------- */

static void add_gain(uint64_t now_ns)
{
	uint64_t now[WORDS], mark[WORDS], sum[WORDS];

	memcpy(now, &bspi.stat, sizeof(now));
	memcpy(mark, &section.mark, sizeof(mark));
	memcpy(sum, &section.sum, sizeof(sum));
	for (size_t i = 0; i < WORDS; i++)
		sum[i] += now[i] - mark[i];
	memcpy(&section.sum, sum, sizeof(sum));
	section.ns += now_ns - section.since;
}

static bool has_occurred(const char *name)
{
	for (size_t i = 0; i < section.nnames; i++)
		if (strcmp(section.names[i], name) == 0)
			return true;
	return false;
}

static void note_name(const char *name)
{
	if (has_occurred(name))
		return;
	section.names = bspi_grow(section.names, section.nnames, sizeof(*section.names),
				  &section.names_room);
	snprintf(section.names[section.nnames++], NAME, "%s", name);
}

static void section_add_span(struct spans *s, uint64_t n, uint64_t first, uint64_t last)
{
	if (!spans_add(s, n, first, last))
		bspi_fail_memory("bsp_section", NULL);
}

/* It counts from @now on, or no longer; times are those of bspi.stat. */
static void count_from(uint64_t now)
{
	section.mark = bspi.stat;
	section.since = now;
	section_add_span(&section.own, section.own.n, now, now);
}

static void count_until(uint64_t now)
{
	section_add_span(&section.own, section.own.n - 1, now, now);
	add_gain(now);
}

void bspi_stat_section_open(void)
{
	memset(&section, 0, sizeof(section));
	section.without = bspi.env.without[0];
	section.chosen = bspi.env.only[0] ? bspi.env.only :
			 section.without ? bspi.env.without : NULL;
	if (section.chosen && section.without)
		count_from(bspi_now());
}

void bspi_stat_section_turn(const char *name, bool begins, uint64_t now)
{
	bool counted = bspi_stat_section_counts();

	if (!section.chosen || strcmp(section.chosen, name) != 0)
		return;
	section.depth += begins ? 1 : -1u;
	if (counted && !bspi_stat_section_counts())
		count_until(now);
	if (!counted && bspi_stat_section_counts())
		count_from(now);
}

struct bspi_stat bspi_stat_section_sum(double *seconds)
{
	if (!section.chosen)
		return bspi.stat;
	if (bspi_stat_section_counts())
		count_until(bspi_now());
	section.sum.longest_ns = bspi.stat.longest_ns;
	*seconds = (double)section.ns * 1e-9;
	return section.sum;
}

/* ---- To process 0 ------------------------------------------------------------------------- */

static void section_take_note(int from, const struct section_note *note)
{
	int node = bspi.clock ? 0 : bspi.job.wire->node[from];

	if (note->name[0])
		note_name(note->name);
	for (uint64_t i = 0; i < note->n && i < SPANS_OF_A_RECORD; i++)
		section_add_span(&section.nodes[node], note->from + i, note->spans[i].first,
				 note->spans[i].last);
}

static const char *section_on_note(int from, const char *at, const char *end)
{
	if (section.nodes)
		section_take_note(from, (const void *)((const struct bspi_rec *)at + 1));
	return bspi_after(from, at, end);
}

static void send_note(const struct section_note *note)
{
	struct bspi_rec *rec;

	if (bspi.me == 0) {
		section_take_note(0, note);
		return;
	}
	rec = bspi_out_room(0, bspi_align(sizeof(*rec) + sizeof(*note)));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_STAT_SECTION, 0),
				  .nbytes = sizeof(*note) };
	memcpy(rec + 1, note, sizeof(*note));
}

void bspi_stat_section_send(void)
{
	const char *const *names;
	size_t nnames = bspi_section_names(&names);
	struct section_note note;

	bspi_record_handle(BSPI_STAT_SECTION, BSPI_AT_END, section_on_note);
	if (bspi.me == 0)
		section.nodes = calloc((size_t)bspi.job.wire->nnodes, sizeof(*section.nodes));
	if (bspi.me == 0 && !section.nodes)
		bspi_fail_memory("bsp_end", NULL);
	for (size_t i = 0; i < nnames; i++) {
		note = (struct section_note){ .n = 0 };
		snprintf(note.name, NAME, "%s", names[i]);
		send_note(&note);
	}
	for (size_t i = 0; i < section.own.n; i += note.n) {
		size_t left = section.own.n - i;

		note = (struct section_note){ .from = i };
		note.n = left < SPANS_OF_A_RECORD ? left : SPANS_OF_A_RECORD;
		memcpy(note.spans, &section.own.at[i], note.n * sizeof(*note.spans));
		send_note(&note);
	}
}

/* ---- On process 0 ------------------------------------------------------------------------- */

double bspi_stat_section_total(double seconds)
{
	double most = 0;

	if (!section.chosen)
		return seconds;
	for (int node = 0; node < bspi.job.wire->nnodes; node++) {
		double time = (double)spans_time(&section.nodes[node]) * 1e-9;

		most = time > most ? time : most;
	}
	return most;
}

void bspi_stat_section_say(FILE *f)
{
	if (section.chosen)
		fprintf(f, ", %s section %s%s", section.without ? "all but" : "only",
			section.chosen,
			has_occurred(section.chosen) ? "" : ", which has not begun");
}

void bspi_stat_section_write(FILE *f)
{
	if (section.chosen) {
		fprintf(f, ", \"%s\": ", section.without ? "without" : "only");
		bspi_json_write(f, section.chosen);
	}
	if (!section.nnames && !section.chosen)
		return;
	fputs(", \"sections\": [", f);
	for (size_t i = 0; i < section.nnames; i++) {
		fputs(i ? ", " : "", f);
		bspi_json_write(f, section.names[i]);
	}
	fputs("]", f);
}

void bspi_stat_section_close(void)
{
	for (int node = 0; section.nodes && node < bspi.job.wire->nnodes; node++)
		free(section.nodes[node].at);
	free(section.nodes);
	free(section.own.at);
	free(section.names);
	memset(&section, 0, sizeof(section));
}
