// SPDX-License-Identifier: BSD-3-Clause
/* prof_load.c - a recording as figures: a walk through all processes, by superstep. */

/*
 * In lockstep, so that what is needed of one superstep at a time is small. The puts that a read
 * waited for follow from the counts, as in the run: the puts to its area, of earlier supersteps,
 * since the read before it. The one that was sent last ended the wait.
 */

#include "prof_callers.h"
#include "prof_loss.h"
#include "prof_names.h"
#include "prof_section.h"

#include <stdlib.h>
#include <string.h>

enum {
	CACHE = 256,			/* a power of two */
	AREAS_MOST = 1 << 16,
	WAIT_LEAST = 2000,		/* ns: shorter waits are none */
};

#define NO_ROW UINT32_MAX

/* The last put of those that the next read of an area counts. */
struct last_put {
	uint64_t sent;
	int32_t from;			/* -1: none */
};

/* One process on its way through the recording. */
struct walker {
	struct recording_cursor cursor;
	bool present, over;
	uint64_t offset;		/* of its clock */
	struct { uint64_t key; uint32_t row; } cache[CACHE];
	struct last_put *areas;
	size_t nareas;
	struct last_put message;
	struct prof_inside inside;	/* the sections that are open */
	/* of this superstep */
	uint64_t computed, waited;
	uint64_t in, out, in_messages, out_messages;
	uint64_t sync_begin;
	uint32_t sync_row, traffic;
	size_t sync_call;
	uint64_t got;			/* bytes that came of the relaxed superstep before */
	enum recording_end end;
	bool synced, met;
	bool counts;			/* this end of a superstep does */
};

struct loader {
	struct prof *p;
	struct walker *walkers;
	struct prof_collectives *collectives;	/* of each process, in this superstep */
	uint64_t finish;		/* of the supersteps so far */
	struct prof_names row_numbers, signature_numbers;
	char signature[2048];
	bool no_memory;
};

/* ---- Rows --------------------------------------------------------------------------------- */

static void *more_of(struct loader *l, void *array, size_t n, size_t size, size_t *room)
{
	void *more = prof_more(array, n, size, room);

	l->no_memory |= !more;
	return more;
}

static uint32_t load_row(struct loader *l, enum recording_kind kind, const char *site,
			const char *name)
{
	struct prof *p = l->p;
	struct prof_row *rows = more_of(l, p->rows, p->nrows, sizeof(*rows), &p->rows_room);
	struct prof_row *r;

	if (!rows)
		return 0;
	p->rows = rows;
	r = &rows[p->nrows];
	*r = (struct prof_row){
		.kind = kind, .site = strdup(site), .name = strdup(name),
		.computed = calloc((size_t)p->nprocs, sizeof(uint64_t)),
		.waited = calloc((size_t)p->nprocs, sizeof(uint64_t)),
	};
	p->nrows++;
	l->no_memory |= !r->site || !r->name || !r->computed || !r->waited;
	return (uint32_t)(p->nrows - 1);
}

static uint32_t find_row(struct loader *l, enum recording_kind kind, const char *site,
			 const char *name)
{
	char text[2 * RECORDING_SITE_MOST + 16];
	uint32_t *number;

	snprintf(text, sizeof(text), "%u\n%s\n%s", (unsigned int)kind, name, site);
	number = prof_names_number(&l->row_numbers, text);
	l->no_memory |= !number;
	if (l->no_memory)
		return 0;
	if (*number == PROF_NO_NUMBER)
		*number = load_row(l, kind, site, name);
	return *number;
}

static uint32_t load_row_of(struct loader *l, struct walker *w, const struct recording_event *e)
{
	uint64_t key = ((uint64_t)e->site_number << 8 | e->kind) + 1;
	size_t at = (key ^ key >> 8) & (CACHE - 1);

	if (w->cache[at].key != key || e->name[0]) {
		w->cache[at].row = find_row(l, e->kind, e->site, e->name);
		w->cache[at].key = e->name[0] ? 0 : key;
	}
	return w->cache[at].row;
}

