/* SPDX-License-Identifier: BSD-3-Clause */
/* The first process of each node exchanges for all: whichever processes are its node's. */

/*
 * A thread is in the place of each process, so ThreadSanitizer sees both ends of the memory of a
 * node. The launcher is this test: pieces of first processes go through memory of all. Jobs at
 * random have many small exchanges, and each process is late now and then.
 */
#include "../lib/random.h"
#include "../lib/tap.h"

#include <stdlib.h>

/* So many allocations of this thread succeed; -1: all do. */
static _Thread_local int allocations = -1;

static int is_short(void)
{
	return allocations >= 0 && allocations-- == 0;
}

static void *scarce_calloc(size_t n, size_t size)
{
	return is_short() ? NULL : calloc(n, size);
}

static void *scarce_malloc(size_t size)
{
	return is_short() ? NULL : malloc(size);
}

#define calloc scarce_calloc
#define malloc scarce_malloc
#include "job/launch/node_exchange.c"
#undef calloc
#undef malloc

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { PROCS_MOST = 12, ROUNDS = 100, FAILS_IN = ROUNDS, MEMORY = 1 << 16, LATE_US = 60 };

struct layout {
	const char *name;
	int nprocs, nnodes;
	int node[PROCS_MOST];
};

static const struct layout *layout;
static uint64_t seed;			/* of the delays and lengths of this job */

static struct {
	_Atomic uint32_t said[PROCS_MOST];	/* the last round of each process */
	char piece[2][PROCS_MOST][PROCS_MOST * BSPT_EXCHANGE_MOST];	/* of even and odd rounds */
	_Atomic int wrong, pieces, errors;
} shared;

static _Alignas(64) char memory_of[PROCS_MOST][MEMORY];	/* of each node */

/* ---- The launcher ------------------------------------------------------------------- */

static _Thread_local int me;		/* the process of this thread */
static _Thread_local uint32_t launch_round;
static _Thread_local uint64_t delays;

static void be_late(void)
{
	if (random_below(&delays, 8) == 0)
		usleep((useconds_t)random_below(&delays, LATE_US));
	else if (random_below(&delays, 2))
		sched_yield();
}

/*
 * A slot of round r + 2 is written when all have said r + 1, and so have read those of r. In the
 * last round it fails on the first process of node 0 alone.
 */
static int exchange_pieces(const int *of, const size_t *len, int n, const void *mine,
			   bspt_take_fn *take, void *arg, int nprocs, double timeout_s)
{
	int ours = layout->node[me];
	bool is_one = of[ours] == me;

	(void)timeout_s;
	launch_round++;
	atomic_fetch_add(&shared.wrong, n != layout->nnodes || nprocs != layout->nprocs ||
						is_one != !!mine);
	if (mine)
		memcpy(shared.piece[launch_round % 2][ours], mine, len[ours]);
	atomic_store(&shared.said[me], launch_round);
	for (int p = 0; p < nprocs; p++)
		while (atomic_load(&shared.said[p]) < launch_round)
			sched_yield();
	for (int k = 0; k < n && mine; k++) {
		be_late();
		take(arg, k, shared.piece[launch_round % 2][k]);
		atomic_fetch_add(&shared.pieces, 1);
	}
	return launch_round == FAILS_IN && mine && ours == 0 ? -EIO : 0;
}

static const struct bspj_launch launch = { .name = "test", .exchange_pieces = exchange_pieces };
static const struct bspj_launch without = { .name = "test" };

static void *share(struct bspt_wire *w, size_t bytes, size_t usable)
{
	(void)usable;
	return bytes <= MEMORY ? memory_of[w->node[w->me]] : NULL;
}

/* ---- A process ---------------------------------------------------------------------- */

static unsigned char byte_of(int p, int round, size_t i)
{
	return (unsigned char)(17 * p + 5 * round + (int)i);
}

struct taken {
	int round, next, wrong;
	size_t len;
};

static void check(void *arg, int p, const void *its)
{
	struct taken *t = arg;
	const unsigned char *bytes = its;

	t->wrong += p != t->next++;
	for (size_t i = 0; i < t->len; i++)
		t->wrong += bytes[i] != byte_of(p, t->round, i);
}

/* Most are small; all processes know the length. */
static size_t length_in(int round)
{
	uint64_t state = seed + (uint64_t)round;

	return 1 + random_below(&state, round % 10 ? 40 : BSPT_EXCHANGE_MOST);
}

static void one_round(struct bspj_node_exchange *x, int round)
{
	unsigned char mine[BSPT_EXCHANGE_MOST];
	struct taken t = { .round = round, .len = length_in(round) };
	bool fails = round == FAILS_IN && layout->nnodes > 1 && layout->node[me] == 0;
	int err;

	for (size_t i = 0; i < t.len; i++)
		mine[i] = byte_of(me, round, i);
	be_late();
	err = bspj_node_exchange(x, mine, t.len, check, &t, 0);
	atomic_fetch_add(&shared.errors, fails && err == -EIO && t.next == 0);
	atomic_fetch_add(&shared.wrong, t.wrong + (!fails && (err || t.next != layout->nprocs)));
}

static struct bspt_wire wire_of_process(const struct layout *of, int p)
{
	return (struct bspt_wire){ .nprocs = of->nprocs, .me = p, .node = of->node,
				   .nnodes = of->nnodes, .share = share };
}

