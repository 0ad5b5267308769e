/* SPDX-License-Identifier: BSD-3-Clause */
/* transports.h - for tests of transport.h: a body as a job over every transport that is built. */

/*
 *	static void body(struct bspt *t)
 *	{
 *		post(t, next_of(t), 0, 100);
 *		...
 *		meet(t);
 *	}
 *
 *	int main(void)
 *	{
 *		over_each(body, (struct bspt_plan){ .nprocs = 2 }, "a chunk arrives");
 *		return done_testing();
 *	}
 *
 * A transport for one process runs the body in one process, whose next and previous
 * process is itself; any other transport runs it in two or more, and then no process
 * sends to itself. BSP_TRANSPORT restricts a test to one transport, BSP_EMULATE is the
 * network for those that emulate one, BSP_OFI_PROVIDER the provider of libfabric. A mixture
 * uses the transport of BSP_FAR between nodes, and its nodes are parts of this machine:
 * of two processes, or of one if there are only two.
 *
 * A mixture carries data for a peer by one of its parts: chunk_for(), send_chunk() and so
 * on call the part that via() returns.
 *
 * Processes meet, and exchange numbers, in shared memory of the test, not of the
 * transport, so that each part of a transport is tested without the others.
 */
#ifndef TRANSPORTS_H
#define TRANSPORTS_H

#include "random.h"
#include "tap.h"
#include "transport/transport.h"
#include "job/job.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MOST_PROCS = 256,
	WORDS = 4,
	MOST_JOBS = 256,
};

/* Memory that the processes of a job share besides the transport. */
struct common {
	_Atomic unsigned int met, quiet;
	_Atomic uint64_t word[MOST_PROCS][WORDS];	/* written by one process each, for all */
};

/* The job that runs. Made in the test, inherited by the processes. */
static struct {
	const struct bspt_ops *ops;
	struct bspt_plan plan;
	int node_size;			/* processes that are taken as a node; 0: all */
	const int *node;		/* if not NULL, the node of each process */
	void (*body)(struct bspt *t);
	struct common *common;
	void *volatile kept[MOST_JOBS];	/* plan.shared of plans that no process opens */
	int nkept;
} job;

/* ---- In the job ---------------------------------------------------------- */

_Noreturn static inline void lost(int peer, const char *why)
{
	bail("%s: process %d is lost: %s", job.ops->name, peer, why);
}

_Noreturn static inline void damaged(const char *what)
{
	bail("%s: damaged: %s", job.ops->name, what);
}

static inline void enter_transport(int me, int nprocs)
{
	struct bspt *t;
	int err;

	job.plan.wire->me = me;
	err = bspt_open(job.ops, &job.plan, me, &t);
	if (err)
		bail("%s: open: %s", job.ops->name, strerror(-err));
	if ((t->ops != job.ops && !job.plan.sums) || t->me != me || t->nprocs != nprocs)
		bail("%s: open: the object is not as bspt_open() should make it", job.ops->name);
	job.body(t);
	t->ops->close(t);
}

/* A wire for processes that will be forked. */
static inline struct bspt_wire *local_wire(int nprocs, int node_size)
{
	struct bspt_wire *wire = bspj_wire_local(nprocs, node_size);

	if (!wire)
		bail("no memory for a wire");
	return wire;
}

/* @w is as local_wire() has made it. */
static inline void set_nodes(struct bspt_wire *w, const int *node)
{
	int *its = (int *)(uintptr_t)w->node;

	w->nnodes = 0;
	for (int p = 0; p < w->nprocs; p++) {
		its[p] = node[p];
		w->nnodes = node[p] < w->nnodes ? w->nnodes : node[p] + 1;
	}
}

static inline void prepare_transport(void)
{
	int err;

	job.plan.wire = local_wire(job.plan.nprocs, job.node_size);
	if (job.node)
		set_nodes(job.plan.wire, job.node);
	err = job.ops->prepare(&job.plan);
	if (err)
		bail("%s: prepare: %s", job.ops->name, strerror(-err));
}

/*
 * Until all have ended, or one has not ended well: then so do we, and the others with us. Other
 * children, those of a transport, end by themselves.
 */
static inline void await_ends(const pid_t *children, int n)
{
	int status, left = n;
	pid_t child;

	while (left > 0 && (child = wait(&status)) > 0)
		for (int i = 0; i < n; i++) {
			if (children[i] != child)
				continue;
			left--;
			if (status == 0)
				continue;
			fprintf(stderr, "process %d ended with wait status 0x%x\n", i,
				(unsigned int)status);
			exit(EXIT_FAILURE);
		}
}

