// SPDX-License-Identifier: BSD-3-Clause
/* shm.c - the shared-memory transport: probe, prepare, open, close, and its table. */

#include "shm.h"

#include "transport/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/*
 * Larger transfers go straight to a window; below, a block costs less than the lines of a
 * second place.
 */
enum { MIN_DIRECT = 2048 };

/*
 * A job needs little, but with less of it neither its messages can be made nor most programs
 * run.
 */
static const struct bspt_need stack = { RLIMIT_STACK, 32 << 10 };

static int shm_probe(int nprocs, char *why, size_t len)
{
	if (nprocs > SHM_PROCS) {
		snprintf(why, len,
			 "it is for up to %d processes of a node, not %d; transport mix takes them "
			 "with more nodes (bsprun --nodes %d)",
			 SHM_PROCS, nprocs, (nprocs - 1) / SHM_PROCS + 1);
		return -EINVAL;
	}
	if (!bspt_limits_suffice(&stack, 1, why, len))
		return -ENOMEM;
	if (!bspt_shm_map_fits(nprocs)) {
		snprintf(why, len, "no address space for shared memory (ulimit -v)");
		return -ENOMEM;
	}
	return 0;
}

static int shm_prepare(struct bspt_plan *plan)
{
	struct shm_map *map = malloc(sizeof(*map));
	int err;

	if (!map)
		return -ENOMEM;
	err = bspt_shm_map_create(map, plan->wire, plan->nprocs, plan->reserve_bytes);
	if (err) {
		free(map);
		return err;
	}
	plan->shared = map;
	return 0;
}

/*
 * In their order of magnitude: as bspprobe measured them for 2 processes on two cores of an
 * x86-64 server.
 */
static const struct bspt_cost cost = { .L = 180, .o = 30, .g = 50, .G = 0.03 };

static int shm_open(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct bspt_shm *s = me < plan->nprocs ? calloc(1, sizeof(*s)) : NULL;

	if (!s)
		return me < plan->nprocs ? -ENOMEM : -ECANCELED;
	s->peers = calloc(plan->nprocs, sizeof(*s->peers));
	if (!s->peers) {
		free(s);
		return -ENOMEM;
	}
	s->base.me = me;
	s->base.nprocs = plan->nprocs;
	s->map = *(struct shm_map *)plan->shared;
	s->base.max_chunk = bspt_shm_room_most(&s->map);
	s->base.good_chunk = s->base.max_chunk;
	s->base.min_direct = MIN_DIRECT;
	s->base.min_bulk = SIZE_MAX;
	s->base.cost = cost;
	s->wait_policy = plan->wait_policy;
	s->holds_rounds = plan->holds_rounds;
	s->lost = plan->lost;
	s->scan = plan->nprocs <= SHM_SCAN;
	s->fences = bspt_shm_fences_open();
	bspt_shm_connect(s, me);
	for (int q = 0; (s->scan || plan->sums) && q < plan->nprocs; q++)
		bspt_shm_peer(s, q);
	if (plan->sums && bspt_shm_sums_open(s, plan, &bspt_shm_ops) < 0) {
		free(s->peers);
		free(s);
		return -ENOMEM;
	}
	bspt_shm_arena_open(s);
	bspt_shm_far_open(s);
	free(plan->shared);
	*out = &s->base;
	return 0;
}

/* Areas that are exposed still show pages of the segment: these stay where they are. */
static void shm_close(struct bspt *t)
{
	struct bspt_shm *s = bspt_shm_of(t);

	for (int i = 0; i < SHM_BUCKETS; i++)
		while (s->windows[i]) {
			struct shm_window *w = s->windows[i];

			s->windows[i] = w->next;
			free(w);
		}
	free(s->survey.plain);
	if (s->sums)
		bspt_shm_sums_close(s);
	bspt_shm_far_close(s);
	bspt_shm_arena_close(s);
	bspt_shm_map_destroy(&s->map);
	free(s->peers);
	free(s);
}

const struct bspt_ops bspt_shm_ops = {
	.name = "shm",
	.summary = "processes of one machine: shared memory",
	.caps = BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES | BSPT_CAP_WINDOW | BSPT_ONE_NODE |
		BSPT_PRIVILEGED,
	.node_most = SHM_PROCS,
	.cost = &cost,
	.accepts = bspt_accepts_none,
	.probe = shm_probe,
	.prepare = shm_prepare,
	.open = shm_open,
	.close = shm_close,
	.via = bspt_via_itself,
	.chunk = bspt_shm_chunk,
	.send = bspt_shm_send,
	.discard = bspt_shm_discard,
	.poll = bspt_shm_poll,
	.release = bspt_shm_release,
	.trim = bspt_shm_trim,
	.wait = bspt_shm_wait,
	.count_add = bspt_shm_count_add,
	.count_enter = bspt_shm_count_enter,
	.count_test = bspt_shm_count_test,
	.count_full = bspt_shm_count_full,
	.count_release = bspt_shm_count_release,
	.survey = bspt_shm_survey,
	.expose = bspt_shm_expose,
	.withdraw = bspt_shm_withdraw,
	.collect = bspt_shm_collect,
	.unexpose = bspt_shm_unexpose,
	.window_write = bspt_shm_window_write,
	.window_read = bspt_shm_window_read,
	.publish = bspt_shm_publish,
	.published_by = bspt_shm_published_by,
};
