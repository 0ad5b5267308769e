// SPDX-License-Identifier: BSD-3-Clause
/* shm_sync.c - the counted barrier of shared memory, and waiting. */

/*
 * A counting barrier is a tree of counters that only grow: a node with k children is complete in
 * round r when it is k r, and the process that completes it goes on to the parent. The process
 * that completes the root publishes the round. One cache line is read by all waiters, and each
 * counter is touched by at most SHM_FANIN.
 *
 * Counts and words use the slots of the parity of the round. A slot of round r is set anew for
 * round r + 2, which no process adds to before all have entered r + 1, and by then all have read
 * the values of r:
 *   counted  is cleared by its owner when it reads it;
 *   result   is cleared by the process that completes round r + 1.
 *
 * A round that is held does not end when it is full: process 0 finds that, and ends it. So it is
 * that process which completes the round.
 *
 * Order. Stores of a process before count_enter() are released by its addition to its
 * node, acquired and released again by those on the way up (acq_rel), and
 * released to all by the store to round, which count_test() acquires. In a round that is held the
 * store to full releases them to process 0, whose count_full() acquires it, and its store to round
 * releases them to all, with what that process adds.
 */

#include "shm.h"


/* Looks at the rings between two looks at the clock. */
enum { LOOKS = 512 };

/* ---- Counting ------------------------------------------------------------ */

void bspt_shm_count_add(struct bspt *t, int peer, uint32_t n)
{
	struct bspt_shm *s = bspt_shm_of(t);

	atomic_fetch_add_explicit(&s->map.ranks[peer].counted[(s->round + 1) % 2], n,
				  memory_order_relaxed);
}

static void shm_add_word(struct bspt_shm *s, uint32_t word)
{
	struct shm_root *root = s->map.root;

	atomic_fetch_or_explicit(&root->result[s->round % 2].any, word, memory_order_relaxed);
	atomic_fetch_or_explicit(&root->result[s->round % 2].lacking, ~word, memory_order_relaxed);
	atomic_fetch_add_explicit(&root->result[s->round % 2].words, 1, memory_order_relaxed);
}

/*
 * Is this the arrival that completes the tree? Each addition pairs with the later ones to its node:
 * acq_rel, as all but the last are read and the last reads, so the process that goes on has what
 * all below the node did before.
 */
static bool climb(struct bspt_shm *s)
{
	struct shm_root *root = s->map.root;
	int i = s->base.me, n = s->base.nprocs, first = 0;

	for (;;) {
		int node = i / SHM_FANIN;
		int children = n - node * SHM_FANIN < SHM_FANIN ? n - node * SHM_FANIN : SHM_FANIN;
		uint32_t before = atomic_fetch_add_explicit(&root->node[first + node].arrived, 1,
							    memory_order_acq_rel);

		if (before + 1 != children * s->round)
			return false;
		if (n <= SHM_FANIN)
			return true;
		first += (n + SHM_FANIN - 1) / SHM_FANIN;
		n = (n + SHM_FANIN - 1) / SHM_FANIN;
		i = node;
	}
}

static void wake_all(struct bspt_shm *s)
{
	/* As in bspt_shm_wake(): the sleeper counts itself before its barrier. */
	atomic_signal_fence(memory_order_seq_cst);
	if (!atomic_load_explicit(&s->map.root->sleepers, memory_order_relaxed))
		return;
	for (int q = 0; q < s->base.nprocs; q++)
		bspt_shm_wake(s, q);
}

/*
 * The results of the next round are cleared before its first addition: their stores are released
 * with the round, which each process acquires before it enters the next. Pairs with
 * round_has_ended().
 */
