// SPDX-License-Identifier: BSD-3-Clause
/* mix.c - shared memory inside a node, a network between nodes: open, close, and the table. */

#include "mix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Open, close ----------------------------------------------------------- */

/* The transport that a process has chosen to go between nodes. */
struct choice {
	char name[16];
};

static void disagree(const struct bspt_plan *plan, struct choice mine, int q, struct choice other)
{
	char why[200];

	snprintf(why, sizeof(why),
		 "between nodes it has %.15s, this process %.15s; BSP_FAR names one for all",
		 other.name, mine.name);
	if (plan->lost)
		plan->lost(q, why);
}

struct agreement {
	const struct bspt_plan *plan;
	struct choice mine;
	int err;
};

static void agree_with(void *arg, int q, const void *its)
{
	struct agreement *a = arg;
	struct choice other;

	memcpy(&other, its, sizeof(other));
	if (a->err || memcmp(&other, &a->mine, sizeof(other)) == 0)
		return;
	disagree(a->plan, a->mine, q, other);
	a->err = -EINVAL;
}

/*
 * Processes that a launcher has started choose the far transport each for itself. If they differ
 * they would wait for each other for ever.
 */
static int agree(const struct mix_shared *shared, const struct bspt_plan *plan)
{
	struct agreement a = { .plan = plan };
	int err;

	if (!shared->far || plan->wire->inherits)
		return 0;
	snprintf(a.mine.name, sizeof(a.mine.name), "%s", shared->far->name);
	err = plan->wire->exchange(plan->wire, &a.mine, sizeof(a.mine), agree_with, &a);
	return err ? err : a.err;
}

static int open_far(struct bspt_mix *m, const struct bspt_plan *plan, int me)
{
	struct bspt_plan far = bspt_mix_plan_far(plan, m->shared, bspt_mix_node_of(plan, me));

	return m->shared->far ? bspt_open(m->shared->far, &far, me, &m->far) : 0;
}

/* Number the processes of this node, and open its object with the number of this process there. */
static int open_near(struct bspt_mix *m, const struct bspt_plan *plan, int me)
{
	int ours = bspt_mix_node_of(plan, me), number;
	struct mix_node *node = &m->shared->nodes[ours];
	struct bspt_plan near;

	if (!bspt_mix_has_near(m->shared, ours))
		return 0;
	for (int p = 0; p < plan->nprocs; p++)
		if (bspt_mix_node_of(plan, p) == ours)
			m->near_number[m->nnear++] = p;
	number = bspt_mix_number(m, me);
	near = bspt_mix_plan_near(plan, node);
	near.numbers = m->near_number;
	node->wire->base.me = number;
	return bspt_open(m->shared->near, &near, number, &m->near);
}

static size_t mix_smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* For callers that do not ask the carrier. */
static void mix_set_limits(struct bspt_mix *m)
{
	const struct bspt *any = m->near ? m->near : m->far, *other = m->far ? m->far : any;

	m->base.max_chunk = mix_smaller(any->max_chunk, other->max_chunk);
	m->base.good_chunk = mix_smaller(any->good_chunk, other->good_chunk);
	m->base.min_direct = m->near ? m->near->min_direct : SIZE_MAX;
	m->base.min_bulk = SIZE_MAX;
	m->base.cost = m->far ? m->far->cost : m->near->cost;
	m->base.inside = *m->shared->near->cost;
}

/* The far one has all processes of the job. */
static void offer_schedules(struct bspt_mix *m)
{
	if (!m->far)
		return;
	m->base.runs_schedules = m->far->runs_schedules;
	m->base.pinnable = m->far->pinnable;
	m->base.multicasts = m->far->multicasts;
	m->base.networks = m->far->networks;
}

static void mix_destroy(struct bspt_mix *m)
{
	bspt_mix_count_close(m);
	free(m->near_number);
	free(m);
}

