// SPDX-License-Identifier: BSD-3-Clause
/* prof_graph.c - a recording as a GOAL graph: computing, messages, and what waits for what. */

/*
 * The messages are those that the library sends: for each superstep a chunk to each process that
 * something goes to (all that is put, sent and asked for), cut at the transport's size of chunks;
 * answers to gets; and for a barrier rounds of dissemination beside them, of which with two
 * processes there is one that the chunk itself is. Among neighbours a chunk goes to each of them,
 * and no rounds; rounds of their own come before a barrier where processes with lists meet (of
 * which the notes to neighbours are left out, as no process waits for them).
 *
 * All processes are walked through by superstep. First come the calls of each up to its bsp_sync,
 * with what it sends there; then, when all sends are known, what each receives: in a
 * barrier at once, in a relaxed superstep where a read or an expect counts it.
 *
 * By the rules of LogGOPSim a message keeps the receiver's processor busy for all of its bytes,
 * and a send does not begin before its interface is free. Chunks do neither: an interface takes
 * them in, and a queue of it sends them. So a chunk is sent and received on a processor of its
 * own, one for each sender; chunks still meet at the interface, and a process that sends one goes
 * on after the overhead. Chunks that keep their receiver from computing are left
 * out. Rounds of a barrier are messages that the process itself waits for.
 */

#include "prof_builder.h"

#include "bsplib/model/network.h"
#include "common/emulated.h"
#include "common/progress.h"
#include "goal/sim/goal_sim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ROUND_BYTES = 16,		/* of a message of a barrier, and for each process ... */
	COUNT_BYTES = 2,
	MEETING_BYTES = 80,		/* heads of chunk and record, note and struct meet_note */
	CHUNK_LEAST = 1024,
};

static bool is_published(enum prof_form form)
{
	return form == PROF_ORG || form == PROF_REL;
}

/* ---- Calls -------------------------------------------------------------------------------- */

static void await_fragments(struct builder *b, struct actor *a, struct waiting *w)
{
	for (size_t i = 0; i < w->n; i++) {
		prof_receive_fragment(b, &b->fragments[w->fragments[i]]);
		prof_await(a, b->fragments[w->fragments[i]].received);
	}
	w->n = 0;
}

/* Dissemination, of processes that all wait. */
static void exchange_rounds(struct builder *b, struct actor *a, int pid, uint64_t bytes,
			    uint32_t tag)
{
	for (int distance = 1; distance < b->r->nprocs; distance *= 2) {
		int to = (pid + distance) % b->r->nprocs;
		int from = (pid - distance + b->r->nprocs) % b->r->nprocs;

		prof_send_all(b, a, to, bytes, tag);
		prof_await(a, prof_receive_all(b, a, from, bytes, tag));
	}
}

static bool is_at_site(const struct builder *b, const struct recording_event *e)
{
	return b->site && strcmp(b->site, e->site) == 0;
}

/* It waits, unless that is what the variant leaves out. */
static void graph_read(struct builder *b, struct actor *a, struct waiting *w, bool waits)
{
	if (w && waits)
		await_fragments(b, a, w);
	else if (w)
		w->n = 0;
}

static void graph_call(struct builder *b, int pid, const struct recording_event *e)
{
	struct actor *a = &b->actors[pid];
	bool reads = b->form == PROF_AS_RECORDED || (b->form == PROF_REL && b->has_relaxed);

	prof_compute(b, a, e->program);
	switch (e->kind) {
	case RECORDING_READ:
		graph_read(b, a, reads ? prof_area_of(b, a, e->area) : NULL, !is_at_site(b, e));
		break;
	case RECORDING_EXPECT:
		graph_read(b, a, reads ? &a->messages : NULL, !is_at_site(b, e));
		break;
	case RECORDING_COLLECTIVE:
		if (e->bytes)
			exchange_rounds(b, a, pid, e->bytes,
					prof_tag(a->collectives++, TAG_COLLECTIVE));
		break;
	case RECORDING_SCHEDULE:
	case RECORDING_DIRECT_GET:
		prof_compute(b, a, e->finish - e->begin);
		break;
	default:
		break;
	}
}

