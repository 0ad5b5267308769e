// SPDX-License-Identifier: BSD-3-Clause
/* emu.c - the transport on an emulated network: probe, prepare, open, close, and its table. */

#include "emu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static int emu_accepts(const char *network, char *why, size_t len)
{
	struct emulated net;

	return emulated_parse(network, &net, why, len);
}

/* The first transport that has a counting barrier and no clock of its own, or NULL and why not. */
static const struct bspt_ops *find_inner(int nprocs, char *why, size_t len)
{
	const struct bspt_ops *ops;

	snprintf(why, len, "there is no transport to build it on");
	for (unsigned int i = 0; (ops = bspt_others->at(i)); i++)
		if ((ops->caps & (BSPT_CAP_COUNTING | BSPT_CAP_CLOCK)) == BSPT_CAP_COUNTING &&
		    ops->accepts("", why, len) == 0 && ops->probe(nprocs, why, len) == 0)
			return ops;
	return NULL;
}

static int emu_probe(int nprocs, char *why, size_t len)
{
	if (nprocs > EMU_PROCS) {
		snprintf(why, len,
			 "an emulated network is for up to %d processes, which are of one node, "
			 "not %d; goalc sim simulates more",
			 EMU_PROCS, nprocs);
		return -EINVAL;
	}
	return find_inner(nprocs, why, len) ? 0 : -EINVAL;
}

/* ---- Prepare ------------------------------------------------------------- */

/* Entries of counting barriers. */
static size_t entries_bytes(int nprocs)
{
	return 2 * (size_t)nprocs * sizeof(struct emu_entry);
}

/* All that processes share: entries, then links. */
static size_t emu_shared_bytes(int nprocs)
{
	return entries_bytes(nprocs) + EMU_LINKS * sizeof(struct emu_link);
}

static int prepare_inner(struct emu_shared *shared, const struct bspt_plan *plan)
{
	char why[160];

	shared->inner = find_inner(plan->nprocs, why, sizeof(why));
	if (!shared->inner)
		return -EINVAL;
	shared->plan = *plan;
	shared->plan.network = "";
	return shared->inner->prepare(&shared->plan);
}

static void unmap_order(struct emu_order *order, int nprocs)
{
	if (order)
		munmap(order, bspt_emu_order_bytes(nprocs));
}

static int emu_prepare_all(struct emu_shared *shared, const struct bspt_plan *plan)
{
	const char *network = plan->network ? plan->network : "";
	size_t bytes = bspt_emu_order_bytes(plan->nprocs);
	char why[160];
	int err = emulated_parse(network, &shared->net, why, sizeof(why));

	if (err)
		return err;
	shared->entries = plan->wire->share(plan->wire, emu_shared_bytes(plan->nprocs),
					    emu_shared_bytes(plan->nprocs));
	if (!shared->entries)
		return -ENOMEM;
	shared->links = (void *)((char *)shared->entries + entries_bytes(plan->nprocs));
	if (shared->net.order) {
		shared->order = plan->wire->share(plan->wire, bytes, bytes);
		err = shared->order ? bspt_emu_order_prepare(shared->order, plan->nprocs) : -ENOMEM;
	}
	if (err == 0)
		err = prepare_inner(shared, plan);
	if (err) {
		unmap_order(shared->order, plan->nprocs);
		munmap(shared->entries, emu_shared_bytes(plan->nprocs));
	}
	return err;
}

static int emu_prepare(struct bspt_plan *plan)
{
	struct emu_shared *shared = calloc(1, sizeof(*shared));
	int err;

	if (!shared)
		return -ENOMEM;
	err = emu_prepare_all(shared, plan);
	if (err) {
		free(shared);
		return err;
	}
	plan->shared = shared;
	return 0;
}

/* ---- Open, close ---------------------------------------------------------- */

