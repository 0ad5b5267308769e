// SPDX-License-Identifier: BSD-3-Clause
/* chosen.c - barriers and operations of 8 bytes as the library chooses, and by each algorithm. */

/*
 *	chosen		prints lines as "bcast chosen 463.2", "bcast binomial 1902.7": in us
 *
 * "chosen" are bsp_sync, bsp_bcast, bsp_allgather and bsp_allreduce; the others are schedules that
 * this program loads, barriers with counts as bsp_sync has them. The processes share a clock. Each
 * round begins at a time that process 0 sets, for which all sleep so long that nothing of the
 * round before is under way any more; it ends when the last of them is done. The least of several
 * rounds is printed: virtual time repeats that, while what else the processor does adds to others.
 */
#include "goal/gen/goal_gen.h"

#include <bsp.h>
#include <bsp_coll.h>
#include <bsp_goal.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9, PAUSE_NS = 40000000, NPROCS_MOST = 16 };

static const enum goal_kind kinds[] = { GOAL_BARRIER, GOAL_BCAST, GOAL_ALLGATHER, GOAL_ALLREDUCE };
static const int arities[] = { 3, 4, 8 };

static double mine, all[NPROCS_MOST];
static void *const buffers[2] = { &mine, all };
static int64_t begin_ns, ended_ns[NPROCS_MOST];

/* ---- Operations --- */

static void make_chosen(enum goal_kind kind)
{
	if (kind == GOAL_BARRIER)
		bsp_sync();
	else if (kind == GOAL_BCAST)
		bsp_bcast(0, &mine, all, sizeof mine);
	else if (kind == GOAL_ALLGATHER)
		bsp_allgather(&mine, all, sizeof mine);
	else
		bsp_allreduce(BSP_SUM, BSP_DOUBLE, &mine, all, 1);
}

/* By @s, or as the library chooses if it is NULL; what comes is compared with what should. */
static void make(enum goal_kind kind, struct goal_schedule *s)
{
	int n = bsp_nprocs();
	double wanted = kind == GOAL_ALLREDUCE ? n * (n + 1) / 2 : 1;

	mine = bsp_pid() + 1;
	all[0] = kind == GOAL_BCAST && s ? mine : -1;	/* which is in place then */
	if (s)
		goal_wait(goal_start(s, buffers));
	else
		make_chosen(kind);
	if (kind != GOAL_BARRIER && all[0] != wanted)
		bsp_abort("chosen: %s brought %g, not %g\n", goal_kind_name(kind), all[0], wanted);
	if (kind == GOAL_ALLGATHER && all[n - 1] != n)
		bsp_abort("chosen: an allgather brought %g, not %d\n", all[n - 1], n);
}

/* ---- Time --- */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void sleep_until(int64_t when_ns)
{
	struct timespec t = { when_ns / 1000000000, when_ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* On process 0, what a round takes. */
static double round_us(enum goal_kind kind, struct goal_schedule *s)
{
	int64_t t = now_ns() + PAUSE_NS, last = 0;

	for (int q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, &t, &begin_ns, 0, sizeof t);
	bsp_sync();
	if (now_ns() > begin_ns)
		bsp_abort("chosen: the pause is too short\n");
	sleep_until(begin_ns);
	make(kind, s);
	t = now_ns();
	bsp_put(0, &t, ended_ns, bsp_pid() * (int)sizeof t, sizeof t);
	bsp_sync();
	for (int q = 0; q < bsp_nprocs(); q++)
		last = ended_ns[q] > last ? ended_ns[q] : last;
	return (double)(last - begin_ns) * 1e-3;
}

static void measure(enum goal_kind kind, struct goal_schedule *s, const char *name)
{
	double least;

	round_us(kind, s);	/* in which the library loads what it has chosen */
	least = round_us(kind, s);
	for (int i = 1; i < ROUNDS; i++)
		least = fmin(least, round_us(kind, s));
	if (bsp_pid() == 0)
		printf("%s %s %.1f\n", goal_kind_name(kind), name, least);
}

/* ---- Algorithms --- */

static void measure_task(const struct goal_task *t)
{
	struct goal_schedule *s;
	char name[64], arity[16] = "", why[160];
	size_t len;
	void *block = goal_generate(t, bsp_nprocs(), bsp_pid(), &len, why, sizeof why);

	if (!block)
		return;		/* not of doubles, or not of so few elements: nowhere */
	s = goal_load(block, len);
	free(block);
	if (t->algorithm->has_arity)
		snprintf(arity, sizeof arity, ":%d", t->arity);
	snprintf(name, sizeof name, "%s%s%s", t->algorithm->name, arity,
		 t->release == GOAL_RELEASE_MULTICAST ? "+multicast" : "");
	measure(t->kind, s, name);
	goal_unload(s);
}

/* With each arity and each release that it can have. */
static void measure_algorithm(enum goal_kind kind, const struct goal_algorithm *a)
{
	struct goal_counts counts = { .words = false };
	struct goal_task t = {
		.kind = kind, .algorithm = a, .bytes = kind == GOAL_BARRIER ? 0 : sizeof mine,
		.networks = 1, .function = GOAL_ADD, .datatype = GOAL_F64, .call = -1,
		.counts = &counts, .source = 0, .target = 1,
	};

	if (kind == GOAL_BCAST)
		t.source = 1;
	for (int i = 0; i < (a->has_arity ? (int)(sizeof arities / sizeof arities[0]) : 1); i++)
		for (int release = 0; release <= a->has_release; release++) {
			t.arity = arities[i];
			t.release = release ? GOAL_RELEASE_MULTICAST : GOAL_RELEASE_TREE;
			measure_task(&t);
		}
}

int main(void)
{
	const struct goal_algorithm *a;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&begin_ns, sizeof begin_ns);
	bsp_push_reg(ended_ns, sizeof ended_ns);
	bsp_sync();
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		measure(kinds[k], NULL, "chosen");
		for (unsigned int i = 0; (a = goal_algorithm(kinds[k], i)); i++)
			measure_algorithm(kinds[k], a);
	}
	bsp_end();
	return 0;
}