/* ---- A superstep -------------------------------------------------------------------------- */

/* As the program may have a bsp_sync at another line for each process, process 0 decides. */
static bool is_relaxed_by_variant(const struct builder *b)
{
	return b->form == PROF_RELAXED || (b->form == PROF_REL && !b->has_relaxed) ||
	       b->actors[0].at_site;
}

/* All that is sent to it in the superstep is there at its end, with a barrier or neighbours. */
static bool is_classic(const struct builder *b, const struct actor *a)
{
	if (b->form == PROF_CLASSIC || a->end == RECORDING_LAST)
		return true;
	return !is_relaxed_by_variant(b) && a->end != RECORDING_RELAXED;
}

/* In PROF_NEIGHBORS the list takes effect with the end of the first superstep. */
static bool has_list(const struct builder *b)
{
	return b->form == PROF_NEIGHBORS && b->step > 0;
}

static bool is_among_neighbors(const struct builder *b, const struct actor *a)
{
	if (!is_classic(b, a) || a->end == RECORDING_LAST || b->form == PROF_CLASSIC)
		return false;
	return b->form == PROF_NEIGHBORS ? has_list(b) && !a->alike : a->end == RECORDING_NEIGHBORS;
}

static bool has_barrier(const struct builder *b, const struct actor *a)
{
	return is_classic(b, a) && !is_among_neighbors(b, a);
}

/* Do the processes meet before the barrier? */
static bool meets(const struct builder *b, const struct actor *a)
{
	if (b->form == PROF_NEIGHBORS)
		return has_list(b) && has_barrier(b, a) && !a->relaxed;
	return b->form != PROF_CLASSIC && !is_relaxed_by_variant(b) && a->met;
}

static const int *graph_neighbors(const struct builder *b, int pid, size_t *n)
{
	if (b->form == PROF_NEIGHBORS)
		return prof_neighbors_of(&b->neighbors, pid, n);
	*n = b->actors[pid].cursor.nneighbors;
	return b->actors[pid].cursor.neighbors;
}

/* Its puts are asked for, and travel when they are granted. */
static bool asks(const struct builder *b, const struct actor *a)
{
	return b->form == PROF_REL && !is_classic(b, a);
}

/* With two processes the chunk ends the barrier, and there is always one. */
static bool is_direct(const struct builder *b)
{
	return b->r->nprocs == 2;
}

static uint64_t bytes_in_chunk(const struct builder *b, const struct actor *a,
			       const struct recording_transfer *t)
{
	if (t->what == RECORDING_PUT && asks(b, a))
		return 0;
	return t->calls * RECORD_HEAD + (t->what == RECORDING_GET ? 0 : t->bytes);
}

/* A chunk with the word that ends the superstep, also if it carries nothing else. */
static void pack_for_neighbors(struct builder *b, int pid)
{
	size_t n;
	const int *pids = graph_neighbors(b, pid, &n);

	for (size_t i = 0; i < n && !b->wrong; i++)
		prof_fragment_between(b, pid, pids[i]);
}

/* In relaxed supersteps: which read is to wait for it. */
static void note_areas(struct builder *b, int pid)
{
	struct actor *a = &b->actors[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&a->cursor, a->traffic, &n);
	for (size_t i = 0; i < n && !b->wrong; i++) {
		struct actor *to = &b->actors[t[i].pid];
		struct waiting *w;

		if ((int)t[i].pid == pid || t[i].what == RECORDING_GET ||
		    (t[i].what == RECORDING_PUT && asks(b, a)))
			continue;
		w = t[i].what == RECORDING_MESSAGE ? &to->messages : prof_area_of(b, to, t[i].area);
		if (w)
			prof_wait_for(b, w, (size_t)(prof_fragment_between(b, pid, (int)t[i].pid) -
						b->fragments));
	}
}

