// SPDX-License-Identifier: BSD-3-Clause
/* coll_neighbor.c - blocks to and from neighbours alone, by a schedule of each process's own. */

/*
 * A process knows its neighbours and no others, so no two processes need to have the same list, and
 * none knows whether another one has changed its list since the last call. Therefore there is one
 * family of schedules for all calls, loaded by all processes in the first one: a process has a
 * member of it for each list that it has used, and runs are counted by the family. So the n-th run
 * is the same everywhere, whichever members it is a run of.
 *
 * Order. All receives are posted first. Messages leave by the distance from this process to the
 * receiver, modulo p: where all processes have neighbours at the same distances, as on a mesh, all
 * send to the same distance at a time, and each receives one message at a time, in as many steps as
 * it has neighbours. No order has fewer steps.
 *
 * Blocks are lengths and places of the run (bsplib/schedule/lengths.c), so one member serves all
 * sizes.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/transfer/address.h"

#include <stdlib.h>
#include <string.h>

enum { LISTS_MOST = 64 };	/* that are kept */

/* A list of neighbours. */
struct neighbors {
	struct bspi_kept kept;		/* its schedule, and runs; no more of it is used */
	struct neighbors *next;		/* by their last use, the latest first */
	int n;
	int pids[];
};

static struct {
	struct goal_schedule *family;
	struct neighbors *lists;
	int nlists;
	uint64_t *at, *bytes;		/* of blocks */
	size_t room;
} neighborhood;

/* ---- Checks --- */

static void check_neighbors(const struct bspi_coll *c)
{
	if (c->npids < 0)
		bspi_fail(c->call, c->site, "the number of neighbours %d is negative", c->npids);
	if (c->npids > 0 && !c->pids)
		bspi_fail(c->call, c->site, "the list of neighbours is NULL");
	for (int k = 0; k < c->npids; k++)
		if (c->pids[k] < 0 || c->pids[k] >= bspi.nprocs)
			bspi_fail_pid(c->call, c->site, c->pids[k]);
}

static void check_neighbor_bytes(const struct bspi_coll *c)
{
	size_t blocks = c->npids > 0 ? (size_t)c->npids : 1;

	if (bspi_negative(c->count))
		bspi_fail(c->call, c->site, "size %zd is negative", (ssize_t)c->count);
	if (c->count > GOAL_BYTES_MOST / blocks)
		bspi_fail(c->call, c->site, "%zu bytes for each of %d neighbours are more than "
			  "2^40 bytes", c->count, c->npids);
}

static void check_neighbor_areas(const struct bspi_coll *c)
{
	size_t bytes = c->count * (size_t)c->npids;
	uintptr_t src = (uintptr_t)c->src, dst = (uintptr_t)c->dst;

	if (bytes == 0)
		return;
	if (!c->src || !c->dst)
		bspi_fail(c->call, c->site, "the %s is NULL", c->src ? "destination" : "source");
	if (src < dst + bytes && dst < src + bytes)
		bspi_fail(c->call, c->site, "the source (%zu byte%s at %s) and the destination (at "
			  "%s) overlap", bytes, bspi_plural(bytes), bspi_address_text(c->src),
			  bspi_address_text(c->dst));
}

void bspi_neighbor_check(struct bspi_coll *c)
{
	check_neighbors(c);
	check_neighbor_bytes(c);
	check_neighbor_areas(c);
	c->bytes = c->count;
}

/* ---- Schedules --- */