/* Its first process: prepares, starts the others, and ends as they do. */
static inline void run_processes(void)
{
	pid_t children[MOST_PROCS], parent = getpid();
	int n = job.plan.nprocs;

	prepare_transport();
	for (int i = 0; i < n; i++) {
		children[i] = fork();
		if (children[i] < 0)
			bail("fork: %s", strerror(errno));
		if (children[i])
			continue;
		tap_end_with_parent(parent);
		tap_process(i);
		enter_transport(i, n);
		exit(EXIT_SUCCESS);
	}
	await_ends(children, n);
}

/* ---- In the test --------------------------------------------------------- */

static inline void make_common(void)
{
	job.common = mmap(NULL, sizeof *job.common, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (job.common == MAP_FAILED)
		bail("no shared memory: %s", strerror(errno));
}

/* Only processes open what prepare() made; here it is kept, so that no checker calls it lost. */
static inline void keep_prepared(void *shared)
{
	job.kept[job.nkept++ % MOST_JOBS] = shared;
}

/*
 * For a transport that emulates networks: one that is hard on code that relies on order. "" for
 * others.
 */
static inline const char *network_for(const struct bspt_ops *ops)
{
	const char *text = getenv("BSP_EMULATE");
	char why[200];

	if (ops->accepts("", why, sizeof why) == 0)
		return "";
	return text && *text ? text : "L=2us,o=1us,g=1us,G=1ns,jitter=3us,reorder=1";
}

/* Is it made of two, for processes of a node and for others? */
static inline bool is_mixture(const struct bspt_ops *ops)
{
	return !strcmp(ops->name, "mix");
}

/* Processes of a node, so that a mixture has peers of both kinds if it can. */
static inline int node_size_for(const struct bspt_ops *ops, int nprocs)
{
	if (!is_mixture(ops))
		return 0;
	return nprocs > 2 ? 2 : 1;
}

/* The transport between nodes that a mixture is to have, or NULL. */
static inline const struct bspt_ops *chosen_far(void)
{
	const char *name = getenv("BSP_FAR");

	return name && *name && strcmp(name, "auto") ? bspt_find(name) : NULL;
}

/* As probe(). A mixture asks all there are; here it is about the one that is chosen. */
static inline int probe_transport(const struct bspt_ops *ops, int nprocs, char *why, size_t len)
{
	const struct bspt_ops *far = is_mixture(ops) ? chosen_far() : NULL;

	return (far ? far : ops)->probe(nprocs, why, len);
}

static inline struct bspt_plan completed(struct bspt_plan plan, const struct bspt_ops *ops)
{
	if (!plan.network)
		plan.network = network_for(ops);
	plan.provider = getenv("BSP_OFI_PROVIDER");
	plan.far = getenv("BSP_FAR");
	plan.lost = lost;
	plan.damaged = damaged;
	return plan;
}

/*
 * A check over a transport that cannot run, for the reason @why. It is not applicable if the
 * transport was not built or its module is not loaded; t/kernel/ tests esp in guests.
 */
static inline void cannot_run(const char *name, const char *claim, const char *why)
{
	if (strstr(why, "is not installed") || strstr(why, "is not loaded") ||
	    !strcmp(name, "self"))
		not_applicable("%s: %s: %s", name, claim, why);
	else
		skip("%s: %s: %s", name, claim, why);
}

/* The body over @ops, if it can; @node_size processes are a node. */
static inline void over_nodes(const struct bspt_ops *ops, void (*body)(struct bspt *t),
			      struct bspt_plan plan, int node_size, const char *claim)
{
	char why[500];

	if (probe_transport(ops, plan.nprocs, why, sizeof why) < 0) {
		cannot_run(ops->name, claim, why);
		return;
	}
	job.ops = ops;
	job.plan = completed(plan, ops);
	job.node_size = node_size;
	job.body = body;
	make_common();
	lives_ok(run_processes, plan.nprocs, "%s, nprocs %d: %s", ops->name, plan.nprocs, claim);
	munmap(job.common, sizeof *job.common);
}

/* The same with the nodes of @node, which has the node of each process. */
static inline void over_map(const struct bspt_ops *ops, void (*body)(struct bspt *t),
			    struct bspt_plan plan, const int *node, const char *claim)
{
	job.node = node;
	over_nodes(ops, body, plan, 0, claim);
	job.node = NULL;
}

/* The same with one process if it can have no more. */
static inline void over(const struct bspt_ops *ops, void (*body)(struct bspt *t),
			struct bspt_plan plan, const char *claim)
{
	char why[500];

	if (probe_transport(ops, plan.nprocs, why, sizeof why) < 0 &&
	    probe_transport(ops, 1, why, sizeof why) == 0)
		plan.nprocs = 1;
	over_nodes(ops, body, plan, node_size_for(ops, plan.nprocs), claim);
}

static inline bool is_wanted(const struct bspt_ops *ops)
{
	const char *only = getenv("BSP_TRANSPORT");

	return !only || !strcmp(only, "auto") || !strcmp(only, ops->name);
}

/* The same over every transport that has all of @caps. */
static inline void over_capable(unsigned int caps, void (*body)(struct bspt *t),
				struct bspt_plan plan, const char *claim)
{
	const struct bspt_ops *ops;

	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!is_wanted(ops))
			continue;
		if ((ops->caps & caps) == caps)
			over(ops, body, plan, claim);
		else
			not_applicable("%s has no such capability: %s", ops->name, claim);
	}
}

