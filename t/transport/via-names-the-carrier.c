/* SPDX-License-Identifier: BSD-3-Clause */
/* Via names for each peer the carrier to it, and chunks come from the process that poll says. */

/*
 * A transport carries itself, or has one that does, under the numbers of the job. A mixture has an
 * object for the processes of a node, in which these are numbered by themselves, and one for all
 * others.
 */

#include "../lib/transports.h"

enum { CHUNKS = 40 };

static int node_of(int p)
{
	return job.plan.wire->node[p];
}

/* How many processes are on the node of @p, and how many of these come before it. */
static int node_size(int p, int *before)
{
	int n = 0;

	*before = 0;
	for (int q = 0; q < job.plan.nprocs; q++) {
		n += node_of(q) == node_of(p);
		*before += node_of(q) == node_of(p) && q < p;
	}
	return n;
}

static bool carries_near(const struct bspt *t, struct way w, int q)
{
	int mine, its, n = node_size(q, &its);

	node_size(t->me, &mine);
	return w.t != t && w.peer == its && w.t->me == mine && w.t->nprocs == n &&
	       (w.t->ops->caps & BSPT_CAP_WINDOW);
}

static bool carries_all(const struct bspt *t, struct way w, int q)
{
	return w.peer == q && w.t->me == t->me && w.t->nprocs == t->nprocs;
}

static bool carries_far(const struct bspt *t, struct way w, int q)
{
	return w.t != t && carries_all(t, w, q);
}

/* All peers of a kind have the same carrier, and those of two kinds have two. */
static int wrong_carriers(struct bspt *t)
{
	struct bspt *carrier[2] = { NULL, NULL };
	int bad = 0;

	for (int q = 0; q < t->nprocs; q++) {
		struct way w = carrier_of(t, q), again = carrier_of(t, q);
		bool near = node_of(q) == node_of(t->me);

		bad += w.t != again.t || w.peer != again.peer;
		if (!is_mixture(t->ops)) {
			bad += !carries_all(t, w, q) || (q > 0 && carrier[0] != w.t);
			carrier[0] = w.t;
			continue;
		}
		if (q == t->me)
			continue;
		bad += near ? !carries_near(t, w, q) : !carries_far(t, w, q);
		bad += carrier[near] && carrier[near] != w.t;
		carrier[near] = w.t;
	}
	return bad + (carrier[0] && carrier[0] == carrier[1]);
}

static size_t len_of(int from, int to, uint32_t i)
{
	return 1 + mixed((uint32_t)from, (uint32_t)to, i) % 2000;
}

/* The chunks that have come from each process so far. */
static uint32_t came[MOST_PROCS];

static bool take_one(struct bspt *t)
{
	size_t len;
	int from;
	void *chunk = await_chunk(t, &from, &len);
	uint32_t i = came[from]++;
	bool good = len == len_of(from, t->me, i) &&
		    wrong(chunk, len, mixed((uint32_t)from, (uint32_t)t->me, i)) == 0;

	release_chunk(t, from, chunk);
	return good;
}

static void body(struct bspt *t)
{
	int bad = 0, peers = t->nprocs == 1 ? 1 : t->nprocs - 1;

	is_int(0, wrong_carriers(t), "peers with another carrier or number than they should have");
	for (uint32_t i = 0; i < CHUNKS; i++)
		for (int q = 0; q < t->nprocs; q++)
			if (is_peer(t, q))
				post(t, q, mixed((uint32_t)t->me, (uint32_t)q, i),
				     len_of(t->me, q, i));
	for (int i = 0; i < CHUNKS * peers; i++)
		bad += !take_one(t);
	is_int(0, bad, "chunks that are not the next of whom they are said to be from");
	is_int(CHUNKS * peers, (long)t->stats.chunks_sent, "all that were sent are counted");
	is_int(CHUNKS * peers, (long)t->stats.chunks_received, "all that came are counted");
	bad = 0;
	while (t->unsent > 0)
		bad += t->ops->poll(t, &(int){ 0 }, &(size_t){ 0 }) != NULL;
	is_int(0, bad, "in the end nothing is unsent, and nothing more has come");
	meet(t);
}

int main(void)
{
	static const struct {
		int nprocs, node_size;
	} jobs[] = { { 2, 1 }, { 2, 2 }, { 3, 2 }, { 5, 2 }, { 7, 3 }, { 4, 1 }, { 4, 4 } };
	struct bspt_plan plan = { .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };
	const struct bspt_ops *mix = bspt_find("mix");

	plan.nprocs = 3;
	over_each(body, plan, "three processes");
	for (size_t i = 0; is_wanted(mix) && i < sizeof jobs / sizeof jobs[0]; i++) {
		plan.nprocs = jobs[i].nprocs;
		plan.wait_policy.spin_ns = i % 2 ? 20000 : 0;
		over_nodes(mix, body, plan, jobs[i].node_size, "nodes of a size");
	}
	return done_testing();
}