/* ---- What was sent last ------------------------------------------------------------------- */

static struct last_put *last_put_to(struct loader *l, struct walker *w, uint32_t area)
{
	struct last_put *areas;
	size_t n = w->nareas;

	if (area < n)
		return &w->areas[area];
	if (area >= AREAS_MOST)
		return NULL;
	n = 2 * n > area + 16 ? 2 * n : area + 16;
	areas = realloc(w->areas, n * sizeof(*areas));
	if (!areas) {
		l->no_memory = true;
		return NULL;
	}
	for (size_t i = w->nareas; i < n; i++)
		areas[i] = (struct last_put){ .from = -1 };
	w->areas = areas;
	w->nareas = n;
	return &areas[area];
}

static void load_put(struct loader *l, int from, uint64_t sent,
		     const struct recording_transfer *t)
{
	struct walker *to = &l->walkers[t->pid];
	struct last_put *last = t->what == RECORDING_MESSAGE ? &to->message :
				t->what == RECORDING_PUT ? last_put_to(l, to, t->area) : NULL;

	if (last && (last->from < 0 || last->sent < sent))
		*last = (struct last_put){ sent, from };
}

/* ---- Calls -------------------------------------------------------------------------------- */

static void load_call(struct loader *l, int pid, const struct prof_call *call)
{
	struct prof *p = l->p;
	struct prof_calls *c;
	struct prof_call *at;

	if (!p->calls)
		return;
	c = &p->calls[pid];
	if (c->n >= PROF_CALLS_MOST / (size_t)p->nprocs) {
		for (int q = 0; q < p->nprocs; q++)
			free(p->calls[q].at);
		free(p->calls);
		p->calls = NULL;
		return;
	}
	at = more_of(l, c->at, c->n, sizeof(*at), &c->room);
	if (!at)
		return;
	c->at = at;
	at[c->n++] = *call;
}

static bool is_collective(uint32_t kind)
{
	return kind == RECORDING_COLLECTIVE || kind == RECORDING_SCHEDULE;
}

static void keep_collective(struct loader *l, int pid, const struct prof_call *call)
{
	struct prof_collectives *c = &l->collectives[pid];
	struct prof_collective *at = more_of(l, c->at, c->n, sizeof(*at), &c->room);

	if (!at)
		return;
	c->at = at;
	at[c->n++] = (struct prof_collective){ call->begin, call->finish - call->begin,
					       call->row };
}

/* The last put or message of those that a call waits for, and no later one. */
static struct last_put take_last(struct loader *l, struct walker *w,
				 const struct recording_event *e)
{
	struct last_put *at = e->kind == RECORDING_READ ? last_put_to(l, w, e->area) :
			      e->kind == RECORDING_EXPECT ? &w->message : NULL;
	struct last_put last = { .from = -1 };

	if (at) {
		last = *at;
		at->from = -1;
	}
	return last;
}

/* For calls whose wait is known at once; that of bsp_sync is known when all have come. */
static void lose_in_call(struct loader *l, int pid, enum recording_kind kind,
			 const struct prof_call *call, const struct last_put *last)
{
	struct prof_wait wait = { .waited = call->finish - call->begin, .by = -1 };
	bool reads = kind == RECORDING_READ || kind == RECORDING_EXPECT;

	if (is_collective(kind)) {
		keep_collective(l, pid, call);
		return;
	}
	if (kind == RECORDING_SYNC)
		return;
	if (last->from >= 0 && last->from != pid && last->sent > call->begin) {
		wait.by = last->from;
		wait.late = last->sent - call->begin;
	}
	wait.messages = reads ? 1 : 2;		/* a direct get asks first */
	if (reads) {
		wait.bytes = l->walkers[pid].got;
		l->walkers[pid].got = 0;
	}
	prof_loss_add(l->p, &wait);
}

