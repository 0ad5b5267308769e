/* SPDX-License-Identifier: BSD-3-Clause */
/* Shm between threads, not processes: so ThreadSanitizer sees both ends of everything. */

/*
 * Each thread opens the transport for a process of one plan. They exchange
 * random chunks and counting barriers, whose rounds end by themselves or are held; some chunks are
 * kept for a while; plain memory is handed on by counting barriers and published numbers alone.
 * Without ThreadSanitizer this is a
 * test of stress. It sees windows only at one of their two addresses; so published numbers have to
 * guard plain memory here instead.
 */

#include "../lib/transports.h"

#include "transport/shm/shm.h"

#include <pthread.h>

enum { MOST_THREADS = 12, KEPT = 12, BURST = 24, LAST_SIZE = 4000 };

static struct bspt_plan plan_of_all;
static uint32_t rounds;
static atomic_int faults;
static atomic_ullong sleeps;

/* Plain memory of each thread, read by the others between two counting barriers ... */
static uint32_t handed_by_counting[MOST_THREADS][16];
/* ... of the first one, written when a round that is held is full, for those that leave it ... */
static uint32_t handed_by_releasing;
/* ... and after a published number: element i is written before number i + 1, and never again. */
static uint32_t *handed_by_publishing[MOST_THREADS];

struct letter {
	uint32_t round, seed, len;
	unsigned char bytes[];
};

/* A thread in the place of a process. */
struct thread {
	pthread_t id;
	int me;
	struct bspt *t;
	uint64_t here[2];	/* chunks that have arrived, by parity of their round */
	uint32_t left;		/* counting barriers */
	uint32_t order[MOST_THREADS];	/* letters that have come from each */
	uint32_t sent[MOST_THREADS];
	uint32_t seen[MOST_THREADS];	/* published number */
	struct {
		void *chunk;
		int from;
	} kept[KEPT];		/* not yet given back, oldest first from kept[first % KEPT] */
	uint32_t first, last;
};

static void expect(bool good)
{
	if (!good)
		atomic_fetch_add(&faults, 1);
}

static void send_letter(struct thread *th, uint32_t round, int q)
{
	uint32_t seed = mixed((uint32_t)th->me, (uint32_t)q, th->sent[q]++);
	size_t len = seed % 5 ? seed / 5 % 140 : seed / 5 % LAST_SIZE, room;
	struct letter *l = chunk_for(th->t, q, sizeof *l + len, &room);

	if (seed % 11 == 0) {
		th->t->ops->discard(th->t, q, l);
		l = chunk_for(th->t, q, sizeof *l + len, &room);
	}
	*l = (struct letter){ round, seed, (uint32_t)len };
	fill(l->bytes, len, seed);
	th->t->ops->send(th->t, q, l, sizeof *l + len);
	th->t->ops->count_add(th->t, q, 1);
}

static void send_some(struct thread *th, uint32_t round)
{
	int n = th->t->nprocs;

	for (int i = 0; i < 3; i++) {
		uint32_t x = mixed(round, (uint32_t)th->me, (uint32_t)i);
		int q = (th->me + 1 + (int)(x % (uint32_t)(n - 1))) % n;

		for (uint32_t k = x / 64 % BURST; k > 0; k--)
			send_letter(th, round, q);
	}
}

static bool is_right(const struct thread *th, const struct letter *l, size_t len, int from)
{
	return l->seed == mixed((uint32_t)from, (uint32_t)th->me, th->order[from]) &&
	       len == sizeof *l + l->len && wrong(l->bytes, l->len, l->seed) == 0;
}

static void give_back_oldest(struct thread *th)
{
	int from = th->kept[th->first % KEPT].from;

	th->t->ops->release(th->t, from, th->kept[th->first % KEPT].chunk);
	th->first++;
}

/* Take in one chunk, or wait. */
static void pump(struct thread *th, unsigned int *idle)
{
	size_t len;
	int from;
	struct letter *l = th->t->ops->poll(th->t, &from, &len);

	if (!l) {
		th->t->ops->wait(th->t, (*idle)++);
		return;
	}
	*idle = 0;
	expect(is_right(th, l, len, from));
	th->order[from]++;
	th->here[l->round % 2]++;
	if (th->last - th->first == KEPT)
		give_back_oldest(th);
	th->kept[th->last % KEPT].chunk = l;
	th->kept[th->last % KEPT].from = from;
	th->last++;
}

/* The first one ends the round when it is full. Others count for each process as often as it is. */
static void release_held(struct thread *th, uint32_t round)
{
	uint32_t in[MOST_THREADS], out[MOST_THREADS];
	struct bspt_counts words;
	unsigned int idle = 0;

	while (!th->t->ops->count_full(th->t, out, &words))
		pump(th, &idle);
	for (int q = 0; q < th->t->nprocs; q++) {
		expect(handed_by_counting[q][0] == round);
		in[q] = (uint32_t)q;
	}
	handed_by_releasing = th->left + 1;
	th->t->ops->count_release(th->t, in, &words);
}

static struct bspt_counts enter_and_leave(struct thread *th, uint32_t round, uint32_t word)
{
	struct bspt_counts seen;
	unsigned int idle = 0;

