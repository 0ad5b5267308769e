// SPDX-License-Identifier: BSD-3-Clause
/* prof_archive.c - a recording as an archive in the Open Trace Format 2: what each process does. */

/*
 * A walk through all processes by superstep. A cursor of each process goes ahead to the end of the
 * superstep, and finds what is sent in it; then the events of the superstep are written, process by
 * process. Archives have a file and a buffer for each process, so only GROUP processes are written
 * in one walk, and there are as many walks as groups. Kept are one superstep of traffic, and what
 * is under way to processes that are ahead of its senders: beside the tables of the cursors nothing
 * grows with the run.
 *
 * Puts, gets and messages are written as a send and a receipt, as messages of MPI are: viewers draw
 * these as arrows, and Scalasca finds late senders in them, while it skips the events of one-sided
 * communication. One pair stands for all that a process has in a superstep for one area of one
 * other, as the recording has no more, with the number of calls as an attribute.
 *
 *	put, message	from the beginning of the bsp_sync of its superstep, when it leaves ...
 *			... to the end of the call that takes it in: in a superstep with a barrier
 *			that bsp_sync; else the first bsp_sync that ends after it was sent, or
 *			bsp_read or bsp_expect of a later superstep
 *	get		from the owner, in its bsp_sync, when both have come to it, to the end of
 *			that of the process that asked
 *
 * So between two processes what is sent first is received first, as readers expect. A barrier is a
 * collective operation, from the beginning of each bsp_sync until the last process has come; its
 * messages are received behind it.
 */

#include "prof_archive.h"
#include "prof.h"

#include "transport/transport.h"

#include <stdlib.h>
#include <string.h>

enum {
	GROUP = 128,
	MISSING_MOST = 4096,		/* processes without a part have files, too */
	REGIONS_CACHE = 256,		/* a power of two */
};

/* Something on its way to a process; or, if it is an answer to a get, to be sent by it. */
struct archive_arrival {
	uint64_t sent;
	uint32_t step;
	struct archive_message message;
};

struct archive_queue {
	struct archive_arrival *at;
	size_t n, room;
};

/* One process on its way through the recording. */
struct archive_process {
	struct recording_cursor ahead, cursor;
	bool over, is_written;
	uint64_t began;			/* bsp_begin, on the axis of all */
	uint64_t now;			/* of the last event that is written */
	/* the end of this superstep, where the cursor ahead is */
	bool synced;
	enum recording_end end;
	uint64_t sync_begin, sync_finish;
	uint32_t traffic;
	struct archive_queue arrivals, answers;
	uint32_t *open;			/* sections, the last to begin last */
	size_t nopen, open_room;
	struct { uint64_t key; uint32_t region; } cache[REGIONS_CACHE];
};

struct archiver {
	const struct archive_ops *ops;
	struct archive *archive;
	const struct recording *r;
	struct archive_process *processes;
	struct archive_region *regions;
	size_t nregions, regions_room;
	int32_t *nodes;			/* of each process; -1: not known */
	char (*node_names)[ARCHIVE_NODE_NAME];	/* of its machine at first */
	struct prof_names region_numbers;	/* by role and name */
	uint64_t axis, last;		/* the last process to come to the end of this superstep */
	uint64_t length;
	uint32_t step, run, computing;	/* the superstep; regions */
	bool no_memory;
	char about[800];
};

/* ---- Regions ------------------------------------------------------------------------------ */