/* Computing before a call, as far as it counts; the call itself may not. */
static void count_computing(struct loader *l, int pid, const struct recording_event *e,
			    uint32_t row)
{
	struct walker *w = &l->walkers[pid];
	uint64_t computed = w->inside.computed;
	/* what the recording took is no time of other programs */
	bool busy = recording_is_short(e->processor, e->computed);

	l->p->rows[row].computed[pid] += computed;
	w->computed += computed;
	l->p->computed += computed;
	l->p->processor += !busy ? computed :
			   (uint64_t)((double)e->processor * (double)computed /
				      (double)e->computed);
}

static void count_call(struct loader *l, int pid, const struct recording_event *e, uint32_t row,
		       const struct last_put *last)
{
	struct walker *w = &l->walkers[pid];
	struct prof_row *r = &l->p->rows[row];
	struct prof_call call = {
		.begin = w->offset + e->begin, .finish = w->offset + e->finish, .from = -1,
		.row = row, .computed = w->inside.computed, .step = e->step,
		.n = e->n < UINT32_MAX ? (uint32_t)e->n : UINT32_MAX, .bytes = e->bytes,
		.caller = l->p->calls && e->caller[0] ? prof_caller_find(l->p, row, e->caller) :
							PROF_NO_CALLER,
		.sent_something = e->kind != RECORDING_SYNC,
		.what = e->kind == RECORDING_EXPECT ? RECORDING_MESSAGE : RECORDING_PUT,
	};
	uint64_t waited = e->finish - e->begin;

	if (last->from >= 0 && waited >= WAIT_LEAST && last->sent > call.begin &&
	    last->sent < call.finish) {
		call.from = last->from;
		call.sent = last->sent;
	}
	lose_in_call(l, pid, e->kind, &call, last);
	r->calls++;
	r->waited[pid] += waited;
	w->waited += waited;
	l->p->waited += waited;
	l->p->credit += e->credit;
	if (is_collective(e->kind))
		l->p->collective += waited;
	load_call(l, pid, &call);
}

static void add_to_signature(struct loader *l, const struct prof_row *r)
{
	size_t len = strlen(l->signature);

	if (len < sizeof(l->signature))
		snprintf(l->signature + len, sizeof(l->signature) - len, "%s%s %s",
			 len ? ", " : "", prof_kind_name(r), r->site);
}

/* ---- A superstep -------------------------------------------------------------------------- */

/* The call of @pid that ends this superstep, if calls are kept and it counts. */
static struct prof_call *sync_call(struct loader *l, int pid)
{
	struct walker *w = &l->walkers[pid];

	return l->p->calls && w->counts ? &l->p->calls[pid].at[w->sync_call] : NULL;
}

/* The first thing that @from sent to @to, or asked it for, in this superstep. */
static void note_sent(struct loader *l, int from, int to, struct prof_call *call)
{
	struct walker *w = &l->walkers[from];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&w->cursor, w->traffic, &n);
	for (size_t i = 0; i < n; i++)
		if (t[i].pid == (uint32_t)to) {
			call->sent_something = true;
			call->what = t[i].what;
			return;
		}
}

/* When all processes are through the superstep: what they read in it was sent before. */
static void count_traffic(struct loader *l, int pid)
{
	struct walker *w = &l->walkers[pid];
	struct prof *p = l->p;
	struct prof_call *call = sync_call(l, pid);
	uint32_t row = w->sync_row;
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&w->cursor, w->traffic, &n);
	for (size_t i = 0; i < n; i++) {
		if (call) {
			call->n += (uint32_t)t[i].calls;
			call->bytes += t[i].bytes;
		}
		if (t[i].pid != RECORDING_NO_PROCESS && t[i].what != RECORDING_GET)
			load_put(l, pid, w->sync_begin, &t[i]);
		if (!w->counts)
			continue;
		p->sent += t[i].calls;
		p->bytes += t[i].bytes;
		p->rows[row].sent += t[i].calls;
		p->rows[row].bytes += t[i].bytes;
		if (t[i].pid == RECORDING_NO_PROCESS) {
			w->out += t[i].bytes;
			w->out_messages += t[i].calls;
			continue;
		}
		if (t[i].what == RECORDING_GET) {	/* the bytes come from there */
			l->walkers[t[i].pid].out += t[i].bytes;
			w->in += t[i].bytes;
			p->matrix[(int)t[i].pid / p->per_cell * p->cells + pid / p->per_cell] +=
				t[i].bytes;
			continue;
		}
		w->out += t[i].bytes;
		w->out_messages += t[i].calls;
		l->walkers[t[i].pid].in += t[i].bytes;
		l->walkers[t[i].pid].in_messages += t[i].calls;
		p->matrix[pid / p->per_cell * p->cells + (int)t[i].pid / p->per_cell] += t[i].bytes;
	}
}