/*
 * The same over those of shared memory, with sums: the object has operations of its own then, of
 * less capabilities.
 */
static inline void over_sums(void (*body)(struct bspt *t), struct bspt_plan plan,
			     const char *claim)
{
	static const char *const names[] = { "shm", "mix" };

	plan.sums = true;
	for (int i = 0; i < 2; i++)
		if (is_wanted(bspt_find(names[i])))
			over(bspt_find(names[i]), body, plan, claim);
}

static inline void over_each(void (*body)(struct bspt *t), struct bspt_plan plan,
			     const char *claim)
{
	over_capable(0, body, plan, claim);
}

/* ---- In a body ----------------------------------------------------------- */

static inline int next_of(const struct bspt *t)
{
	return (t->me + 1) % t->nprocs;
}

static inline int prev_of(const struct bspt *t)
{
	return (t->me + t->nprocs - 1) % t->nprocs;
}

/* Does this process send to @q? */
static inline bool is_peer(const struct bspt *t, int q)
{
	return q != t->me || t->nprocs == 1;
}

/* Do chunks go through memory alone, and so take no time? */
static inline bool is_memory(const struct bspt *t)
{
	return t->nprocs == 1 || (t->ops->caps & BSPT_ONE_NODE);
}

/* How often to do a thing: so often over memory, and a twentieth of that over a network. */
static inline uint32_t often(const struct bspt *t, uint32_t n)
{
	return is_memory(t) ? n : n / 20;
}

/* A number that differs for every @a, @b and @c, and has no pattern. */
static inline uint32_t mixed(uint32_t a, uint32_t b, uint32_t c)
{
	return (uint32_t)random_mix(random_mix((uint64_t)a << 32 | b) + c);
}

/* Byte @i of a pattern that differs for every @seed and does not repeat in pages. */
static inline unsigned char pattern(uint32_t seed, size_t i)
{
	uint32_t x = (uint32_t)i * 2654435761u + (seed + 1) * 2246822519u;

	return (unsigned char)(x >> 24 ^ x >> 11);
}

static inline void fill(void *area, size_t len, uint32_t seed)
{
	unsigned char *bytes = area;

	for (size_t i = 0; i < len; i++)
		bytes[i] = pattern(seed, i);
}

/* How many of @len bytes are not those of the pattern. */
static inline long wrong(const void *area, size_t len, uint32_t seed)
{
	const unsigned char *bytes = area;
	long n = 0;

	for (size_t i = 0; i < len; i++)
		n += bytes[i] != pattern(seed, i);
	return n;
}

/* The transport that carries data to a peer, and the peer's number in it. */
struct way {
	struct bspt *t;
	int peer;
};

static inline struct way carrier_of(struct bspt *t, int peer)
{
	struct way w = { NULL, -1 };

	w.t = t->ops->via(t, peer, &w.peer);
	if (!w.t || w.peer < 0)
		bail("%s: no transport reaches process %d", t->ops->name, peer);
	return w;
}

/* For chunks: a mixture passes on itself what it is asked, so every second time it is asked. */
static inline struct way way_to(struct bspt *t, int peer)
{
	static _Thread_local unsigned int times;

	return ++times % 2 ? carrier_of(t, peer) : (struct way){ t, peer };
}

/* The largest chunk for a peer, or @len if that is less. */
static inline size_t at_most(struct bspt *t, int peer, size_t len)
{
	size_t most = carrier_of(t, peer).t->max_chunk;

	return len < most ? len : most;
}

/* As the slot. A mixture may have less room than the carrier. */
static inline void *new_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct way w = want > t->max_chunk ? carrier_of(t, peer) : way_to(t, peer);

	return w.t->ops->chunk(w.t, w.peer, want, room);
}

static inline void *chunk_for(struct bspt *t, int peer, size_t want, size_t *room)
{
	void *chunk = new_chunk(t, peer, want, room);

	if (!chunk)
		bail("%s: no chunk of %zu bytes for process %d", t->ops->name, want, peer);
	return chunk;
}

static inline void send_chunk(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct way w = way_to(t, peer);

	w.t->ops->send(w.t, w.peer, chunk, len);
}

static inline void discard_chunk(struct bspt *t, int peer, void *chunk)
{
	struct way w = way_to(t, peer);

	w.t->ops->discard(w.t, w.peer, chunk);
}

