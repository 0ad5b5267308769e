// SPDX-License-Identifier: BSD-3-Clause
/* mix_nodes.c - which transports there are to mix, and what the processes of each node inherit. */

#include "mix.h"

#include "transport/card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Address space for what all processes send inside their nodes, if one process has all of it. */
static const size_t reserve_most = (size_t)1 << 44;

/*
 * No process here opens what was prepared for processes of other nodes. It cannot be undone, and
 * stays with each process that inherited it, as does its memory.
 */
static struct mix_shared *kept;

void bspt_mix_shared_release(struct mix_shared *shared, bool opened)
{
	int unopened = opened ? -1 : 0;

	for (int k = 0; k < shared->nnodes; k++)
		unopened += shared->nodes[k].prepared;
	if (unopened > 0) {
		shared->kept_before = kept;
		kept = shared;
		return;
	}
	for (int k = 0; k < shared->nnodes; k++)
		free(shared->nodes[k].wire);
	free(shared->numbers);
	free(shared);
}

/* ---- Which transports ----------------------------------------------------- */

static const struct bspt_ops *near_ops(void)
{
	return bspt_others->find("shm");
}

static bool is_any(const char *name)
{
	return !name || !*name || strcmp(name, "auto") == 0;
}

/*
 * The one of that name if it can run here; else another reason is added to @why. Nodes that are
 * parts of one machine may take what reaches only that, for want of a network.
 */
static const struct bspt_ops *mix_try_far(const char *name, int nprocs, bool one_machine, char *why,
					  size_t len)
{
	const struct bspt_ops *ops = bspt_others->find(name);
	unsigned int least = BSPT_FAR | (one_machine ? BSPT_ONE_NODE : 0);
	size_t used = strlen(why);
	char reason[200];

	if (!ops || !(ops->caps & least))
		snprintf(reason, sizeof(reason), "no transport of that name goes between nodes");
	else if (ops->accepts("", reason, sizeof(reason)) == 0 &&
		 ops->probe(nprocs, reason, sizeof(reason)) == 0)
		return ops;
	snprintf(why + used, len - used, "%s%s: %s", used ? "; " : "", name, reason);
	return NULL;
}

/* The first that can run here; NULL and why none can. */
static const struct bspt_ops *find_far(const char *name, int nprocs, bool one_machine, char *why,
				       size_t len)
{
	const struct bspt_ops *ops = NULL, *next;

	snprintf(why, len, "%s", "");
	if (!is_any(name))
		return mix_try_far(name, nprocs, one_machine, why, len);
	for (unsigned int i = 0; !ops && (next = bspt_others->at(i)); i++)
		if (next->caps & BSPT_FAR)
			ops = mix_try_far(next->name, nprocs, one_machine, why, len);
	return ops;
}

/* How many of them share a node is not known yet; prepare() sees. */
int bspt_mix_probe(int nprocs, char *why, size_t len)
{
	char reason[500];
	int err = near_ops()->probe(1, reason, sizeof(reason));

	if (err) {
		snprintf(why, len, "inside a node: %s: %s", near_ops()->name, reason);
		return err;
	}
	if (find_far(NULL, nprocs, false, reason, sizeof(reason)))
		return 0;
	snprintf(why, len, "between nodes: %s", reason);
	return -ENOTSUP;
}

/* ---- The wire of a node ---------------------------------------------------- */

/* Notes what it hands out, for a prepare() that fails later. */
static void *node_share(struct bspt_wire *wire, size_t bytes, size_t usable)
{
	struct mix_wire *w = (struct mix_wire *)wire;
	void *at;

	if (w->npieces == MIX_PIECES)
		return NULL;
	at = w->whole->share(w->whole, bytes, usable);
	wire->closed = w->whole->closed;
	if (!at)
		return NULL;
	w->pieces[w->npieces].at = at;
	w->pieces[w->npieces++].bytes = bytes;
	return at;
}