static void walk_to_sync(struct builder *b, int pid)
{
	struct actor *a = &b->actors[pid];
	struct recording_event e;

	a->synced = a->at_site = false;
	while (!a->over && !a->synced) {
		if (!recording_next(&a->cursor, &e)) {
			a->over = true;
			return;
		}
		graph_call(b, pid, &e);
		if (e.kind != RECORDING_SYNC)
			continue;
		a->synced = true;
		a->at_site = is_at_site(b, &e);
		a->end = e.end;
		a->alike = e.alike;
		a->met = e.met;
		if (!a->alike && a->end != RECORDING_LAST)
			a->relaxed = a->end == RECORDING_RELAXED;
		a->traffic = e.traffic;
	}
}

static void send_fragments(struct builder *b)
{
	for (size_t i = b->first; i < b->nfragments; i++) {
		const struct fragment *p = &b->fragments[i];

		if (!p->asked)
			prof_send_all(b, &b->actors[p->from], p->to, p->bytes,
				      prof_tag(p->step, TAG_DATA));
	}
}

static void await_barriers(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs && !is_direct(b); q++)
		if (b->actors[q].synced && has_barrier(b, &b->actors[q]))
			exchange_rounds(b, &b->actors[q], q,
					ROUND_BYTES + COUNT_BYTES * (uint64_t)b->r->nprocs,
					prof_tag(b->step, TAG_ROUND));
}

/* At once: with a barrier, or as if all that was sent were read after it. */
static void receive_now(struct builder *b)
{
	for (size_t i = b->first; i < b->nfragments; i++) {
		struct fragment *p = &b->fragments[i];
		struct actor *a = &b->actors[p->to];

		if (!is_classic(b, a) && !is_relaxed_by_variant(b))
			continue;
		prof_receive_fragment(b, p);
		prof_await(a, p->received);
	}
}

/* A classic superstep leaves nothing that could still be read. */
static void forget_waiting(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs; q++) {
		struct actor *a = &b->actors[q];

		if (!a->synced || !is_classic(b, a))
			continue;
		await_fragments(b, a, &a->messages);
		for (size_t i = 0; i < a->nareas; i++)
			await_fragments(b, a, &a->areas[i]);
	}
}

static bool is_too_large(const struct builder *b)
{
	uint64_t ops = 0;

	for (int q = 0; q < b->r->nprocs; q++)
		ops += (uint64_t)goal_nops(b->actors[q].graph);
	return ops > OPS_MOST;
}

static void await_meetings(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs; q++)
		if (b->actors[q].synced && meets(b, &b->actors[q]))
			exchange_rounds(b, &b->actors[q], q, MEETING_BYTES,
					prof_tag(b->step, TAG_MEET));
}

/* From bsp_sync on, as this library does it; of PROF_REL with requests for puts. */
static void end_as_library(struct builder *b)
{
	for (int q = 0; q < b->r->nprocs && !b->wrong; q++) {
		if (!b->actors[q].synced)
			continue;
		prof_pack(b, q, bytes_in_chunk);
		if (!b->wrong && is_direct(b) && has_barrier(b, &b->actors[q]))
			prof_fragment_between(b, q, 1 - q);
		if (!b->wrong && is_among_neighbors(b, &b->actors[q]))
			pack_for_neighbors(b, q);
		if (!b->wrong && !is_relaxed_by_variant(b) && !is_classic(b, &b->actors[q]))
			note_areas(b, q);
	}
	for (int q = 0; q < b->r->nprocs && !b->wrong; q++)
		if (b->actors[q].synced && asks(b, &b->actors[q]))
			prof_ask(b, q);
	if (b->wrong)
		return;
	await_meetings(b);
	send_fragments(b);
	prof_grant(b);
	await_barriers(b);
	receive_now(b);
	prof_answer_gets(b);
	forget_waiting(b);
}

/* False at the end. */
static bool add_step(struct builder *b)
{
	bool some = false;

	for (int q = 0; q < b->r->nprocs; q++) {
		walk_to_sync(b, q);
		some |= b->actors[q].synced;
	}
	b->first = b->nfragments;
	if (b->form == PROF_ORG)
		prof_end_org(b);
	else
		end_as_library(b);
	if (!b->wrong && is_too_large(b))
		b->wrong = PROF_TOO_LONG;
	b->step++;
	return some && !b->wrong;
}