static void shm_publish_round(struct bspt_shm *s)
{
	struct shm_root *root = s->map.root;
	int next = (s->round + 1) % 2;

	if (atomic_load_explicit(&root->result[next].words, memory_order_relaxed)) {
		atomic_store_explicit(&root->result[next].any, 0, memory_order_relaxed);
		atomic_store_explicit(&root->result[next].lacking, 0, memory_order_relaxed);
		atomic_store_explicit(&root->result[next].words, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&root->round, s->round, memory_order_release);
	wake_all(s);
}

void bspt_shm_count_enter(struct bspt *t, uint32_t word)
{
	struct bspt_shm *s = bspt_shm_of(t);

	s->round++;
	s->entered = true;
	s->full = false;
	if (word)
		shm_add_word(s, word);
	if (!climb(s))
		return;
	if (s->holds_rounds) {
		/* Pairs with round_is_full(). */
		atomic_store_explicit(&s->map.root->full, s->round, memory_order_release);
		bspt_shm_wake(s, 0);
	} else {
		shm_publish_round(s);
	}
}

/* Pairs with the release in shm_publish_round(): words and counts of the round are there. */
static bool round_has_ended(const struct bspt_shm *s)
{
	return s->entered && atomic_load_explicit(&s->map.root->round,
						  memory_order_acquire) == s->round;
}

static void shm_take_words(const struct bspt_shm *s, struct bspt_counts *result)
{
	const struct shm_root *root = s->map.root;
	int now = s->round % 2;
	uint32_t words = atomic_load_explicit(&root->result[now].words, memory_order_relaxed);

	result->any = atomic_load_explicit(&root->result[now].any, memory_order_relaxed);
	result->all = words == (uint32_t)s->base.nprocs ?
		~atomic_load_explicit(&root->result[now].lacking, memory_order_relaxed) : 0;
}

bool bspt_shm_count_test(struct bspt *t, struct bspt_counts *result)
{
	struct bspt_shm *s = bspt_shm_of(t);
	_Atomic uint64_t *counted = &s->map.ranks[t->me].counted[s->round % 2];

	if (!round_has_ended(s))
		return false;
	s->entered = false;
	result->chunks = atomic_load_explicit(counted, memory_order_relaxed);
	if (result->chunks)
		atomic_store_explicit(counted, 0, memory_order_relaxed);
	shm_take_words(s, result);
	return true;
}

/* Pairs with the release in count_enter(): what all have added to the round is there. */
static bool round_is_full(const struct bspt_shm *s)
{
	return s->holds_rounds && s->base.me == 0 && s->entered && !s->full &&
	       atomic_load_explicit(&s->map.root->full, memory_order_acquire) == s->round;
}

/* A segment has no processes of other nodes: @out stays. */
bool bspt_shm_count_full(struct bspt *t, uint32_t *out, struct bspt_counts *node)
{
	struct bspt_shm *s = bspt_shm_of(t);

	(void)out;
	if (!round_is_full(s))
		return false;
	s->full = true;
	shm_take_words(s, node);
	return true;
}

/* Words of all that are 0 are 0 here. */
void bspt_shm_count_release(struct bspt *t, const uint32_t *in, const struct bspt_counts *all)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_root *root = s->map.root;
	int now = s->round % 2;

	for (int i = 0; i < t->nprocs; i++)
		if (in[i])
			atomic_fetch_add_explicit(&s->map.ranks[i].counted[now], in[i],
						  memory_order_relaxed);
	if (all->any) {
		atomic_store_explicit(&root->result[now].any, all->any, memory_order_relaxed);
		atomic_store_explicit(&root->result[now].lacking, ~all->all, memory_order_relaxed);
		atomic_store_explicit(&root->result[now].words, (uint32_t)t->nprocs,
				      memory_order_relaxed);
	}
	shm_publish_round(s);
}

/* ---- Waiting ------------------------------------------------------------- */

static bool something_new(const struct bspt_shm *s)
{
	return round_has_ended(s) || round_is_full(s) || bspt_shm_arrived(s);
}

/*
 * The pause instruction takes up to 140 cycles, about as long as a cache line
 * takes from core to core; so the first looks do without.
 */
static bool shm_look_for_a_while(const struct bspt_shm *s, bool pause)
{
	for (int i = 0; i < LOOKS; i++) {
		if (something_new(s))
			return true;
		if (pause)
			bspt_pause();
	}
	return false;
}

/*
 * A backlog moves when its receiver polls, which wakes no process: no sleep with one. The first
 * yield needs no time, and is the only one of most processes where all take turns.
 */
void bspt_shm_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_shm *s = bspt_shm_of(t);
	uint64_t now, waited = 0;

	if (idle == 0)
		s->waiting_since = 0;
	if (s->wait_policy.spin_ns ? shm_look_for_a_while(s, idle > 0) : something_new(s))
		return;
	if (s->wait_policy.spin_ns || idle > 0) {
		now = bspt_now_ns();
		if (!s->waiting_since)
			s->waiting_since = now;
		waited = now - s->waiting_since;
	}
	if (bspt_wait_step(t, &s->wait_policy, waited, t->unsent || idle == 0))
		bspt_shm_sleep(s, something_new);
}