/* A call, and what was computed before it. */
static void load_event(struct loader *l, int pid, const struct recording_event *e)
{
	struct walker *w = &l->walkers[pid];
	struct last_put last = take_last(l, w, e);
	uint32_t row = NO_ROW;

	prof_section_call(&w->inside, e, w->offset);
	w->counts = w->inside.counts;
	if (w->counts || w->inside.computed)
		row = load_row_of(l, w, e);
	if (row != NO_ROW && !l->no_memory)
		count_computing(l, pid, e, row);
	if (w->counts && !l->no_memory) {
		count_call(l, pid, e, row, &last);
		if (pid == 0 || !l->walkers[0].present)
			add_to_signature(l, &l->p->rows[row]);
	}
	w->synced = e->kind == RECORDING_SYNC;
	w->sync_row = row;
	prof_section_go_on(&w->inside);
}

/* Records between calls, or beside them. */
static bool load_between(struct loader *l, int pid, const struct recording_event *e)
{
	struct walker *w = &l->walkers[pid];

	switch (e->kind) {
	case RECORDING_SECTION:
	case RECORDING_SECTION_END:
		l->no_memory |= !prof_section_turn(l->p, &w->inside, pid, e, w->offset);
		return true;
	case RECORDING_OFFLOADED:
	case RECORDING_OPERATION:
		if (w->inside.counts)
			l->no_memory |= !prof_beside_add(l->p, pid, e, w->offset);
		return true;
	default:
		return e->kind == RECORDING_SERVE;
	}
}

/* The calls of this superstep of one process, up to its bsp_sync. */
static void walk(struct loader *l, int pid)
{
	struct walker *w = &l->walkers[pid];
	struct recording_event e;

	w->synced = false;
	w->computed = w->waited = 0;
	while (!w->over && !w->synced && !l->no_memory) {
		if (!recording_next(&w->cursor, &e)) {
			w->over = true;
			prof_section_end(l->p, &w->inside, pid);
			break;
		}
		if (!load_between(l, pid, &e))
			load_event(l, pid, &e);
	}
	if (!w->synced)
		return;
	w->sync_begin = w->offset + e.begin;
	w->end = e.end;
	w->met = e.met;
	w->sync_call = l->p->calls && l->p->calls[pid].n ? l->p->calls[pid].n - 1 : 0;
	w->traffic = e.traffic;
}

/* The process that came last to its bsp_sync. */
static int last_of_all(const struct loader *l)
{
	int which = -1;

	for (int q = 0; q < l->p->nprocs; q++)
		if (l->walkers[q].synced && (which < 0 || l->walkers[q].sync_begin >=
							   l->walkers[which].sync_begin))
			which = q;
	return which;
}

/* Among process @q and its neighbours. */
static int last_neighbor(const struct loader *l, int q)
{
	const struct recording_cursor *c = &l->walkers[q].cursor;
	int which = q;

	for (size_t i = 0; i < c->nneighbors; i++) {
		const struct walker *w = &l->walkers[c->neighbors[i]];

		if (w->synced && w->sync_begin >= l->walkers[which].sync_begin)
			which = c->neighbors[i];
	}
	return which;
}