/* ---- The graph ---------------------------------------------------------------------------- */

static const char *find_neighbors(struct builder *b)
{
	if (!prof_neighbors_find(&b->neighbors, b->r))
		return "there is no memory for the graph";
	return prof_neighbors_limit(&b->neighbors) ? NULL :
		"each process exchanges with all others";
}

static bool builder_open(struct builder *b)
{
	b->actors = b->r->nprocs > 0 ? calloc((size_t)b->r->nprocs, sizeof(*b->actors)) : NULL;
	if (!b->actors)
		return false;
	for (int q = 0; q < b->r->nprocs; q++) {
		recording_begin(&b->actors[q].cursor, &b->r->parts[q]);
		b->actors[q].last = -1;
		b->actors[q].graph = goal_graph_create(b->r->nprocs, q);
		if (!b->actors[q].graph)
			return false;
	}
	return true;
}

static void builder_close(struct builder *b)
{
	for (int q = 0; b->actors && q < b->r->nprocs; q++) {
		struct actor *a = &b->actors[q];

		recording_end(&a->cursor);
		for (size_t i = 0; i < a->nareas; i++)
			free(a->areas[i].fragments);
		free(a->areas);
		free(a->messages.fragments);
		if (a->graph)
			goal_graph_destroy(a->graph);
	}
	free(b->actors);
	free(b->fragments);
	prof_neighbors_free(&b->neighbors);
}

static const char *compile_all(struct builder *b, struct goal_set *set)
{
	set->nprocs = b->r->nprocs;
	set->block = calloc((size_t)set->nprocs, sizeof(*set->block));
	set->len = calloc((size_t)set->nprocs, sizeof(*set->len));
	if (!set->block || !set->len)
		return "there is no memory for the graph";
	for (int q = 0; q < set->nprocs; q++) {
		set->block[q] = goal_compile(b->actors[q].graph, &set->len[q]);
		if (!set->block[q])
			return "there is no memory for the graph, or it is too long";
		goal_graph_destroy(b->actors[q].graph);
		b->actors[q].graph = NULL;
	}
	return NULL;
}

/* A graph needs every message, of all processes to the end. */
static const char *is_whole(const struct recording *r)
{
	if (r->present < r->nprocs || r->note[0] || r->cut_off)
		return "the run did not come to its end";
	for (int q = 0; q < r->nprocs; q++)
		if (r->parts[q].head.nsums || r->parts[q].head.summed)
			return "some of it did not fit (BSP_RECORD_LIMIT)";
	return NULL;
}

/* Does process 0 end a superstep without a barrier? All do as it does. */
static bool has_relaxed_steps(const struct recording *r)
{
	struct recording_cursor cursor;
	struct recording_event e;
	bool some = false;

	recording_begin(&cursor, &r->parts[0]);
	while (!some && recording_next(&cursor, &e))
		some = e.kind == RECORDING_SYNC && e.end == RECORDING_RELAXED;
	recording_end(&cursor);
	return some;
}

int prof_graph(const struct recording *r, const struct prof_variant *v,
	       const struct prof_network *net, struct goal_set *set, char *why, size_t len)
{
	struct builder b = {
		.r = r, .form = v->form, .apart = is_published(v->form), .site = v->site,
		.net = net, .wrong = is_whole(r),
		.chunk = r->first->chunk < CHUNK_LEAST ? CHUNK_LEAST : r->first->chunk,
	};

	*set = (struct goal_set){ .nprocs = 0 };
	if (!b.wrong && b.form == PROF_NEIGHBORS)
		b.wrong = find_neighbors(&b);
	if (!b.wrong && !builder_open(&b))
		b.wrong = "there is no memory for the graph";
	b.has_relaxed = !b.wrong && b.form == PROF_REL && has_relaxed_steps(r);
	while (!b.wrong && add_step(&b))
		;
	for (int q = 0; b.actors && !b.wrong && q < r->nprocs; q++)
		b.wrong = b.actors[q].cursor.wrong;
	/* chunks that no read ever counted are received, too */
	for (size_t i = 0; i < b.nfragments && !b.wrong; i++)
		prof_receive_fragment(&b, &b.fragments[i]);
	if (!b.wrong)
		b.wrong = compile_all(&b, set);
	builder_close(&b);
	if (!b.wrong)
		return 0;
	snprintf(why, len, "%s", b.wrong);
	goal_set_free(set);
	return -1;
}