/* The whole wire is collective, and a process that is alone on a node would not call it. */
static int node_exchange(struct bspt_wire *wire, const void *mine, size_t len, bspt_take_fn *take,
			 void *arg)
{
	(void)wire, (void)mine, (void)len, (void)take, (void)arg;
	return -EOPNOTSUPP;
}

/* ---- Plans ------------------------------------------------------------------ */

int bspt_mix_node_of(const struct bspt_plan *plan, int p)
{
	return plan->wire ? plan->wire->node[p] : 0;
}

/* Its wire lies with the node, and what that points to with the nodes. */
struct bspt_plan bspt_mix_plan_near(const struct bspt_plan *plan, struct mix_node *node)
{
	struct bspt_plan near = *plan;

	near.nprocs = node->nprocs;
	near.network = "";
	near.holds_rounds = true;
	near.shared = node->shared;
	near.wire = plan->wire ? &node->wire->base : NULL;
	if (plan->wire && plan->wire->inherits && !plan->reserve_bytes)
		near.reserve_bytes = reserve_most / plan->nprocs;
	return near;
}

struct bspt_plan bspt_mix_plan_far(const struct bspt_plan *plan, const struct mix_shared *shared,
				   int k)
{
	struct bspt_plan far = *plan;

	far.late = shared->far && (shared->far->caps & BSPT_LATE);
	far.cards = k >= 0 ? shared->nodes[k].cards : NULL;

	far.network = "";
	far.shared = shared->far_shared;
	return far;
}

/* ---- Prepare --------------------------------------------------------------- */

/* The processes of the job alone count: those that it has no use for are on no node. */
static struct mix_shared *count_nodes(const struct bspt_plan *plan)
{
	struct mix_shared *shared;
	int nnodes = 1;

	for (int p = 0; p < plan->nprocs; p++)
		if (bspt_mix_node_of(plan, p) >= nnodes)
			nnodes = bspt_mix_node_of(plan, p) + 1;
	shared = calloc(1, sizeof(*shared) + nnodes * sizeof(struct mix_node));
	if (!shared)
		return NULL;
	shared->numbers = calloc(plan->nprocs, sizeof(*shared->numbers));
	if (!shared->numbers) {
		free(shared);
		return NULL;
	}
	shared->nnodes = nnodes;
	shared->nprocs = plan->nprocs;
	for (int p = 0; p < plan->nprocs; p++)
		shared->nodes[bspt_mix_node_of(plan, p)].nprocs++;
	return shared;
}

static bool is_spread(const struct mix_shared *shared, int nprocs)
{
	for (int k = 0; k < shared->nnodes; k++)
		if (shared->nodes[k].nprocs == nprocs)
			return false;
	return true;
}

/* A process that is alone on a node needs nothing there, unless it is the whole job. */
bool bspt_mix_has_near(const struct mix_shared *shared, int k)
{
	return shared->nodes[k].nprocs > 1 || (shared->nodes[k].nprocs == 1 && !shared->far);
}

static int mix_make_wire(struct mix_shared *shared, const struct bspt_plan *plan,
			 struct mix_node *node)
{
	node->wire = calloc(1, sizeof(*node->wire));
	if (!node->wire)
		return -ENOMEM;
	node->wire->whole = plan->wire;
	node->wire->base = (struct bspt_wire){
		.nprocs = node->nprocs,
		.me = -1,		/* until open() */
		.inherits = plan->wire && plan->wire->inherits,
		.one_machine = plan->wire && plan->wire->one_machine,
		.node = shared->numbers,
		.nnodes = 1,
		.share = node_share,
		.exchange = node_exchange,
	};
	return 0;
}

/* Text only where there is a buffer for it; for lack of memory the number is enough. */
static int mix_refuse(const struct bspt_plan *plan, const char *where, const char *reason, int err)
{
	char why[600];

	snprintf(why, sizeof(why), "%s: %s", where, reason);
	if (err != -ENOMEM && plan->lost)
		plan->lost(-1, why);
	return err;
}