/* At bsp_end how long a process waits is not recorded, but follows from the last one. */
static void end_last(struct loader *l, int q, uint64_t last, struct prof_step *s)
{
	struct walker *w = &l->walkers[q];

	if (!w->counts)
		return;
	l->p->rows[w->sync_row].waited[q] += last - w->sync_begin;
	l->p->waited += last - w->sync_begin;
	s->waited_sum += last - w->sync_begin;
	if (s->finish < last)
		s->finish = last;
	if (l->p->calls)
		l->p->calls[q].at[w->sync_call].finish = last;
}

/* Process @q waits in its bsp_sync for process @which, the last to come; -1: for none. */
static void lose_in_sync(struct loader *l, int q, int which, const struct prof_step *s)
{
	const struct walker *w = &l->walkers[q];
	uint64_t sent = l->walkers[which < 0 ? q : which].sync_begin;
	struct prof_wait wait = {
		.waited = w->end == RECORDING_LAST ? sent - w->sync_begin :
			  w->offset + w->cursor.now - w->sync_begin,
		.by = which == q ? -1 : which, .late = sent - w->sync_begin,
		.bytes = which < 0 ? 0 : s->h, .messages = prof_messages(l->p, s),
	};

	if (w->counts)
		prof_loss_add(l->p, &wait);
}

/* A superstep ends when the last process has come, of all or of the neighbours of each. */
static void end_classic(struct loader *l, struct prof_step *s)
{
	int last = last_of_all(l);
	struct prof_call *call;

	for (int q = 0; q < l->p->nprocs; q++) {
		struct walker *w = &l->walkers[q];
		int which = w->synced && w->end == RECORDING_NEIGHBORS ? last_neighbor(l, q) : last;
		uint64_t sent = l->walkers[which].sync_begin;

		if (!w->synced)
			continue;
		lose_in_sync(l, q, which, s);
		if (w->end == RECORDING_LAST)
			end_last(l, q, sent, s);
		call = sync_call(l, q);
		if (call && q != which && w->sync_begin + WAIT_LEAST < sent) {
			call->from = which;
			call->sent = sent;
			note_sent(l, which, q, call);
		}
	}
}

static uint32_t signature_number(struct loader *l)
{
	struct prof *p = l->p;
	uint32_t *number = prof_names_number(&l->signature_numbers, l->signature);
	char **more;

	l->no_memory |= !number;
	if (l->no_memory || *number != PROF_NO_NUMBER)
		return l->no_memory ? 0 : *number;
	more = more_of(l, p->signatures, p->nsignatures, sizeof(*more), &p->signatures_room);
	if (!more)
		return 0;
	p->signatures = more;
	more[p->nsignatures] = strdup(l->signature);
	l->no_memory |= !more[p->nsignatures];
	*number = (uint32_t)p->nsignatures++;
	return *number;
}

static void add_up(struct loader *l, struct prof_step *s)
{
	for (int q = 0; q < l->p->nprocs; q++) {
		struct walker *w = &l->walkers[q];
		uint64_t bytes = w->in > w->out ? w->in : w->out;
		uint64_t messages = w->in_messages > w->out_messages ? w->in_messages :
								      w->out_messages;

		if (s->h < bytes)
			s->h = bytes;
		if (s->h_messages < messages)
			s->h_messages = messages;
		w->got = w->synced && w->end == RECORDING_RELAXED ? w->in : 0;
		w->in = w->out = w->in_messages = w->out_messages = 0;
		if (w->synced && l->finish < w->offset + w->cursor.now)
			l->finish = w->offset + w->cursor.now;
		if (!w->synced || !w->counts)
			continue;
		s->computed_sum += w->computed;
		s->waited_sum += w->waited;
		if (s->computed_most < w->computed)
			s->computed_most = w->computed;
		if (s->finish < w->offset + w->cursor.now)
			s->finish = w->offset + w->cursor.now;
		s->relaxed |= w->end == RECORDING_RELAXED;
		s->among_neighbors |= w->end == RECORDING_NEIGHBORS;
		s->met |= w->met;
		if (s->row == NO_ROW) {
			s->row = w->sync_row;
			s->caller = l->p->calls ? sync_call(l, q)->caller : PROF_NO_CALLER;
		}
	}
	if (s->row < l->p->nrows)
		l->p->rows[s->row].h += s->h;
}