/* ---- Networks ----------------------------------------------------------------------------- */

/* How many times its processor time computing took where it was recorded; 0: it took none. */
static double cpu_of(const struct recording *r)
{
	struct emulated net;
	char why[160];

	if (!r->first->virtual_clock)
		return 1;
	return emulated_parse(r->first->emulate, &net, why, sizeof(why)) ? 1 : net.cpu;
}

static int network_parse(const char *text, struct emulated *emu, char *why, size_t len)
{
	char given[BSPI_EMULATE_MOST];

	return bspi_network_text(text, given, sizeof(given), why, len) < 0 ||
	       emulated_parse(given, emu, why, len) ? -1 : 0;
}

int prof_network_check(const char *text, char *why, size_t len)
{
	struct emulated emu;

	return network_parse(text, &emu, why, len);
}

int prof_network_read(const struct recording *r, const char *text, struct prof_network *net,
		      char *why, size_t len)
{
	double own = cpu_of(r);
	struct emulated emu;

	if (network_parse(text, &emu, why, len))
		return -1;
	*net = (struct prof_network){
		emu.L, emu.o, emu.g, emu.G, own > 0 ? emu.cpu / own : 1, true,
		emu.fabric || emu.bisection,
	};
	return 0;
}

int prof_network_own(const struct recording *r, struct prof_network *net, char *why, size_t len)
{
	const struct recording_head *h = r->first;

	if (h->virtual_clock && h->emulate[0])
		return prof_network_read(r, h->emulate, net, why, len);
	*net = (struct prof_network){
		(uint64_t)(h->L * 1e3), (uint64_t)(h->o * 1e3), (uint64_t)(h->g * 1e3),
		(uint64_t)(h->G * 1e3), 1, true, false,
	};
	return 0;
}

/* ---- Prediction --------------------------------------------------------------------------- */

/* @apart: the graph has the overheads of receipts. */
static int graph_simulate(const struct goal_set *set, const struct prof_network *net, bool apart,
			uint64_t *ps, char *why, size_t len)
{
	const struct goal_net goal = {
		.L = net->L, .o = net->o, .g = net->g, .G = net->G, .S = UINT64_MAX,
		.has_r = apart,
	};
	struct goal_source *source = goal_source_of(set);
	uint64_t *finish = calloc((size_t)set->nprocs, sizeof(*finish));
	struct progress progress;
	const struct goal_sim_watch watch = {
		.owner = &progress,
		.progress = isatty(STDERR_FILENO) ? progress_show : NULL,
	};
	int err = -1;

	progress_begin(&progress);
	snprintf(why, len, "there is no memory for the simulation");
	if (source && finish)
		err = goal_sim(source, &goal, &watch, finish, why, len);
	*ps = 0;
	for (int q = 0; !err && q < set->nprocs; q++)
		if (*ps < finish[q])
			*ps = finish[q];
	free(finish);
	free(source);
	return err;
}

int prof_predict(const struct recording *r, const struct prof_variant *v,
		 const struct prof_network *net, uint64_t *ps, char *why, size_t len)
{
	struct goal_set set;
	int err;

	if (net->shared) {
		snprintf(why, len, "a network with switch= or bisection= is not predicted, as "
				   "messages wait there for each other");
		return -1;
	}
	err = prof_graph(r, v, net, &set, why, len);
	if (err)
		return err;
	err = graph_simulate(&set, net, is_published(v->form), ps, why, len);
	goal_set_free(&set);
	return err;
}
