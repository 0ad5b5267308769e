// SPDX-License-Identifier: BSD-3-Clause
/* prof_section.c - sections of the program: how long they last, and what of a run counts. */

/*
 * The n-th time that a section is open on a process belongs to the n-th time on the others. It
 * lasts from the first beginning to the last end of these; times that overlap count once. A call
 * counts if it is made inside the section on its process, and so does what is computed there; with
 * --without the time between is such a section.
 */

#include "prof_section.h"

#include <stdlib.h>
#include <string.h>

struct prof_choice prof_choice;

bool prof_is_part(void)
{
	return prof_choice.only || prof_choice.without;
}

/* ---- Sections ----------------------------------------------------------------------------- */

static struct prof_section *new_section(struct prof *p, const char *name)
{
	const char *chosen = prof_choice.only ? prof_choice.only : prof_choice.without;
	struct prof_section *more, *s;

	more = prof_more(p->sections, p->nsections, sizeof(*more), &p->sections_room);
	if (!more)
		return NULL;
	p->sections = more;
	s = &more[p->nsections++];
	*s = (struct prof_section){
		.name = strdup(name), .is_chosen = chosen && strcmp(chosen, name) == 0,
		.begun = calloc((size_t)p->nprocs, sizeof(*s->begun)),
		.depth = calloc((size_t)p->nprocs, sizeof(*s->depth)),
		.computed = calloc((size_t)p->nprocs, sizeof(*s->computed)),
		.waited = calloc((size_t)p->nprocs, sizeof(*s->waited)),
	};
	return s->name && s->begun && s->depth && s->computed && s->waited ? s : NULL;
}

static struct prof_section *find_section(struct prof *p, const char *name)
{
	for (size_t i = 0; i < p->nsections; i++)
		if (strcmp(p->sections[i].name, name) == 0)
			return &p->sections[i];
	return new_section(p, name);
}

/* ---- One process -------------------------------------------------------------------------- */

bool prof_inside_begin(struct prof *p, struct prof_inside *in, uint64_t since)
{
	*in = (struct prof_inside){ .since = since, .counts = !prof_choice.only };
	return !in->counts || spans_add(&p->counted, in->times++, since, since);
}

void prof_inside_free(struct prof_inside *in)
{
	free(in->open);
}

/* Computing up to @at is of each section that is open, and of what counts. */
static void compute_until(struct prof_inside *in, uint64_t at)
{
	uint64_t ns = at > in->since ? at - in->since : 0;

	in->all_computed += ns;
	if (in->counts)
		in->computed += ns;
	in->since = at;
}

/* One that is open already only gets deeper, and has one end more. */
static bool section_begins(struct prof *p, struct prof_inside *in, int pid, const char *name,
			   uint64_t at)
{
	struct prof_section *s = find_section(p, name);
	struct prof_open *more = prof_more(in->open, in->n, sizeof(*more), &in->room);

	if (more)
		in->open = more;
	if (!s || !more)
		return false;
	more[in->n++] = (struct prof_open){
		.section = (uint32_t)(s - p->sections), .is_outer = s->depth[pid]++ == 0,
		.computed = in->all_computed, .waited = in->all_waited,
	};
	in->nchosen += s->is_chosen;
	return more[in->n - 1].is_outer ? spans_add(&s->spans, s->begun[pid]++, at, at) : true;
}

static bool last_ends(struct prof *p, struct prof_inside *in, int pid, uint64_t at)
{
	const struct prof_open *last = &in->open[--in->n];
	struct prof_section *s = &p->sections[last->section];

	s->depth[pid]--;
	in->nchosen -= s->is_chosen;
	if (!last->is_outer)
		return true;
	s->computed[pid] += in->all_computed - last->computed;
	s->waited[pid] += in->all_waited - last->waited;
	return spans_add(&s->spans, s->begun[pid] - 1, at, at);
}

/* Is a section open that was chosen? With --without none may be. */
static bool inside_counts(const struct prof_inside *in)
{
	return prof_choice.only ? in->nchosen > 0 : in->nchosen == 0;
}

/* It counts from now on, or no longer. */
static bool turn_count(struct prof *p, struct prof_inside *in, uint64_t at)
{
	bool counted = in->counts;

	in->counts = inside_counts(in);
	if (in->counts == counted)
		return true;
	return spans_add(&p->counted, in->counts ? in->times++ : in->times - 1, at, at);
}

static const char *last_name(const struct prof *p, const struct prof_inside *in)
{
	return p->sections[in->open[in->n - 1].section].name;
}

bool prof_section_turn(struct prof *p, struct prof_inside *in, int pid,
		       const struct recording_event *e, uint64_t offset)
{
	uint64_t at = e->begin + offset;
	bool good = true;

	compute_until(in, at);
	if (e->kind == RECORDING_SECTION)
		good = section_begins(p, in, pid, e->name, at);
	else if (in->n && strcmp(last_name(p, in), e->name) == 0)
		good = last_ends(p, in, pid, at);
	return good && turn_count(p, in, at);
}

void prof_section_call(struct prof_inside *in, const struct recording_event *e, uint64_t offset)
{
	compute_until(in, e->begin + offset);
	if (in->computed > e->computed)		/* in a damaged recording a section is later */
		in->computed = e->computed;
	in->all_waited += e->finish - e->begin;
	in->since = e->finish + offset;
}

void prof_section_go_on(struct prof_inside *in)
{
	in->computed = 0;
}

void prof_section_end(struct prof *p, struct prof_inside *in, int pid)
{
	if (in->counts)
		spans_add(&p->counted, in->times - 1, in->since, in->since);
	while (in->n)
		last_ends(p, in, pid, in->since);
}

/* ---- All of them -------------------------------------------------------------------------- */

static int refuse_choice(const struct prof *p, char *why, size_t len)
{
	size_t at = (size_t)snprintf(why, len, "it has no section \"%.100s\"%s",
				     prof_choice.only ? prof_choice.only : prof_choice.without,
				     p->nsections ? "; there are:" : ", as it has none");

	for (size_t i = 0; i < p->nsections && at < len; i++)
		at += (size_t)snprintf(why + at, len - at, "%s \"%.100s\"", i ? "," : "",
				       p->sections[i].name);
	return -1;
}

int prof_sections_finish(struct prof *p, char *why, size_t len)
{
	bool has_chosen = false;

	for (size_t i = 0; i < p->nsections; i++) {
		p->sections[i].time = spans_time(&p->sections[i].spans);
		has_chosen |= p->sections[i].is_chosen;
	}
	if (!prof_is_part())
		return 0;
	if (!has_chosen)
		return refuse_choice(p, why, len);
	p->time = spans_time(&p->counted);
	return 0;
}

void prof_sections_free(struct prof *p)
{
	for (size_t i = 0; i < p->nsections; i++) {
		free(p->sections[i].name);
		free(p->sections[i].spans.at);
		free(p->sections[i].begun);
		free(p->sections[i].depth);
		free(p->sections[i].computed);
		free(p->sections[i].waited);
	}
	free(p->sections);
	free(p->counted.at);
}