/* Cards of a node, and behind them chunks for each process of the job. */
static size_t cards_bytes(const struct mix_shared *shared, const struct mix_node *node)
{
	return (size_t)node->nprocs * sizeof(struct bspt_card) +
	       (size_t)shared->nprocs * sizeof(*node->outside);
}

/*
 * So that only processes that use the network open an endpoint of it, which takes megabytes.
 * Processes make the same calls of share() for any far one, since open() finds out whether all have
 * chosen the same.
 */
static int mix_make_cards(const struct mix_shared *shared, struct mix_node *node)
{
	struct bspt_wire *wire = &node->wire->base;
	size_t bytes = cards_bytes(shared, node);

	if (!shared->far)
		return 0;
	node->cards = wire->share(wire, bytes, bytes);
	if (!node->cards)
		return -ENOMEM;
	node->outside = (_Atomic uint32_t *)(node->cards + node->nprocs);
	return 0;
}

void bspt_mix_drop_cards(struct mix_shared *shared)
{
	for (int k = 0; k < shared->nnodes; k++) {
		struct mix_node *node = &shared->nodes[k];

		if (node->cards)
			munmap(node->cards, cards_bytes(shared, node));
		node->cards = NULL;
		node->outside = NULL;
	}
}

static int prepare_node(struct mix_shared *shared, const struct bspt_plan *plan,
			struct mix_node *node)
{
	struct bspt_plan near;
	char why[160];
	int err = shared->near->probe(node->nprocs, why, sizeof(why));

	if (err)
		return mix_refuse(plan, "inside a node", why, err);
	err = mix_make_wire(shared, plan, node);
	if (err)
		return err;
	near = bspt_mix_plan_near(plan, node);
	err = shared->near->prepare(&near);
	if (err)
		return err;
	node->shared = near.shared;
	node->prepared = true;
	return mix_make_cards(shared, node);
}

/*
 * Near: if processes are to be forked, all nodes that need it; else our own, if we are one of the
 * job, whether it needs it or not: all launched processes make the same calls of share().
 */
static int mix_prepare_all(struct mix_shared *shared, const struct bspt_plan *plan)
{
	const struct bspt_wire *wire = plan->wire;
	bool all = !wire || wire->inherits;
	struct bspt_plan far;
	char why[500];
	int err = 0;

	shared->near = near_ops();
	if (is_spread(shared, plan->nprocs)) {
		shared->far = find_far(plan->far, plan->nprocs, wire && wire->inherits, why,
				       sizeof(why));
		if (!shared->far)
			return mix_refuse(plan, "between nodes", why, -ENOTSUP);
	}
	for (int k = 0; !err && k < shared->nnodes; k++)
		if (all ? bspt_mix_has_near(shared, k) :
		    wire->me < plan->nprocs && wire->node[wire->me] == k)
			err = prepare_node(shared, plan, &shared->nodes[k]);
	if (err || !shared->far)
		return err;
	far = bspt_mix_plan_far(plan, shared, -1);
	err = shared->far->prepare(&far);
	if (!err)
		shared->far_shared = far.shared;
	return err;
}

/* Memory is given back; all else of the near transport stays: prepare() has no opposite. */
static void undo(struct mix_shared *shared)
{
	for (int k = 0; k < shared->nnodes; k++) {
		struct mix_wire *w = shared->nodes[k].wire;

		while (w && w->npieces > 0) {
			w->npieces--;
			munmap(w->pieces[w->npieces].at, w->pieces[w->npieces].bytes);
		}
	}
	bspt_mix_shared_release(shared, false);
}

/* The far one last, as only itself can undo it. */
int bspt_mix_prepare(struct bspt_plan *plan)
{
	struct mix_shared *shared = count_nodes(plan);
	int err;

	if (!shared)
		return -ENOMEM;
	err = mix_prepare_all(shared, plan);
	if (err) {
		undo(shared);
		return err;
	}
	plan->shared = shared;
	return 0;
}
