/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimised schedules leave the same bytes as before, with fewer operations; at random, and all. */
#include "../lib/goal_world.h"

#include "goal/sim/goal_match.h"

#include <stdio.h>

enum {
	GRAPHS = 400, RUNS = 3,
	PROCESSES = 4, UNITS = 24, WIDTH = 5,
	BUFFERS = 2, BYTES = 512, GRAIN = 8,
};

/* ---- Schedules whose result is certain --------------------------------------------------- */

/*
 * Units follow each other in one order, so they come to their end. A unit is some operations of a
 * process, or messages from one to another, that wait for the same; it waits for every unit before
 * it that touches the same bytes, and for some that it does not have to wait for.
 */
struct unit {
	int op[WIDTH], n;
	uint64_t first[2], end[2];	/* the bytes that it reads, and those that it writes */
	int read, written;		/* of these buffers; BUFFERS is the scratchpad */
	int peer;			/* of messages with tag */
	uint32_t tag;
	bool sends, receives;
};

struct random_process {
	struct goal_graph *graph;
	struct unit unit[2 * UNITS];
	int nunits;
};

struct random_job {
	struct random_process process[PROCESSES];
	uint64_t state;
};

static uint64_t draw(struct random_job *job, uint64_t below)
{
	return random_below(&job->state, below);
}

static bool overlap(const struct unit *a, int i, const struct unit *b, int j)
{
	int abuf = i ? a->written : a->read, bbuf = j ? b->written : b->read;

	return abuf >= 0 && abuf == bbuf && a->first[i] < b->end[j] && b->first[j] < a->end[i];
}

static bool conflict(const struct unit *a, const struct unit *b)
{
	bool same_name = a->peer == b->peer && a->tag == b->tag;

	return overlap(a, 1, b, 0) || overlap(a, 0, b, 1) || overlap(a, 1, b, 1) ||
	       (same_name && ((a->sends && b->sends) || (a->receives && b->receives)));
}

static void wait_for_unit(struct goal_graph *g, const struct unit *u, const struct unit *before,
			  bool end)
{
	for (int i = 0; i < u->n; i++)
		for (int j = 0; j < before->n; j++) {
			if (end)
				goal_requires(g, u->op[i], before->op[j]);
			else
				goal_irequires(g, u->op[i], before->op[j]);
		}
}

static void add_unit(struct random_job *job, int rank, const struct unit *u)
{
	struct random_process *p = &job->process[rank];

	for (int i = 0; i < p->nunits; i++) {
		if (conflict(u, &p->unit[i]))
			wait_for_unit(p->graph, u, &p->unit[i], true);
		if (draw(job, 6) == 0)
			wait_for_unit(p->graph, u, &p->unit[i], draw(job, 2));
	}
	p->unit[p->nunits++] = *u;
}

static struct goal_place place(int buffer, uint64_t offset)
{
	return GOAL_AT(buffer == BUFFERS ? GOAL_SCRATCHPAD : buffer, offset);
}

/* @n pieces of GRAIN bytes that touch. */
static uint64_t draw_range(struct random_job *job, int n)
{
	return GRAIN * draw(job, BYTES / GRAIN - (uint64_t)n + 1);
}

static void add_locals(struct random_job *job, int rank)
{
	struct goal_graph *g = job->process[rank].graph;
	struct unit u = { .n = 1 + (int)draw(job, WIDTH), .peer = -1 };
	uint64_t bytes = (uint64_t)u.n * GRAIN;
	bool copy = draw(job, 2);

	u.read = (int)draw(job, BUFFERS + 1);
	u.written = (int)draw(job, BUFFERS + 1);
	u.first[0] = draw_range(job, u.n);
	u.first[1] = draw_range(job, u.n);
	for (int i = 0; i < 2; i++)
		u.end[i] = u.first[i] + bytes;
	if (overlap(&u, 0, &u, 1))
		return;
	for (int i = 0; i < u.n; i++)
		u.op[i] = goal_local(g, copy ? GOAL_COPY : GOAL_ADD, copy ? GOAL_NONE : GOAL_U32,
				     GRAIN, place(u.written, u.first[1] + GRAIN * (uint64_t)i),
				     place(u.read, u.first[0] + GRAIN * (uint64_t)i));
	add_unit(job, rank, &u);
}