/* An order of the blocks by the distance of their receivers; of the same receiver as listed. */
static int neighbors_compare(const void *a, const void *b)
{
	const int *x = a, *y = b;		/* distance, number of the block */

	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int (*neighbors_order(const struct bspi_coll *c))[2]
{
	int (*order)[2] = malloc(((size_t)c->npids + 1) * sizeof(*order));

	if (!order)
		bspi_fail_memory(c->call, c->site);
	for (int k = 0; k < c->npids; k++) {
		order[k][0] = (c->pids[k] - bspi.me + bspi.nprocs) % bspi.nprocs;
		order[k][1] = k;
	}
	qsort(order, (size_t)c->npids, sizeof(*order), neighbors_compare);
	return order;
}

/* Block k of the source is unit k of buffer 0, that of the destination unit k of buffer 1. */
static void neighbors_generate(struct goal_graph *g, const struct bspi_coll *c)
{
	int (*order)[2] = neighbors_order(c);
	int src = goal_buffer(g), dst = goal_buffer(g);

	for (int k = 0; k < c->npids; k++)
		if (c->pids[k] != bspi.me)
			goal_recv(g, 1, GOAL_AT(dst, (uint64_t)k), c->pids[k], 0);
	for (int i = 0; i < c->npids; i++) {
		uint64_t k = (uint64_t)order[i][1];

		if (c->pids[k] != bspi.me)
			goal_send(g, 1, GOAL_AT(src, k), c->pids[k], 0);
		else
			goal_local(g, GOAL_COPY, GOAL_NONE, 1, GOAL_AT(dst, k), GOAL_AT(src, k));
	}
	free(order);
}

/* A member of the family for this list, or the family, which has no operations. */
static struct goal_schedule *neighbors_load(const struct bspi_coll *c, bool of_list)
{
	struct goal_graph *g = goal_graph_create(bspi.nprocs, bspi.me);
	struct goal_schedule *s = NULL;
	void *block = NULL;
	size_t len, at;
	int err;

	if (g && of_list)
		neighbors_generate(g, c);
	if (g)
		block = goal_compile(g, &len);
	if (!g)
		bspi_fail_memory(c->call, c->site);
	if (!block)
		bspi_fail(c->call, c->site, "no schedule can be made: %s", goal_graph_error(g));
	err = of_list ? bspi_schedule_load_member(block, len, bspi_kept_user(),
						  neighborhood.family, &s, &at) :
			bspi_schedule_load(block, len, NULL, &s, &at);
	free(block);
	goal_graph_destroy(g);
	if (err < 0)
		bspi_fail_memory(c->call, c->site);
	return s;
}

/* ---- Lists --- */

static bool is_list_of(const struct neighbors *l, const struct bspi_coll *c)
{
	return l->n == c->npids && (l->n == 0 ||
				    memcmp(l->pids, c->pids, (size_t)l->n * sizeof(int)) == 0);
}

/* The one that was used longest ago and has no run. */
static void neighbors_drop_one(void)
{
	struct neighbors **at = &neighborhood.lists, **last = NULL, *l;

	for (; *at; at = &(*at)->next)
		if (!(*at)->kept.users)
			last = at;
	if (!last)
		return;
	l = *last;
	*last = l->next;
	bspi_schedule_unload_member(l->kept.schedule);
	free(l);
	neighborhood.nlists--;
}

static struct neighbors *neighbors_add(const struct bspi_coll *c)
{
	size_t bytes = (size_t)c->npids * sizeof(int);
	struct neighbors *l = calloc(1, sizeof(*l) + bytes);

	if (!l)
		bspi_fail_memory(c->call, c->site);
	if (neighborhood.nlists >= LISTS_MOST)
		neighbors_drop_one();
	neighborhood.nlists++;
	l->n = c->npids;
	if (bytes)
		memcpy(l->pids, c->pids, bytes);
	l->kept.schedule = neighbors_load(c, true);
	bspi_schedule_takes_lengths(l->kept.schedule, 1);
	return l;
}

/* The list is first afterwards. */
static struct neighbors *neighbors_find(const struct bspi_coll *c)
{
	struct neighbors **at = &neighborhood.lists, *l;

	while (*at && !is_list_of(*at, c))
		at = &(*at)->next;
	l = *at;
	if (l)
		*at = l->next;
	else
		l = neighbors_add(c);
	l->next = neighborhood.lists;
	neighborhood.lists = l;
	return l;
}

/* ---- Runs --- */

static void neighbors_lay_out(const struct bspi_coll *c)
{
	size_t n = (size_t)c->npids;

	if (n > neighborhood.room) {
		free(neighborhood.at);
		neighborhood.at = malloc(2 * n * sizeof(*neighborhood.at));
		if (!neighborhood.at)
			bspi_fail_memory(c->call, c->site);
		neighborhood.bytes = neighborhood.at + n;
		neighborhood.room = n;
	}
	for (size_t k = 0; k < n; k++) {
		neighborhood.at[k] = k * c->count;
		neighborhood.bytes[k] = c->count;
	}
}

void bspi_neighbor_run(const struct bspi_coll *c, struct bspi_request *r)
{
	struct neighbors *l;
	void *buffers[2] = { (void *)(uintptr_t)c->src, c->dst };
	struct bspi_blocks blocks[3];

	if (!neighborhood.family)
		neighborhood.family = neighbors_load(c, false);
	l = neighbors_find(c);
	neighbors_lay_out(c);
	for (int i = 0; i < 3; i++)
		blocks[i] = (struct bspi_blocks){ neighborhood.at, neighborhood.bytes };
	r->run = bspi_run_start_apart(l->kept.schedule, buffers, blocks, NULL, r, c->site);
	bspi_kept_use(&l->kept, r);
}

void bspi_neighbor_copy_own(const struct bspi_coll *c)
{
	if (c->npids > 0)
		memcpy(c->dst, c->src, c->count * (size_t)c->npids);
}

/* The schedules go with all others. */
void bspi_neighbor_close(void)
{
	for (struct neighbors *l = neighborhood.lists, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	free(neighborhood.at);
	memset(&neighborhood, 0, sizeof(neighborhood));
}