/* False when no process goes on. */
static bool load_step(struct loader *l)
{
	struct prof *p = l->p;
	struct prof_step *steps, s = {
		.row = NO_ROW, .caller = PROF_NO_CALLER, .begin = l->finish,
	};
	bool some = false, counts = false;

	l->signature[0] = '\0';
	for (int q = 0; q < p->nprocs; q++)
		walk(l, q);
	for (int q = 0; q < p->nprocs && !l->no_memory; q++)
		if (l->walkers[q].synced) {
			count_traffic(l, q);
			some = true;
			counts |= l->walkers[q].counts;
		}
	if (!some || l->no_memory)
		return false;
	add_up(l, &s);
	prof_loss_collectives(p, l->collectives);
	if (!s.relaxed)
		end_classic(l, &s);
	for (int q = 0; q < p->nprocs && s.relaxed; q++)
		if (l->walkers[q].synced)
			lose_in_sync(l, q, -1, &s);
	if (!counts)
		return true;
	s.signature = signature_number(l);
	steps = more_of(l, p->steps, p->nsteps, sizeof(*steps), &p->steps_room);
	if (!steps)
		return false;
	p->steps = steps;
	steps[p->nsteps++] = s;
	return true;
}

/* ---- Sums --------------------------------------------------------------------------------- */

static void add_sums(struct loader *l, int pid)
{
	const struct recording_head *h = &l->p->recording.parts[pid].head;
	struct recording_cursor *c = &l->walkers[pid].cursor;

	for (uint64_t i = 0; i < h->nsums; i++) {
		const struct recording_sum *s = &h->sums[i];
		const char *site = s->site < c->nsites ? c->sites[s->site] : "";
		const char *name = s->name < c->nsites ? c->sites[s->name] : "";
		struct prof_row *r;
		uint32_t row;

		if (s->kind <= RECORDING_TRAFFIC || s->kind >= RECORDING_KINDS)
			continue;
		row = find_row(l, s->kind, site, name);
		if (l->no_memory)
			return;
		r = &l->p->rows[row];	/* not before: rows may have moved */
		r->calls += s->calls;
		r->computed[pid] += s->computed;
		r->waited[pid] += s->waited;
		r->sent += s->sent;
		r->bytes += s->bytes;
		l->p->computed += s->computed;
		l->p->processor += s->computed;
		l->p->waited += s->waited;
		l->p->collective += is_collective(s->kind) ? s->waited : 0;
		l->p->sent += s->sent;
		l->p->bytes += s->bytes;
		l->walkers[pid].cursor.now += s->computed + s->waited;
	}
	if (h->nsums && h->steps > l->p->nsteps + l->p->summed)
		l->p->summed = h->steps - l->p->nsteps;
}

/* ---- Opening ------------------------------------------------------------------------------ */

static bool prepare(struct loader *l)
{
	struct prof *p = l->p;
	uint64_t axis = recording_axis(&p->recording);

	p->nprocs = p->recording.nprocs;
	p->per_cell = (p->nprocs + PROF_CELLS - 1) / PROF_CELLS;
	p->cells = (p->nprocs + p->per_cell - 1) / p->per_cell;
	p->matrix = calloc((size_t)p->cells * (size_t)p->cells, sizeof(*p->matrix));
	p->calls = calloc((size_t)p->nprocs, sizeof(*p->calls));
	p->runs = calloc((size_t)p->nprocs, sizeof(*p->runs));
	p->operations = calloc((size_t)p->nprocs, sizeof(*p->operations));
	p->path = calloc((size_t)p->nprocs, sizeof(*p->path));
	p->loss.late_by = calloc((size_t)p->nprocs, sizeof(*p->loss.late_by));
	l->walkers = calloc((size_t)p->nprocs, sizeof(*l->walkers));
	l->collectives = calloc((size_t)p->nprocs, sizeof(*l->collectives));
	if (!p->matrix || !p->calls || !p->runs || !p->operations || !p->path ||
	    !p->loss.late_by || !l->walkers || !l->collectives)
		return false;
	for (int q = 0; q < p->nprocs; q++) {
		struct walker *w = &l->walkers[q];

		recording_begin(&w->cursor, &p->recording.parts[q]);
		w->cursor.with_sections = true;
		w->present = p->recording.parts[q].head.nprocs;
		w->over = !w->present;
		w->offset = recording_began(&p->recording, q, axis);
		w->message.from = -1;
	}
	for (int q = 0; q < p->nprocs; q++)
		if (l->walkers[q].present &&
		    !prof_inside_begin(p, &l->walkers[q].inside, l->walkers[q].offset))
			return false;
	return true;
}