/* Each reads what the one before has written: a chain that must stay in order. */
static void add_chain(struct random_job *job, int rank)
{
	struct goal_graph *g = job->process[rank].graph;
	int n = 2 + (int)draw(job, WIDTH - 1), buffer = (int)draw(job, BUFFERS + 1);
	uint64_t from = draw_range(job, n + 1);
	struct unit u = { .n = 1, .peer = -1, .read = buffer, .written = buffer };
	int first, last;

	for (int i = 0; i < 2; i++) {
		u.first[i] = from;
		u.end[i] = from + GRAIN * ((uint64_t)n + 1);
	}
	first = last = goal_local(g, GOAL_COPY, GOAL_NONE, GRAIN, place(buffer, from + GRAIN),
				  place(buffer, from));
	u.op[0] = first;
	add_unit(job, rank, &u);
	for (int i = 1; i < n; i++) {
		uint64_t at = from + GRAIN * (uint64_t)i;
		int op = goal_local(g, GOAL_COPY, GOAL_NONE, GRAIN, place(buffer, at + GRAIN),
				    place(buffer, at));

		goal_requires(g, op, last);
		last = op;
	}
	job->process[rank].unit[job->process[rank].nunits - 1].op[0] = last;
}

/* Receives may be in another order than the sends, if tags tell them apart. */
static void add_messages(struct random_job *job, int from, int to)
{
	int n = 1 + (int)draw(job, WIDTH);
	bool tags = draw(job, 2);
	uint32_t tag = tags ? 100 + (uint32_t)draw(job, 1000000) * WIDTH : (uint32_t)draw(job, 4);
	struct unit s = { .n = n, .peer = to, .tag = tag, .sends = true, .written = -1 };
	struct unit r = { .n = n, .peer = from, .tag = tag, .receives = true, .read = -1 };
	uint64_t turn = tags ? draw(job, (uint64_t)n) : 0;

	s.read = (int)draw(job, BUFFERS + 1);
	r.written = (int)draw(job, BUFFERS + 1);
	s.first[0] = draw_range(job, n);
	r.first[1] = draw_range(job, n);
	s.end[0] = s.first[0] + GRAIN * (uint64_t)n;
	r.end[1] = r.first[1] + GRAIN * (uint64_t)n;
	for (int i = 0; i < n; i++) {
		uint64_t j = ((uint64_t)i + turn) % (uint64_t)n;

		s.op[i] = goal_send(job->process[from].graph, GRAIN,
				    place(s.read, s.first[0] + GRAIN * (uint64_t)i), to,
				    tag + (tags ? (uint32_t)i : 0));
		r.op[i] = goal_recv(job->process[to].graph, GRAIN,
				    place(r.written, r.first[1] + GRAIN * j), from,
				    tag + (tags ? (uint32_t)j : 0));
	}
	add_unit(job, from, &s);
	add_unit(job, to, &r);
}

static struct goal_set random_set(uint64_t seed)
{
	struct random_job job = { .state = seed };
	struct goal_set set = { .nprocs = PROCESSES };

	for (int rank = 0; rank < PROCESSES; rank++) {
		struct goal_graph *g = goal_graph_create(PROCESSES, rank);

		job.process[rank].graph = g;
		for (int i = 0; i < BUFFERS; i++)
			goal_buffer_at_least(g, goal_buffer(g), BYTES);
		goal_scratch(g, BYTES);
	}
	for (int i = 0; i < UNITS; i++) {
		int rank = (int)draw(&job, PROCESSES), way = (int)draw(&job, 4);

		if (way == 0)
			add_locals(&job, rank);
		else if (way == 1)
			add_chain(&job, rank);
		else
			add_messages(&job, rank,
				     (rank + 1 + (int)draw(&job, PROCESSES - 1)) % PROCESSES);
	}
	set.block = calloc(PROCESSES, sizeof(*set.block));
	set.len = calloc(PROCESSES, sizeof(*set.len));
	for (int rank = 0; rank < PROCESSES; rank++) {
		set.block[rank] = goal_compile(job.process[rank].graph, &set.len[rank]);
		if (!set.block[rank])
			bail("%s", goal_graph_error(job.process[rank].graph));
		goal_graph_destroy(job.process[rank].graph);
	}
	return set;
}