static inline void release_chunk(struct bspt *t, int peer, void *chunk)
{
	struct way w = way_to(t, peer);

	w.t->ops->release(w.t, w.peer, chunk);
}

/* Send @peer the first @len bytes of the pattern of @seed. */
static inline void post(struct bspt *t, int peer, uint32_t seed, size_t len)
{
	size_t room;
	void *chunk = chunk_for(t, peer, len, &room);

	if (room < len)
		bail("%s: room for %zu bytes, asked for %zu", t->ops->name, room, len);
	fill(chunk, len, seed);
	send_chunk(t, peer, chunk, len);
}

/* The next chunk, as soon as there is one. */
static inline void *await_chunk(struct bspt *t, int *peer, size_t *len)
{
	unsigned int idle = 0;
	void *chunk;

	while (!(chunk = t->ops->poll(t, peer, len)))
		t->ops->wait(t, idle++);
	return chunk;
}

/* Take the next chunk and give it back: is it from @peer and what post() has sent? */
static inline bool fetch(struct bspt *t, int peer, uint32_t seed, size_t len)
{
	size_t seen;
	int from;
	void *chunk = await_chunk(t, &from, &seen);
	bool good = from == peer && seen == len && wrong(chunk, len, seed) == 0;

	release_chunk(t, from, chunk);
	return good;
}

/*
 * Return when all processes are here; what send() left behind leaves meanwhile.
 * Nothing arrives: the process that comes here has received everything, and no process goes
 * on and sends before all have polled for the last time.
 */
static inline void meet(struct bspt *t)
{
	static unsigned int times;
	unsigned int all = ++times * (unsigned int)t->nprocs;
	size_t len;
	int from;

	atomic_fetch_add(&job.common->met, 1);
	while (atomic_load(&job.common->met) < all) {
		if (t->ops->poll(t, &from, &len))
			bail("%s: a chunk of %zu bytes from process %d that no process sent",
			     t->ops->name, len, from);
		sched_yield();
	}
	atomic_fetch_add(&job.common->quiet, 1);
	while (atomic_load(&job.common->quiet) < all)
		sched_yield();
}

/* The same without a call to the transport. */
static inline void meet_silently(const struct bspt *t)
{
	static unsigned int times;
	unsigned int all = ++times * (unsigned int)t->nprocs;

	atomic_fetch_add(&job.common->word[0][0], 1);
	while (atomic_load(&job.common->word[0][0]) < all)
		sched_yield();
}

/* Enter a round of a counting barrier, and leave it. */
static inline struct bspt_counts count_round(struct bspt *t, uint32_t word)
{
	struct bspt_counts result;
	unsigned int idle = 0;

	t->ops->count_enter(t, word);
	while (!t->ops->count_test(t, &result))
		t->ops->wait(t, idle++);
	return result;
}

/* ---- Bulk ----------------------------------------------------------------- */

static inline bool carries_bulk(struct bspt *t, int peer)
{
	return carrier_of(t, peer).t->ops->caps & BSPT_CAP_BULK;
}

static inline void send_bulk(struct bspt *t, struct bspt_bulk *b, int peer, uint32_t id, void *at,
			     size_t len)
{
	struct way w = carrier_of(t, peer);

	*b = (struct bspt_bulk){ .peer = w.peer, .id = id, .at = at, .len = len };
	w.t->ops->bulk_send(w.t, b);
}

static inline void receive_bulk(struct bspt *t, struct bspt_bulk *b, int peer, uint32_t id,
				void *at, size_t len)
{
	struct way w = carrier_of(t, peer);

	*b = (struct bspt_bulk){ .peer = w.peer, .id = id, .at = at, .len = len };
	w.t->ops->bulk_recv(w.t, b);
}

/* Return when it is done. No chunk is under way. */
static inline void await_bulk(struct bspt *t, const struct bspt_bulk *b)
{
	unsigned int idle = 0;
	size_t len;
	int from;

	while (!b->done) {
		if (t->ops->poll(t, &from, &len))
			bail("%s: a chunk of %zu bytes from process %d that no process sent",
			     t->ops->name, len, from);
		if (!b->done)
			t->ops->wait(t, idle++);
	}
}

/*
 * The body over every transport that moves in bulk, and over mixtures, where it depends on
 * the peer: the body asks.
 */
static inline void over_bulk(void (*body)(struct bspt *t), struct bspt_plan plan,
			     const char *claim)
{
	const struct bspt_ops *ops;

	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!is_wanted(ops))
			continue;
		if ((ops->caps & BSPT_CAP_BULK) || is_mixture(ops))
			over(ops, body, plan, claim);
		else
			not_applicable("%s does not move in bulk: %s", ops->name, claim);
	}
}

#endif
