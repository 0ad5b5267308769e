/* SPDX-License-Identifier: BSD-3-Clause */
/* transports.h - what the 3xx tests begin with: a body as a job over every transport built. */

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
 * process is itself; any other is asked for two or more, and then nobody
 * sends to himself. BSP_TRANSPORT restricts to one, BSP_EMULATE is the network
 * for those that emulate one.
 *
 * Processes meet, and tell each other numbers, in memory that is none of the
 * transport's, so that each part of a transport is tested without the others.
 */
#ifndef TRANSPORTS_H
#define TRANSPORTS_H

#include "tap.h"
#include "transport/transport.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MOST_PROCS = 256,
	WORDS = 4,
	MOST_JOBS = 256,
};

/* What the processes of a job share besides the transport. */
struct common {
	_Atomic unsigned int met;
	_Atomic uint64_t word[MOST_PROCS][WORDS];	/* written by one process each, for all */
};

/* The job that runs. Made in the test, inherited by the processes. */
static struct {
	const struct bspt_ops *ops;
	struct bspt_plan plan;
	void (*body)(struct bspt *t);
	struct common *common;
	void *volatile kept[MOST_JOBS];	/* plan.shared of this and earlier jobs */
	int nkept;
} job;

/* ---- In the test --------------------------------------------------------- */

static inline void enter_transport(int me, int nprocs)
{
	struct bspt *t;
	int err = bspt_open(job.ops, &job.plan, me, &t);

	if (err)
		bail("%s: open: %s", job.ops->name, strerror(-err));
	if (t->ops != job.ops || t->me != me || t->nprocs != nprocs)
		bail("%s: open: the object is not as bspt_open() should make it", job.ops->name);
	job.body(t);
	t->ops->close(t);
}

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

/* For a transport that emulates networks: one hard on whoever relies on order. "" for others. */
static inline const char *network_for(const struct bspt_ops *ops)
{
	const char *text = getenv("BSP_EMULATE");
	char why[200];

	if (ops->accepts("", why, sizeof why) == 0)
		return "";
	return text && *text ? text : "L=2us,o=1us,g=1us,G=1ns,jitter=3us,reorder=1";
}

/* The body over @ops; with one process if it has no more. */
static inline void over(const struct bspt_ops *ops, void (*body)(struct bspt *t),
			struct bspt_plan plan, const char *claim)
{
	char why[200];
	int err;

	if (ops->probe(plan.nprocs, why, sizeof why) < 0) {
		if (ops->probe(1, why, sizeof why) < 0) {
			skip("%s: %s: %s", ops->name, claim, why);
			return;
		}
		plan.nprocs = 1;
	}
	if (!plan.network)
		plan.network = network_for(ops);
	job.ops = ops;
	job.plan = plan;
	job.body = body;
	make_common();
	err = ops->prepare(&job.plan);
	if (err)
		bail("%s: prepare: %s", ops->name, strerror(-err));
	procs_ok(enter_transport, plan.nprocs, "%s, nprocs %d: %s", ops->name, plan.nprocs, claim);
	keep_prepared(job.plan.shared);
	munmap(job.common, sizeof *job.common);
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
			skip("%s has no such capability: %s", ops->name, claim);
	}
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

/* Is @q somebody to send to? */
static inline bool is_peer(const struct bspt *t, int q)
{
	return q != t->me || t->nprocs == 1;
}

/* A number that differs for every @a, @b and @c, and has no pattern. */
static inline uint32_t mixed(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t x = ((uint64_t)a << 32 | b) + (uint64_t)(c + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)(x ^ x >> 31);
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

static inline void *chunk_for(struct bspt *t, int peer, size_t want, size_t *room)
{
	void *chunk = t->ops->chunk(t, peer, want, room);

	if (!chunk)
		bail("%s: no chunk of %zu bytes for process %d", t->ops->name, want, peer);
	return chunk;
}

/* Send @peer the first @len bytes of the pattern of @seed. */
static inline void post(struct bspt *t, int peer, uint32_t seed, size_t len)
{
	size_t room;
	void *chunk = chunk_for(t, peer, len, &room);

	fill(chunk, len, seed);
	t->ops->send(t, peer, chunk, len);
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

	t->ops->release(t, from, chunk);
	return good;
}

/*
 * Return when all processes are here; what send() left behind leaves meanwhile.
 * Nothing arrives: whoever comes here has received everything.
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
			bail("%s: a chunk of %zu bytes from process %d that nobody sent",
			     t->ops->name, len, from);
		sched_yield();
	}
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

/* Enter a round of a tally, and leave it. */
static inline struct bspt_tally tally(struct bspt *t, uint32_t word)
{
	struct bspt_tally result;
	unsigned int idle = 0;

	t->ops->tally_enter(t, word);
	while (!t->ops->tally_test(t, &result))
		t->ops->wait(t, idle++);
	return result;
}

#endif