/* ---- Runs --------------------------------------------------------------------------------- */

/* Contents of all buffers and scratchpads behind each other, after some runs; free() them. */
struct memory {
	unsigned char *bytes;
	size_t len;
	bool ended;
};

static size_t memory_of(const struct goal_header *h)
{
	const struct goal_buffer *buffer = (const struct goal_buffer *)(h + 1);
	size_t bytes = h->scratch_bytes;

	for (uint32_t i = 0; i < h->nbuffers; i++)
		bytes += buffer[i].bytes;
	return bytes;
}

static void bind_one(struct goal_world *w, int rank, unsigned char **buffers, uint64_t *seed)
{
	const struct goal_header *h = w->process[rank].prog.header;
	const struct goal_buffer *buffer = (const struct goal_buffer *)(h + 1);

	for (uint32_t i = 0; i < h->nbuffers; i++) {
		buffers[i] = malloc(buffer[i].bytes + 1);
		for (uint64_t j = 0; j < buffer[i].bytes; j++)
			buffers[i][j] = (unsigned char)random_next(seed);
	}
}

static size_t take_one(const struct goal_world *w, int rank, unsigned char **buffers,
		       unsigned char *to)
{
	const struct goal_header *h = w->process[rank].prog.header;
	const struct goal_buffer *buffer = (const struct goal_buffer *)(h + 1);
	size_t n = h->scratch_bytes;

	memcpy(to, w->process[rank].scratch, n);
	for (uint32_t i = 0; i < h->nbuffers; i++) {
		memcpy(to + n, buffers[i], buffer[i].bytes);
		n += buffer[i].bytes;
		free(buffers[i]);
	}
	return n;
}

static bool all_over(const struct goal_world *w)
{
	for (int rank = 0; rank < w->nprocs; rank++)
		if (!world_is_over(w, rank))
			return false;
	return true;
}

/* The contents before are those of @data, the order of events that of @seed. */
static struct memory run_set(const struct goal_set *set, uint64_t data, uint64_t seed)
{
	struct memory m = { .len = 0 };
	struct goal_world w;
	unsigned char *(*buffers)[GOAL_BUFFERS_MOST] = calloc(set->nprocs, sizeof(*buffers));

	world_open(&w, set->nprocs, seed);
	for (int rank = 0; rank < set->nprocs; rank++) {
		void *block = malloc(set->len[rank]);

		memcpy(block, set->block[rank], set->len[rank]);
		world_load_block(&w, rank, block, set->len[rank]);
		m.len += memory_of(set->block[rank]);
		bind_one(&w, rank, buffers[rank], &data);
	}
	for (int rank = 0; rank < set->nprocs; rank++)
		world_start(&w, rank, buffers[rank]);
	while (world_turn(&w))
		;
	m.ended = all_over(&w);
	m.bytes = malloc(m.len + 1);
	m.len = 0;
	for (int rank = 0; rank < set->nprocs; rank++)
		m.len += take_one(&w, rank, buffers[rank], m.bytes + m.len);
	world_close(&w);
	free(buffers);
	return m;
}