	th->t->ops->count_enter(th->t, word);
	if (plan_of_all.holds_rounds && th->me == 0)
		release_held(th, round);
	while (!th->t->ops->count_test(th->t, &seen))
		pump(th, &idle);
	th->left++;
	if (!plan_of_all.holds_rounds)
		return seen;
	expect(handed_by_releasing == th->left && seen.chunks >= (uint64_t)th->me);
	seen.chunks -= (uint64_t)th->me;
	return seen;
}

static void look_at_published(struct thread *th)
{
	for (int q = 0; q < th->t->nprocs; q++) {
		uint32_t number = th->t->ops->published_by(th->t, q);

		expect(number >= th->seen[q]);
		if (number > 0)
			expect(handed_by_publishing[q][number - 1] ==
			       mixed((uint32_t)q, number, 5));
		th->seen[q] = number;
	}
}

static void publish_next(struct thread *th, uint32_t value)
{
	handed_by_publishing[th->me][value - 1] = mixed((uint32_t)th->me, value, 5);
	th->t->ops->publish(th->t, value);
}

static void run_round(struct thread *th, uint32_t round)
{
	struct bspt_counts seen;
	unsigned int idle = 0;

	publish_next(th, round + 1);
	send_some(th, round);
	look_at_published(th);
	handed_by_counting[th->me][0] = round;
	seen = enter_and_leave(th, round, round % 3 ? 0 : 1u << th->me);
	expect(seen.any == (round % 3 ? 0 : (1u << th->t->nprocs) - 1) && seen.all == 0);
	while (th->here[round % 2] < seen.chunks)
		pump(th, &idle);
	expect(th->here[round % 2] == seen.chunks);
	th->here[round % 2] = 0;
	for (int q = 0; q < th->t->nprocs; q++)
		expect(handed_by_counting[q][0] == round);
	seen = enter_and_leave(th, round, round | 1u << 31);
	expect(seen.all == (round | 1u << 31));
}

/* open() uses up what plan.shared points to, so each thread has its own. */
static struct bspt *open_one(int me)
{
	struct bspt_plan plan = plan_of_all;
	struct shm_map *map = malloc(sizeof *map);
	struct bspt *t;

	*map = *(const struct shm_map *)plan_of_all.shared;
	plan.shared = map;
	if (bspt_open(bspt_find("shm"), &plan, me, &t))
		bail("open");
	return t;
}

static void *run(void *arg)
{
	struct thread *th = arg;

	th->t = open_one(th->me);
	for (uint32_t round = 0; round < rounds; round++) {
		run_round(th, 2 * round);
		run_round(th, 2 * round + 1);
	}
	while (th->first != th->last)
		give_back_oldest(th);
	enter_and_leave(th, 2 * rounds - 1, 0);
	atomic_fetch_add(&sleeps, th->t->stats.sleeps);
	return NULL;
}

static void start_threads(struct thread *threads, int n)
{
	for (int p = 0; p < n; p++) {
		threads[p].me = p;
		handed_by_publishing[p] = calloc(2 * rounds, sizeof *handed_by_publishing[p]);
		if (pthread_create(&threads[p].id, NULL, run, &threads[p]))
			bail("no thread");
	}
}

static void between_threads(int n, uint32_t turns, struct bspt_wait_policy wait_policy,
			    bool holds_rounds, const char *how)
{
	static struct thread threads[MOST_THREADS];

	memset(threads, 0, sizeof threads);
	atomic_store(&faults, 0);
	atomic_store(&sleeps, 0);
	rounds = turns;
	plan_of_all = (struct bspt_plan){ .nprocs = n, .wait_policy = wait_policy,
					  .holds_rounds = holds_rounds,
					  .reserve_bytes = (size_t)32 << 20,
					  .wire = local_wire(n, 0) };
	if (bspt_find("shm")->prepare(&plan_of_all))
		bail("prepare");
	start_threads(threads, n);
	for (int p = 0; p < n; p++) {
		pthread_join(threads[p].id, NULL);
		free(handed_by_publishing[p]);
	}
	/*
	 * The first one takes the segment away, which is one mapping here and not one of each
	 * process.
	 */
	for (int p = 0; p < n; p++)
		threads[p].t->ops->close(threads[p].t);
	free(plan_of_all.shared);
	bspj_wire_local_free(plan_of_all.wire);
	is_int(0, atomic_load(&faults),
	       "%d threads, %s: chunks, counting barriers or published numbers that were wrong",
	       n, how);
	ok(wait_policy.yield_ns || atomic_load(&sleeps) > 0,
	   "%d threads, %s: they slept if they had to", n, how);
}

int main(void)
{
	const struct bspt_wait_policy patient = { .spin_ns = 2000,
					       .yield_ns = (uint64_t)60 * 1000000000 };
	const struct bspt_wait_policy sleepy = { .spin_ns = 0 };
	const struct bspt_ops *shm = bspt_find("shm");

	if (!shm || !is_wanted(shm))
		skip_all("not applicable: this is about shm");
	between_threads(2, 300, patient, false, "yielding");
	between_threads(2, 300, sleepy, false, "sleeping");
	between_threads(4, 150, patient, false, "yielding");
	between_threads(4, 150, sleepy, false, "sleeping");
	between_threads(11, 30, patient, false, "yielding");
	between_threads(11, 30, sleepy, false, "sleeping");
	between_threads(2, 300, sleepy, true, "sleeping, rounds held");
	between_threads(4, 150, patient, true, "yielding, rounds held");
	between_threads(11, 30, sleepy, true, "sleeping, rounds held");
	return done_testing();
}