/* The object but for the inner transport. */
static struct bspt_emu *emu_create(const struct emu_shared *shared, int me)
{
	struct bspt_emu *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->base.me = me;
	e->base.nprocs = shared->plan.nprocs;
	e->base.min_direct = SIZE_MAX;
	e->base.min_bulk = SIZE_MAX;
	e->net = shared->net;
	e->entries = shared->entries;
	e->links = shared->links;
	e->order = shared->order;
	e->dice = bspt_emu_mix(e->net.seed) + (uint64_t)me;
	e->ways = calloc((size_t)e->base.nprocs, sizeof(*e->ways));
	e->held_room = EMU_HELD;
	e->held = calloc(EMU_HELD, sizeof(*e->held));
	if (!e->ways || !e->held || bspt_emu_replay_open(e) < 0) {
		free(e->held);
		free(e->ways);
		free(e);
		return NULL;
	}
	return e;
}

static void emu_destroy(struct bspt_emu *e)
{
	bspt_emu_replay_close(e);
	free(e->held);
	free(e->ways);
	free(e);
}

/* Chunks of the inner transport but for what goes in front; their length fits an event. */
static size_t max_chunk(const struct bspt *inner)
{
	size_t most = inner->max_chunk - sizeof(struct emu_head);

	return most < UINT32_MAX ? most : UINT32_MAX / EMU_LINE * EMU_LINE;
}

static int emu_open(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct emu_shared *shared = plan->shared;
	struct bspt_emu *e = me < plan->nprocs ? emu_create(shared, me) : NULL;
	int err;

	if (!e)
		return me < plan->nprocs ? -ENOMEM : -ECANCELED;
	err = bspt_open(shared->inner, &shared->plan, me, &e->inner);
	if (err) {
		emu_destroy(e);
		return err;
	}
	e->base.max_chunk = max_chunk(e->inner);
	e->base.good_chunk = e->base.max_chunk;
	e->base.cost = (struct bspt_cost){
		.L = e->net.L * 1e-3,
		.o = e->net.o * 1e-3,
		.g = e->net.g * 1e-3,
		.G = e->net.G * 1e-3,
	};
	e->stalled = plan->stalled;
	e->stall_ns = plan->stall_ns;
	if (e->order)
		bspt_emu_order_open(e);
	bspt_emu_clock_open(e);
	free(shared);
	*out = &e->base;
	return 0;
}

static void emu_close(struct bspt *t)
{
	struct bspt_emu *e = bspt_emu_of(t);

	if (e->order)
		bspt_emu_order_close(e);
	e->inner->ops->close(e->inner);
	unmap_order(e->order, t->nprocs);
	munmap(e->entries, emu_shared_bytes(t->nprocs));
	emu_destroy(e);
}

const struct bspt_ops bspt_emu_ops = {
	.name = "emu",
	.summary = "an emulated network, in virtual time: sp2, gigabit, rdma100 or L=,o=,g=,G=",
	.caps = BSPT_CAP_COUNTING | BSPT_CAP_CLOCK | BSPT_ONE_NODE,
	.accepts = emu_accepts,
	.probe = emu_probe,
	.prepare = emu_prepare,
	.open = emu_open,
	.close = emu_close,
	.via = bspt_via_itself,
	.chunk = bspt_emu_chunk,
	.send = bspt_emu_send,
	.discard = bspt_emu_discard,
	.poll = bspt_emu_poll,
	.release = bspt_emu_release,
	.trim = bspt_emu_trim,
	.wait = bspt_emu_wait,
	.count_add = bspt_emu_count_add,
	.count_enter = bspt_emu_count_enter,
	.count_test = bspt_emu_count_test,
	.now = bspt_emu_now,
	.computing = bspt_emu_computing,
	.charge = bspt_emu_charge,
	.arrival = bspt_emu_arrival,
	.advance = bspt_emu_advance,
	.send_at = bspt_emu_send_at,
	.receive_at = bspt_emu_receive_at,
	.reach = bspt_emu_reach,
};