static bool same_memory(const struct memory *a, const struct memory *b)
{
	return a->ended && b->ended && a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* Some runs of both, each with other contents and other orders of events. */
static bool same_runs(const struct goal_set *a, const struct goal_set *b, uint64_t seed)
{
	bool same = true;

	for (uint64_t i = 0; i < RUNS && same; i++) {
		struct memory first = run_set(a, seed + i, seed + 2 * i);
		struct memory second = run_set(b, seed + i, seed + 2 * i + 1);

		same = same_memory(&first, &second);
		free(first.bytes);
		free(second.bytes);
	}
	return same;
}

/* ---- What is claimed ------------------------------------------------------------------------ */

static size_t count_ops(const struct goal_set *set)
{
	size_t n = 0;

	for (int rank = 0; rank < set->nprocs; rank++)
		n += ((const struct goal_header *)set->block[rank])->nops;
	return n;
}

struct counts {
	int wrong, again, uncounted;
	struct goal_gain gain;
};

static void judge(struct counts *t, const struct goal_set *set, uint64_t seed)
{
	struct goal_set once, twice;
	struct goal_gain gain, more;

	if (!goal_set_optimize(set, true, &once, &gain))
		bail("no memory");
	if (!goal_set_optimize(&once, true, &twice, &more))
		bail("no memory");
	if (!same_runs(set, &once, seed) && t->wrong++ == 0)
		diag("the first is that of seed %llu", (unsigned long long)seed);
	t->again += more.edges || more.locals || more.messages;
	t->uncounted += count_ops(set) - count_ops(&once) != gain.locals + 2 * gain.messages;
	t->gain.edges += gain.edges;
	t->gain.locals += gain.locals;
	t->gain.messages += gain.messages;
	goal_set_free(&once);
	goal_set_free(&twice);
}

static void random_graphs(void)
{
	struct counts t = { 0 };

	for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
		struct goal_set set = random_set(seed);

		judge(&t, &set, seed);
		goal_set_free(&set);
	}
	is_int(0, t.wrong, "%d random schedules leave the same bytes", GRAPHS);
	is_int(0, t.again, "done again it changes nothing");
	is_int(0, t.uncounted, "what is gone is what was counted");
	diag("dropped %llu dependencies, merged %llu local operations and %llu messages",
	     (unsigned long long)t.gain.edges, (unsigned long long)t.gain.locals,
	     (unsigned long long)t.gain.messages);
	ok(t.gain.edges > GRAPHS && t.gain.locals > GRAPHS && t.gain.messages > GRAPHS,
	   "and of each kind more than one a schedule was found");
}

static struct goal_set generated_set(const struct goal_task *task, int nprocs)
{
	struct goal_set set = { .nprocs = nprocs };
	char why[200];

	set.block = calloc(nprocs, sizeof(*set.block));
	set.len = calloc(nprocs, sizeof(*set.len));
	for (int rank = 0; rank < nprocs; rank++) {
		set.block[rank] = goal_generate(task, nprocs, rank, &set.len[rank], why,
						sizeof(why));
		if (!set.block[rank])
			bail("%s: %s", task->algorithm->name, why);
	}
	return set;
}

static void one_algorithm(struct counts *t, const struct goal_algorithm *a, int nprocs)
{
	struct goal_task task = {
		.kind = a->kind, .algorithm = a, .bytes = 96, .segment = 32, .arity = 3,
		.networks = 1, .node = 1, .call = -1, .function = GOAL_ADD, .datatype = GOAL_I32,
		.source = 0, .target = a->kind == GOAL_BCAST ? 0 : 1,
	};
	struct goal_set set;

	if (goal_refuses(&task, nprocs, 0))
		return;
	set = generated_set(&task, nprocs);
	judge(t, &set, (uint64_t)nprocs);
	goal_set_free(&set);
}

static void all_algorithms(void)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++) {
		const struct goal_algorithm *a;

		for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++) {
			struct counts t = { 0 };

			for (int nprocs = 2; nprocs <= 9; nprocs++)
				one_algorithm(&t, a, nprocs);
			is_int(0, t.wrong + t.again + t.uncounted, "%s %s, 2 to 9 processes",
			       goal_kind_name(kind), a->name);
		}
	}
}

int main(void)
{
	random_graphs();
	all_algorithms();
	return done_testing();
}
