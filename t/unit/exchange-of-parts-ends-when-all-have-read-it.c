/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of an exchange are not replaced before the slowest process has read them. */

/*
 * The last process takes part in the first exchange only, as in a job for fewer processes than
 * were started. Nothing that it says later keeps the others from their next exchanges.
 */

#include "job/discover/discover.h"

#include "../lib/tap.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 4, LAST = N - 1, ROUNDS = 4, JOBS = 100, HELD_MS = 300 };

/* The posts of two parts: all processes but the last, and the last; a post is never freed. */
static struct bspj_post *here, *there;
static struct bspj_post *whole[JOBS];	/* of a part of all */
static int job;
static atomic_int *ended;		/* processes that have made all their exchanges */

static void keep_word(void *arg, int p, const void *its)
{
	memcpy((int *)arg + p, its, sizeof(int));
}

/* How many words of exchange @round of @n processes were not those of the exchange. */
static int wrong_words(struct bspj_post *post, int me, int n, int round)
{
	int mine = 100 * round + me, all[N], wrong = 0;

	if (bspj_post_exchange(post, me, &mine, sizeof(mine), keep_word, all, n) < 0)
		return N;
	for (int p = 0; p < n; p++)
		wrong += all[p] != 100 * round + p;
	return wrong;
}

/* Process @me of the job: all have the first exchange, all but the last the rest. */
static void take_part(struct bspj_post *post, int me)
{
	int wrong = wrong_words(post, me, N, 1);

	for (int round = 2; round <= ROUNDS && me != LAST; round++)
		wrong += wrong_words(post, me, N - 1, round);
	is_int(0, wrong, "all words are those of their exchange");
	atomic_fetch_add(ended, 1);
}

/* Have the processes from @first to @last said theirs? Then the other part has it, too. */
static bool forward(struct bspj_post *from, struct bspj_post *to, int first, int last,
		    uint32_t round)
{
	uint32_t len;

	for (int p = first; p <= last; p++)
		if (!bspj_post_has_said(from, p, round))
			return false;
	for (int p = first; p <= last; p++) {
		const void *said = bspj_post_data(from, p, round, &len);

		bspj_post_write(to, p, round, said, len);
	}
	bspj_post_publish(to, last + 1, round);
	return true;
}

/*
 * The supervisors of both parts, in the two rounds that the last process takes part in. It waits
 * for the others, whose words are held back until these have gone on to later exchanges, which they
 * must not, or have had time for it.
 */
static void supervise(void)
{
	uint64_t held_until = bspt_now_ns() + (uint64_t)HELD_MS * 1000000;
	uint32_t here_at = 1, there_at = 1;
	bool held = true;

	while (atomic_load(ended) < N) {
		there_at += there_at <= 2 && forward(there, here, LAST, LAST, there_at);
		for (int p = 0; p < LAST; p++)
			held = held && !bspj_post_has_said(here, p, 3);
		held = held && bspt_now_ns() < held_until;
		if (!held)
			here_at += here_at <= 2 && forward(here, there, 0, LAST - 1, here_at);
		sched_yield();
	}
}

static void two_parts(int me, int nprocs)
{
	if (me == nprocs - 1)
		supervise();
	else
		take_part(me == LAST ? there : here, me);
}

static void one_part(int me, int nprocs)
{
	(void)nprocs;
	take_part(whole[job], me);
}

int main(void)
{
	ended = mmap(NULL, sizeof(*ended), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	here = bspj_post_create(N, 0, LAST - 1);
	there = bspj_post_create(N, LAST, LAST);
	if (ended == MAP_FAILED || !here || !there)
		bail("no memory");
	procs_ok(two_parts, N + 1, "between parts, one of which hears late of the other");
	for (job = 0; job < JOBS; job++) {
		whole[job] = bspj_post_create(N, 0, LAST);
		if (!whole[job])
			bail("no memory");
		procs_ok(one_part, N, "inside a part, job %d", job);
	}
	return done_testing();
}