static void note_damage(struct loader *l, int pid)
{
	const struct recording_cursor *c = &l->walkers[pid].cursor;

	if (l->p->recording.cut_off && !l->p->damage[0])
		snprintf(l->p->damage, sizeof(l->p->damage), "the end of the file is missing");
	if (c->wrong && !l->p->damage[0])
		snprintf(l->p->damage, sizeof(l->p->damage),
			 "of process %d, superstep %u on: %s", pid, c->step, c->wrong);
}

static void finish_loading(struct loader *l)
{
	struct prof *p = l->p;

	for (int q = 0; q < p->nprocs; q++) {
		struct walker *w = &l->walkers[q];

		if (w->present && !prof_is_part())
			add_sums(l, q);
		note_damage(l, q);
		prof_beside_sort(p, q);
		if (p->time < w->offset + w->cursor.now)
			p->time = w->offset + w->cursor.now;
	}
	if (p->nsteps && p->time < p->steps[p->nsteps - 1].finish)
		p->time = p->steps[p->nsteps - 1].finish;
	p->length = p->time;
}

static void loader_free(struct loader *l)
{
	for (int q = 0; l->walkers && q < l->p->nprocs; q++) {
		recording_end(&l->walkers[q].cursor);
		free(l->walkers[q].areas);
		prof_inside_free(&l->walkers[q].inside);
	}
	for (int q = 0; l->collectives && q < l->p->nprocs; q++)
		free(l->collectives[q].at);
	free(l->walkers);
	free(l->collectives);
	prof_names_free(&l->row_numbers);
	prof_names_free(&l->signature_numbers);
}

int prof_load(struct prof *p, const char *path, char *why, size_t len)
{
	struct loader l = { .p = p };
	int err;

	*p = (struct prof){ .nprocs = 0 };
	if (recording_open(&p->recording, path, why, len))
		return -1;
	l.no_memory = !prepare(&l);
	while (!l.no_memory && load_step(&l))
		;
	if (!l.no_memory)
		finish_loading(&l);
	loader_free(&l);
	err = l.no_memory ? 0 : prof_sections_finish(p, why, len);
	if (!l.no_memory && !err) {
		l.no_memory = !prof_callers_add_up(p);
		prof_find_path(p);
		prof_callers_sort(p);
	}
	if (l.no_memory || (!err && !prof_grow_tree(p)))
		err = snprintf(why, len, "there is no memory for it");
	if (err)
		prof_free(p);
	return err ? -1 : 0;
}

void prof_free(struct prof *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		free(p->rows[i].site);
		free(p->rows[i].name);
		free(p->rows[i].computed);
		free(p->rows[i].waited);
	}
	for (size_t i = 0; i < p->nsignatures; i++)
		free(p->signatures[i]);
	for (int q = 0; p->calls && q < p->nprocs; q++)
		free(p->calls[q].at);
	prof_callers_free(p);
	prof_beside_free(p);
	prof_tree_free(&p->tree);
	prof_sections_free(p);
	free(p->rows);
	free(p->signatures);
	free(p->calls);
	free(p->steps);
	free(p->matrix);
	free(p->path);
	free(p->points);
	free(p->loss.late_by);
	recording_close(&p->recording);
	*p = (struct prof){ .nprocs = 0 };
}