/* "heat.c:76" is line 76 of heat.c; other texts are files without lines. */
static bool set_place(struct archive_region *g, const char *site)
{
	const char *colon = strrchr(site, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
	bool has_line = digits > 0 && digits < 9 && !colon[1 + digits];

	g->file = strndup(site, has_line ? (size_t)(colon - site) : strlen(site));
	g->line = has_line ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
	return g->file;
}

static uint32_t add_region(struct archiver *a, enum archive_role role, const char *name,
			   const char *call, const char *site)
{
	struct archive_region *more = prof_more(a->regions, a->nregions, sizeof(*more),
						&a->regions_room);
	struct archive_region *g;

	if (!more) {
		a->no_memory = true;
		return 0;
	}
	a->regions = more;
	g = &more[a->nregions];
	*g = (struct archive_region){ .role = role, .name = strdup(name), .call = strdup(call) };
	a->no_memory |= !g->name || !g->call || !set_place(g, site);
	return (uint32_t)a->nregions++;
}

static uint32_t find_region(struct archiver *a, enum archive_role role, const char *name,
			    const char *call, const char *site)
{
	char text[2 * RECORDING_SITE_MOST + 32];
	uint32_t *number;

	snprintf(text, sizeof(text), "%u\n%s", (unsigned int)role, name);
	number = prof_names_number(&a->region_numbers, text);
	a->no_memory |= !number;
	if (a->no_memory)
		return 0;
	if (*number == PROF_NO_NUMBER)
		*number = add_region(a, role, name, call, site);
	return *number;
}

static enum archive_role role_of(enum recording_kind kind)
{
	switch (kind) {
	case RECORDING_SYNC:
		return ARCHIVE_SYNC;
	case RECORDING_READ:
	case RECORDING_EXPECT:
	case RECORDING_DIRECT_GET:
		return ARCHIVE_READ;
	case RECORDING_COLLECTIVE:
		return ARCHIVE_COLLECTIVE;
	case RECORDING_SCHEDULE:
		return ARCHIVE_SCHEDULE;
	default:
		return ARCHIVE_OTHER;
	}
}

static uint32_t region_of_call(struct archiver *a, const struct recording_event *e)
{
	const char *call = prof_call_name(e->kind, e->name);
	char name[2 * RECORDING_SITE_MOST + 2];

	snprintf(name, sizeof(name), "%s%s%s", call, e->site[0] ? " " : "", e->site);
	return find_region(a, role_of(e->kind), name, call, e->site);
}

/* The same, sooner: a call that has no name of its own, at a site that was there before. */
static uint32_t region_of(struct archiver *a, struct archive_process *p,
			  const struct recording_event *e)
{
	uint64_t key = ((uint64_t)e->site_number << 8 | e->kind) + 1;
	size_t at = (key ^ key >> 8) & (REGIONS_CACHE - 1);

	if (e->name[0])
		return region_of_call(a, e);
	if (p->cache[at].key != key) {
		p->cache[at].region = region_of_call(a, e);
		p->cache[at].key = key;
	}
	return p->cache[at].region;
}

static void free_regions(struct archiver *a)
{
	for (size_t i = 0; i < a->nregions; i++) {
		free(a->regions[i].name);
		free(a->regions[i].call);
		free(a->regions[i].file);
	}
	free(a->regions);
	prof_names_free(&a->region_numbers);
}

/* ---- Events ------------------------------------------------------------------------------- */

/* Times never go back, whatever a damaged recording has. */
static uint64_t not_before(struct archive_process *p, uint64_t at)
{
	if (p->now < at)
		p->now = at;
	return p->now;
}

static uint64_t clip_time(uint64_t at, uint64_t least, uint64_t most)
{
	return at < least ? least : at > most ? most : at;
}

static void compute_to(struct archiver *a, int pid, uint64_t at)
{
	struct archive_process *p = &a->processes[pid];

	if (at <= p->now)
		return;
	a->ops->enter(a->archive, pid, p->now, a->computing, NULL);
	a->ops->leave(a->archive, pid, not_before(p, at), a->computing);
}

static void archive_section_begins(struct archiver *a, int pid, const struct recording_event *e)
{
	struct archive_process *p = &a->processes[pid];
	uint32_t *more = prof_more(p->open, p->nopen, sizeof(*more), &p->open_room);
	uint32_t region = find_region(a, ARCHIVE_SECTION, e->name, e->name, e->site);

	a->no_memory |= !more;
	if (a->no_memory)
		return;
	p->open = more;
	more[p->nopen++] = region;
	a->ops->enter(a->archive, pid, p->now, region, NULL);
}

/* An end without its beginning is in a damaged recording. */
static void archive_section_ends(struct archiver *a, int pid, const char *name)
{
	struct archive_process *p = &a->processes[pid];

	if (p->nopen && strcmp(a->regions[p->open[p->nopen - 1]].name, name) == 0)
		a->ops->leave(a->archive, pid, p->now, p->open[--p->nopen]);
}

static void archive_queue_add(struct archiver *a, struct archive_queue *q, uint64_t sent, int peer,
			      const struct recording_transfer *t)
{
	struct archive_arrival *more = prof_more(q->at, q->n, sizeof(*more), &q->room);

	a->no_memory |= !more;
	if (!more)
		return;
	q->at = more;
	more[q->n++] = (struct archive_arrival){
		.sent = sent, .step = a->step,
		.message = { .what = t->what, .peer = peer, .area = t->area, .calls = t->calls,
			     .bytes = t->bytes },
	};
}

static bool ends_in_barrier(enum recording_end end)
{
	return end == RECORDING_BARRIER || end == RECORDING_LAST;
}

/*
 * At the end of a call, what it takes in: at a barrier all that there is, else what was sent until
 * then. The rest moves up.
 */
static void archive_receive(struct archiver *a, int pid, const struct recording_event *e,
			    uint64_t finish)
{
	struct archive_process *p = &a->processes[pid];
	bool is_sync = e->kind == RECORDING_SYNC;
	bool all = is_sync && ends_in_barrier(e->end);
	size_t left = 0;

	for (size_t i = 0; i < p->arrivals.n; i++) {
		struct archive_arrival *at = &p->arrivals.at[i];

		if (!all && (at->sent > finish || (at->step >= e->step && !is_sync))) {
			p->arrivals.at[left++] = *at;
			continue;
		}
		at->message.is_received = true;
		a->ops->message(a->archive, pid, not_before(p, finish), &at->message);
	}
	p->arrivals.n = left;
}

/* ---- The end of a superstep --------------------------------------------------------------- */

/* When the owner of an area answers a get of @asker. */
static uint64_t answer_time(const struct archiver *a, int owner, int asker)
{
	const struct archive_process *p = &a->processes[owner];
	uint64_t asked = a->processes[asker].sync_begin;

	if (!p->synced)
		return asked;
	return clip_time(ends_in_barrier(p->end) ? a->last : asked, p->sync_begin, p->sync_finish);
}

static int compare_answers(const void *left, const void *right)
{
	const struct archive_arrival *x = left, *y = right;

	if (x->sent != y->sent)
		return x->sent < y->sent ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Puts and messages leave in the order in which they were recorded; gets are asked for. */
static void send_traffic(struct archiver *a, int pid, const struct recording_transfer *t, size_t n)
{
	struct archive_process *p = &a->processes[pid];

	for (size_t i = 0; i < n; i++)
		if (t[i].what != RECORDING_GET && t[i].pid != RECORDING_NO_PROCESS)
			a->ops->message(a->archive, pid, p->now, &(struct archive_message){
				.what = t[i].what, .peer = (int)t[i].pid, .area = t[i].area,
				.calls = t[i].calls, .bytes = t[i].bytes,
			});
}

/*
 * The answers of this process, by their times. Answers to one process keep the order in which it
 * has asked, so where times are equal the sort compares where they stand.
 */
static void send_answers(struct archiver *a, int pid)
{
	struct archive_process *p = &a->processes[pid];
	struct archive_queue *q = &p->answers;

	for (size_t i = 0; i < q->n; i++) {
		q->at[i].sent = answer_time(a, pid, q->at[i].message.peer);
		q->at[i].step = (uint32_t)i;
	}
	if (q->n)
		qsort(q->at, q->n, sizeof(*q->at), compare_answers);
	for (size_t i = 0; i < q->n; i++)
		a->ops->message(a->archive, pid, not_before(p, q->at[i].sent),
				&q->at[i].message);
}

static void receive_answers(struct archiver *a, int pid, uint64_t finish,
			    const struct recording_transfer *t, size_t n)
{
	struct archive_process *p = &a->processes[pid];

	for (size_t i = 0; i < n; i++)
		if (t[i].what == RECORDING_GET && t[i].pid != RECORDING_NO_PROCESS)
			a->ops->message(a->archive, pid, not_before(p, finish),
					&(struct archive_message){
				.is_received = true, .what = t[i].what, .peer = (int)t[i].pid,
				.area = t[i].area, .calls = t[i].calls, .bytes = t[i].bytes,
			});
}

static void archive_end_superstep(struct archiver *a, int pid, const struct recording_event *e,
				  uint64_t finish)
{
	struct archive_process *p = &a->processes[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&p->cursor, e->traffic, &n);
	send_traffic(a, pid, t, n);
	if (ends_in_barrier(e->end)) {
		a->ops->op_begins(a->archive, pid, p->now);
		a->ops->op_ends(a->archive, pid, not_before(p, clip_time(a->last, p->now, finish)),
				ARCHIVE_BARRIER, 0);
	}
	send_answers(a, pid);
	receive_answers(a, pid, finish, t, n);
	archive_receive(a, pid, e, finish);
}

/* ---- Calls -------------------------------------------------------------------------------- */

/* The operation of a call, if all processes wait in it for all others. */
static enum archive_op op_of(const struct recording_event *e)
{
	static const struct { const char *call; enum archive_op op; } ops[] = {
		{ "bsp_allgather", ARCHIVE_ALLGATHER }, { "bsp_allgatherv", ARCHIVE_ALLGATHERV },
		{ "bsp_allreduce", ARCHIVE_ALLREDUCE }, { "bsp_fold", ARCHIVE_ALLREDUCE },
		{ "bsp_exchange", ARCHIVE_ALLTOALL }, { "bsp_exchangev", ARCHIVE_ALLTOALLV },
		{ "bsp_reduce_scatter", ARCHIVE_REDUCE_SCATTER },
		{ "bsp_prefix", ARCHIVE_SCAN }, { "bsp_scan", ARCHIVE_SCAN },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (e->kind == RECORDING_COLLECTIVE && strcmp(ops[i].call, e->name) == 0)
			return ops[i].op;
	return ARCHIVE_NO_OP;
}

static struct archive_figures figures_of(struct archive_process *p,
					 const struct recording_event *e)
{
	struct archive_figures f = { .step = e->step, .n = e->n, .bytes = e->bytes };
	const struct recording_transfer *t;
	size_t n;

	if (e->kind != RECORDING_SYNC)
		return f;
	t = recording_traffic(&p->cursor, e->traffic, &n);
	for (size_t i = 0; i < n; i++) {
		f.n += t[i].calls;
		f.bytes += t[i].bytes;
	}
	return f;
}

static void archive_call(struct archiver *a, int pid, const struct recording_event *e)
{
	struct archive_process *p = &a->processes[pid];
	struct archive_figures figures = figures_of(p, e);
	uint32_t region = region_of(a, p, e);
	uint64_t finish = p->began + e->finish;
	enum archive_op op = op_of(e);

	if (a->no_memory)
		return;
	if (e->kind == RECORDING_SYNC && e->end == RECORDING_LAST && finish < a->last)
		finish = a->last;	/* how long it waits there is not recorded */
	compute_to(a, pid, p->began + e->begin);
	a->ops->enter(a->archive, pid, p->now, region, &figures);
	if (op != ARCHIVE_NO_OP) {
		a->ops->op_begins(a->archive, pid, p->now);
		a->ops->op_ends(a->archive, pid, not_before(p, finish), op, e->bytes);
	}
	if (e->kind == RECORDING_SYNC)
		archive_end_superstep(a, pid, e, finish);
	else if (e->kind == RECORDING_READ || e->kind == RECORDING_EXPECT)
		archive_receive(a, pid, e, finish);
	a->ops->leave(a->archive, pid, not_before(p, finish), region);
}

/* The events of this superstep of one process. */
static void archive_step(struct archiver *a, int pid)
{
	struct archive_process *p = &a->processes[pid];
	struct recording_event e = { .kind = RECORDING_SITE };

	while (e.kind != RECORDING_SYNC && !a->no_memory && recording_next(&p->cursor, &e)) {
		switch (e.kind) {
		case RECORDING_SECTION:
			compute_to(a, pid, p->began + e.begin);
			archive_section_begins(a, pid, &e);
			break;
		case RECORDING_SECTION_END:
			compute_to(a, pid, p->began + e.begin);
			archive_section_ends(a, pid, e.name);
			break;
		case RECORDING_SERVE:		/* no time passes */
		case RECORDING_OFFLOADED:	/* beside the process */
		case RECORDING_OPERATION:
			break;
		default:
			archive_call(a, pid, &e);
		}
	}
}

/* ---- All processes ------------------------------------------------------------------------ */

/* To the end of the next superstep of one process, if it comes to one. */
static void go_ahead(struct archiver *a, int pid)
{
	struct archive_process *p = &a->processes[pid];
	struct recording_event e;

	p->synced = false;
	while (!p->over && !p->synced) {
		p->over = !recording_next(&p->ahead, &e);
		p->synced = !p->over && e.kind == RECORDING_SYNC;
	}
	if (!p->synced)
		return;
	p->end = e.end;
	p->traffic = e.traffic;
	p->sync_begin = p->began + e.begin;
	p->sync_finish = p->began + e.finish;
	if (a->last < p->sync_begin)
		a->last = p->sync_begin;
}

/* Puts and messages for processes that are written, and gets from them. */
static void archive_distribute(struct archiver *a, int pid)
{
	struct archive_process *p = &a->processes[pid];
	const struct recording_transfer *t;
	size_t n;

	t = recording_traffic(&p->ahead, p->traffic, &n);
	for (size_t i = 0; i < n && !a->no_memory; i++) {
		struct archive_process *to;

		if (t[i].pid == RECORDING_NO_PROCESS || !a->processes[t[i].pid].is_written)
			continue;
		to = &a->processes[t[i].pid];
		archive_queue_add(a, t[i].what == RECORDING_GET ? &to->answers : &to->arrivals,
				  p->sync_begin, pid, &t[i]);
	}
}

static bool archive_walk_step(struct archiver *a)
{
	bool some = false;

	a->last = 0;
	for (int q = 0; q < a->r->nprocs; q++) {
		go_ahead(a, q);
		some |= a->processes[q].synced;
	}
	for (int q = 0; q < a->r->nprocs; q++)
		if (a->processes[q].synced)
			archive_distribute(a, q);
	for (int q = 0; q < a->r->nprocs && !a->no_memory; q++)
		if (a->processes[q].is_written) {
			archive_step(a, q);
			a->processes[q].answers.n = 0;
		}
	a->step++;
	return some && !a->no_memory && !a->ops->wrong(a->archive);
}

static void archive_begin_process(struct archiver *a, int pid, bool is_written)
{
	struct archive_process *p = &a->processes[pid];

	*p = (struct archive_process){
		.is_written = is_written, .over = !a->r->parts[pid].head.nprocs,
		.began = recording_began(a->r, pid, a->axis),
	};
	recording_begin(&p->ahead, &a->r->parts[pid]);
	recording_begin(&p->cursor, &a->r->parts[pid]);
	p->cursor.with_sections = true;
	if (!is_written)
		return;
	a->ops->begin(a->archive, pid);
	if (!p->over)
		a->ops->enter(a->archive, pid, not_before(p, p->began), a->run, NULL);
}

static void note_wrong(struct archiver *a, int pid)
{
	const struct archive_process *p = &a->processes[pid];

	if (p->cursor.wrong && !a->about[0])
		snprintf(a->about, sizeof(a->about), "of process %d, superstep %u on: %s", pid,
			 p->cursor.step, p->cursor.wrong);
}

/* The node of a process, and of the node the name of its machine. */
static void note_node(struct archiver *a, int pid)
{
	const struct recording_cursor *c = &a->processes[pid].cursor;

	a->nodes[pid] = c->node;
	if (c->node >= 0)
		memcpy(a->node_names[c->node], c->machine, sizeof(c->machine));
}

/* Nodes into which a machine was divided have numbers behind its name. */
static void name_nodes(struct archiver *a)
{
	struct prof_names machines = { .at = NULL };
	uint32_t *n;

	for (int i = 0; i < a->r->nprocs && !a->no_memory; i++) {
		n = a->node_names[i][0] ? prof_names_number(&machines, a->node_names[i]) : NULL;
		a->no_memory |= a->node_names[i][0] && !n;
		if (n)
			*n = *n == PROF_NO_NUMBER ? 1 : 2;
	}
	for (int q = 0; q < a->r->nprocs && !a->no_memory; q++) {
		char *name = a->nodes[q] >= 0 ? a->node_names[a->nodes[q]] : NULL;
		const uint32_t *several = name ? prof_names_find(&machines, name) : NULL;
		size_t len = name ? strlen(name) : 0;

		if (len == 0 ? name != NULL : several && *several == 2)
			snprintf(name + len, ARCHIVE_NODE_NAME - len, "%snode %d", len ? ", " : "",
				 a->nodes[q]);
	}
	prof_names_free(&machines);
}

static void archive_end_process(struct archiver *a, int pid)
{
	struct archive_process *p = &a->processes[pid];

	if (p->is_written) {
		while (p->nopen)
			a->ops->leave(a->archive, pid, p->now, p->open[--p->nopen]);
		if (a->r->parts[pid].head.nprocs)
			a->ops->leave(a->archive, pid, p->now, a->run);
		a->ops->end(a->archive, pid);
		note_wrong(a, pid);
		note_node(a, pid);
	}
	if (a->length < p->now)
		a->length = p->now;
	recording_end(&p->ahead);
	recording_end(&p->cursor);
	free(p->arrivals.at);
	free(p->answers.at);
	free(p->open);
}

/* One walk, in which @n processes from @first on are written. */
static void walk_group(struct archiver *a, int first, int n)
{
	a->step = 0;
	for (int q = 0; q < a->r->nprocs; q++)
		archive_begin_process(a, q, q >= first && q < first + n);
	while (archive_walk_step(a))
		;
	for (int q = 0; q < a->r->nprocs; q++)
		archive_end_process(a, q);
}

static void write_groups(struct archiver *a)
{
	const char *program = a->r->first->program;

	a->run = add_region(a, ARCHIVE_RUN, program[0] ? program : "SPMD part", "bsp_begin", "");
	a->computing = add_region(a, ARCHIVE_COMPUTING, "computing", "computing", "");
	for (int q = 0; q < a->r->nprocs && !a->no_memory && !a->ops->wrong(a->archive);
	     q += GROUP)
		walk_group(a, q, a->r->nprocs - q < GROUP ? a->r->nprocs - q : GROUP);
}

/* A viewer shows this of the run besides. */
static void archive_describe(struct archiver *a)
{
	char text[sizeof(a->about)];

	if (a->r->cut_off && !a->about[0])
		snprintf(a->about, sizeof(a->about), "the end of the file is missing");
	if (!a->r->note[0])
		return;
	snprintf(text, sizeof(text), "%.*s%s%.200s", (int)sizeof(a->r->note), a->r->note,
		 a->about[0] ? "; " : "", a->about);
	snprintf(a->about, sizeof(a->about), "%s", text);
}

/* Into the folder @path. */
static int write_archive(const struct archive_ops *ops, const struct recording *r,
			 const char *path, char *why, size_t len)
{
	struct archiver a = { .ops = ops, .r = r, .axis = recording_axis(r) };
	int err = -1;

	a.archive = ops->open(path, r->nprocs, why, len);
	if (!a.archive)
		return -1;
	a.processes = calloc((size_t)r->nprocs, sizeof(*a.processes));
	a.nodes = calloc((size_t)r->nprocs, sizeof(*a.nodes));
	a.node_names = calloc((size_t)r->nprocs, sizeof(*a.node_names));
	a.no_memory = !a.processes || !a.nodes || !a.node_names;
	if (!a.no_memory)
		write_groups(&a);
	if (!a.no_memory)
		name_nodes(&a);
	archive_describe(&a);
	if (a.no_memory) {
		ops->close(a.archive, NULL, why, len);
		snprintf(why, len, "there is no memory for it");
	} else {
		err = ops->close(a.archive, &(struct archive_run){
			.program = r->first->program, .about = a.about, .nprocs = r->nprocs,
			.length = a.length, .regions = a.regions, .nregions = a.nregions,
			.nodes = a.nodes,
			.node_names = (const char (*)[ARCHIVE_NODE_NAME])a.node_names,
		}, why, len);
	}
	free_regions(&a);
	free(a.processes);
	free(a.nodes);
	free(a.node_names);
	return err;
}

/* ---- For bspprof and bsprun --------------------------------------------------------------- */

bool prof_is_archive(const char *file)
{
	static const char end[] = ".otf2";
	size_t len = strlen(file);

	while (len > 1 && file[len - 1] == '/')
		len--;
	return len >= sizeof(end) && strncmp(file + len - (sizeof(end) - 1), end,
					      sizeof(end) - 1) == 0 &&
	       file[len - sizeof(end)] != '/';
}

static const struct archive_ops *load_ops(char *why, size_t len)
{
	return bspt_plugin("otf2", "prof_otf2_ops", why, len);
}

int prof_archive_try(const char *file, char *why, size_t len)
{
	return load_ops(why, len) ? prof_folder_try(file, why, len) : -1;
}

/* A number of processes that is damaged may be a million. */
static int open_for_archive(struct recording *r, const char *path, char *why, size_t len)
{
	int missing;

	if (recording_open(r, path, why, len))
		return -1;
	missing = r->nprocs - r->present;
	if (missing <= MISSING_MOST)
		return 0;
	snprintf(why, len, "of %d processes it lacks %d, too many for an OTF2 archive", r->nprocs,
		 missing);
	recording_close(r);
	return -1;
}

int prof_write_archive(const char *recording, const char *file, char *why, size_t len)
{
	char reason[PROF_WHY];
	const struct archive_ops *ops = load_ops(reason, sizeof(reason));
	const char *of = file;
	struct archive_folder folder;
	struct recording r;
	int err = -1;

	if (!ops || prof_folder_begin(&folder, file, reason, sizeof(reason)))
		goto refuse;
	err = open_for_archive(&r, recording, reason, sizeof(reason));
	if (err) {
		of = recording;
	} else {
		err = write_archive(ops, &r, folder.temporary, reason, sizeof(reason));
		recording_close(&r);
	}
	if (!err)
		err = prof_folder_end(&folder, true, reason, sizeof(reason));
	else
		prof_folder_end(&folder, false, NULL, 0);
	if (!err)
		return 0;
refuse:
	snprintf(why, len, "%s: %s", of, reason);
	return -1;
}
