/* SPDX-License-Identifier: BSD-3-Clause */
/* However much comes from peers of one kind, chunks from those of the other are polled. */
#include "../lib/transports.h"

/*
 * Nodes {0, 1} and {2, 3}. Process 0 is flooded by one process; yet the one chunk of another
 * arrives. If the flood is from the node it never finds nothing there, as it waits after
 * each chunk until more have left. Over a network chunks may leave only while it polls.
 */

enum { AHEAD = 4, MOST_AHEAD = 64 };

/* How many have left for process 0, and how many it has taken. */
static _Atomic uint64_t *sent(void)
{
	return &job.common->word[1][1];
}

static _Atomic uint64_t *taken(void)
{
	return &job.common->word[1][2];
}

static _Atomic uint64_t *enough(void)
{
	return &job.common->word[1][3];
}

static void flood(struct bspt *t)
{
	struct bspt *carrier = carrier_of(t, 0).t;
	uint64_t posted = 0;
	size_t len;
	int from;

	while (!atomic_load(enough()) || carrier->unsent > 0) {
		if (!atomic_load(enough()) && posted < atomic_load(taken()) + MOST_AHEAD) {
			post(t, 0, 1, 100);
			posted++;
		} else {
			t->ops->poll(t, &from, &len);
			sched_yield();
		}
		atomic_store(sent(), posted - carrier->unsent);
	}
	meet_silently(t);
}

/* All but process 0. */
static bool others_have_met(const struct bspt *t)
{
	return atomic_load(&job.common->word[0][0]) == (unsigned int)t->nprocs - 1;
}

/* Until the chunk of @rare has come; then what is left of the others. */
static void take(struct bspt *t, int rare)
{
	uint64_t n = 0;
	bool came = false;
	size_t len;
	int from;

	/* The number that the flooder has sent is final when it has met the others. */
	while (!came || !others_have_met(t) || n < atomic_load(sent())) {
		void *chunk;

		while (!came && rare != 1 && atomic_load(sent()) < n + AHEAD)
			sched_yield();
		chunk = t->ops->poll(t, &from, &len);
		if (!chunk)
			continue;
		release_chunk(t, from, chunk);
		if (from != rare) {
			atomic_store(taken(), ++n);
			continue;
		}
		came = true;
		atomic_store(enough(), 1);
	}
	meet_silently(t);
	ok(came, "the chunk of process %d has come", rare);
}

static void roles(struct bspt *t, int flooder, int rare)
{
	if (t->me == 0) {
		take(t, rare);
	} else if (t->me == flooder) {
		flood(t);
	} else {
		if (t->me == rare)
			post(t, 0, 1, 100);
		while (!atomic_load(enough())) {
			size_t len;
			int from;

			t->ops->poll(t, &from, &len);
			sched_yield();
		}
		meet_silently(t);
	}
	meet(t);
}

static void near_flood(struct bspt *t)
{
	roles(t, 1, 2);
}

static void far_flood(struct bspt *t)
{
	roles(t, 2, 1);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 4, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };
	const struct bspt_ops *mix = bspt_find("mix");

	if (!is_wanted(mix))
		skip_all("not applicable: this is about mix");
	over_nodes(mix, near_flood, plan, 2, "a flood from the node");
	over_nodes(mix, far_flood, plan, 2, "a flood from elsewhere");
	return done_testing();
}