static void *process(void *arg)
{
	struct bspt_wire wire;
	struct bspj_node_exchange *x;

	me = (int)(intptr_t)arg;
	delays = random_mix(seed + (uint64_t)me);
	wire = wire_of_process(layout, me);
	if (bspj_node_exchange_open(&wire, &launch, &x) || !x) {
		fprintf(stderr, "process %d does not open its exchange\n", me);
		abort();
	}
	for (int round = 1; round <= ROUNDS; round++)
		one_round(x, round);
	/* the memory is the test's */
	x->words = NULL;
	bspj_node_exchange_close(x);
	return NULL;
}

/* ---- A job -------------------------------------------------------------------------- */

/* How much was wrong in a job of that layout. */
static int run(const struct layout *of)
{
	pthread_t thread[PROCS_MOST];
	int here = 0, several = of->nnodes > 1, wanted;

	layout = of;
	memset(&shared, 0, sizeof(shared));
	memset(memory_of, 0, sizeof(memory_of));
	for (int p = 0; p < of->nprocs; p++)
		if (pthread_create(&thread[p], NULL, process, (void *)(intptr_t)p))
			bail("no thread");
	for (int p = 0; p < of->nprocs; p++) {
		pthread_join(thread[p], NULL);
		here += of->node[p] == 0;
	}
	wanted = several * ROUNDS * of->nnodes * of->nnodes;
	return shared.wrong + abs(shared.pieces - wanted) + abs(shared.errors - several * here);
}

static void exchanges_are_whole(const struct layout *of)
{
	seed = (uint64_t)of->nprocs;
	is_int(0, run(of), "%s: each has the data of all in order, by a piece of each node",
	       of->name);
	diag("%d wrong, %d pieces, %d errors", shared.wrong, shared.pieces, shared.errors);
}

/* Nodes have numbers in the order of their first processes, and not all one process. */
static struct layout random_layout(uint64_t *state)
{
	struct layout of = { .nprocs = 3 + (int)random_below(state, PROCS_MOST - 2) };
	int most = 1 + (int)random_below(state, (uint64_t)of.nprocs - 1);

	for (int p = 0; p < of.nprocs; p++) {
		int k = (int)random_below(state, (uint64_t)most);

		of.node[p] = k < of.nnodes ? k : of.nnodes;
		of.nnodes += of.node[p] == of.nnodes;
	}
	return of;
}

static void random_jobs_are_whole(uint64_t first, int jobs)
{
	int i = 0, faults = 0;

	for (; i < jobs && !faults; i++) {
		uint64_t state = random_mix(first + (uint64_t)i);
		struct layout of = random_layout(&state);

		seed = state;
		faults = run(&of);
	}
	is_int(0, faults, "%d jobs of nodes of any sizes, and processes that are late", jobs);
	if (faults)
		diag("seed %llu: %d processes, %d nodes: %d wrong, %d pieces, %d errors",
		     (unsigned long long)first + (unsigned long long)i - 1, layout->nprocs,
		     layout->nnodes, shared.wrong, shared.pieces, shared.errors);
}

/* ---- What is not opened --------------------------------------------------------------- */

static int open_of(const struct layout *of, int p, const struct bspj_launch *by,
		   struct bspj_node_exchange **x)
{
	static struct bspt_wire wire;

	wire = wire_of_process(of, p);
	return bspj_node_exchange_open(&wire, by, x);
}

static void is_not_opened(const struct layout *of, int p, const struct bspj_launch *by,
			  const char *why)
{
	struct bspj_node_exchange *x;

	ok(open_of(of, p, by, &x) == 0 && !x, "%s", why);
}

/* Each allocation in turn fails on one process, which then does not do without an exchange. */
static void lack_of_memory_is_an_error(const struct layout *of, int p, int needed)
{
	struct bspj_node_exchange *x;
	int failed = 0, err;

	for (int i = 0; i <= needed; i++) {
		allocations = i;
		err = open_of(of, p, &launch, &x);
		failed += err == -ENOMEM && !x;
	}
	allocations = -1;
	is_int(0, err, "process %d has memory for %d lists: it takes part", p, needed);
	if (x)
		x->words = NULL;
	bspj_node_exchange_close(x);
	is_int(needed, failed, "without memory for one it cannot go on");
}

int main(void)
{
	static const struct layout layouts[] = {
		{ "blocks, the last one smaller", 7, 3, { 0, 0, 0, 1, 1, 1, 2 } },
		{ "in turn over nodes", 7, 3, { 0, 1, 2, 0, 1, 2, 0 } },
		{ "one process on a node, between others", 5, 3, { 0, 1, 0, 2, 2 } },
		{ "all on one node", 5, 1, { 0, 0, 0, 0, 0 } },
	};
	static const struct layout alone = { "alone", 2, 2, { 0, 1 } };
	bool is_long = tap_is_long();
	uint64_t first = is_long ? (uint64_t)time(NULL) * 1000 : 1;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		exchanges_are_whole(&layouts[i]);
	random_jobs_are_whole(first, is_long ? 400 : 25);
	is_not_opened(&alone, 1, &launch, "each process alone: the launcher exchanges");
	is_not_opened(&layouts[0], 1, &without, "a launcher without pieces exchanges itself");
	is_not_opened(&layouts[0], 7, &launch, "nor does a process that the job does without");
	lack_of_memory_is_an_error(&layouts[0], 0, 5);
	lack_of_memory_is_an_error(&layouts[0], 1, 4);
	return done_testing();
}