static struct bspt_mix *mix_create(const struct bspt_plan *plan, int me)
{
	struct bspt_mix *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->base.me = me;
	m->base.nprocs = plan->nprocs;
	m->wait_policy = plan->wait_policy;
	m->shared = plan->shared;
	m->near_number = calloc(m->shared->nodes[bspt_mix_node_of(plan, me)].nprocs,
				sizeof(*m->near_number));
	if (m->near_number)
		return m;
	mix_destroy(m);
	return NULL;
}

/* A process that the job has no use for: the network may want something of it. */
static int stand_by(struct mix_shared *shared, const struct bspt_plan *plan, int me)
{
	struct bspt_plan far = bspt_mix_plan_far(plan, shared, -1);
	struct bspt *none;
	int err = shared->far ? bspt_open(shared->far, &far, me, &none) : -ECANCELED;

	if (err == -ECANCELED)
		bspt_mix_shared_release(shared, false);
	return err;
}

/* The near one first: to close the far one may take all of the job. */
static int mix_open(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct bspt_mix *m;
	int err;

	if (me >= plan->nprocs)
		return stand_by(plan->shared, plan, me);
	m = mix_create(plan, me);
	if (!m)
		return -ENOMEM;
	err = agree(m->shared, plan);
	if (!err)
		err = open_near(m, plan, me);
	if (err)
		goto err_object;
	err = bspt_mix_count_open(m, bspt_mix_node_of(plan, me));
	if (!err)
		err = open_far(m, plan, me);
	if (err)
		goto err_near;
	mix_set_limits(m);
	offer_schedules(m);
	*out = &m->base;
	return 0;

err_near:
	if (m->near)
		m->near->ops->close(m->near);
err_object:
	mix_destroy(m);
	return err;
}

static void mix_close(struct bspt *t)
{
	struct bspt_mix *m = bspt_mix_of(t);

	if (m->far)
		m->far->ops->close(m->far);
	if (m->near)
		m->near->ops->close(m->near);
	bspt_mix_drop_cards(m->shared);
	bspt_mix_shared_release(m->shared, m->near);
	mix_destroy(m);
}

const struct bspt_ops bspt_mix_ops = {
	.name = "mix",
	.summary = "processes of many machines: shm inside a node, BSP_FAR between nodes",
	.caps = BSPT_CAP_COUNTING_NODES | BSPT_CAP_WINDOW | BSPT_CAP_SCHEDULE | BSPT_ASKS_PLUGINS,
	.node_most = BSPT_NODE_MOST,
	.accepts = bspt_accepts_none,
	.probe = bspt_mix_probe,
	.prepare = bspt_mix_prepare,
	.open = mix_open,
	.close = mix_close,
	.via = bspt_mix_via,
	.chunk = bspt_mix_chunk,
	.send = bspt_mix_send,
	.discard = bspt_mix_discard,
	.poll = bspt_mix_poll,
	.release = bspt_mix_release,
	.trim = bspt_mix_trim,
	.wait = bspt_mix_wait,
	.count_add = bspt_mix_count_add,
	.count_enter = bspt_mix_count_enter,
	.count_test = bspt_mix_count_test,
	.count_full = bspt_mix_count_full,
	.count_release = bspt_mix_count_release,
	.survey = bspt_mix_survey,
	.expose = bspt_mix_expose,
	.withdraw = bspt_mix_withdraw,
	.collect = bspt_mix_collect,
	.unexpose = bspt_mix_unexpose,
	.window_write = bspt_mix_window_write,
	.window_read = bspt_mix_window_read,
	.publish = bspt_mix_publish,
	.published_by = bspt_mix_published_by,
	.schedule_load = bspt_mix_schedule_load,
	.schedule_start = bspt_mix_schedule_start,
	.schedule_over = bspt_mix_schedule_over,
	.schedule_finish = bspt_mix_schedule_finish,
	.schedule_unload = bspt_mix_schedule_unload,
};
