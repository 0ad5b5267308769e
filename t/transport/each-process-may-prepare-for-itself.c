/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that no process forked prepare each for itself; one too many is sent away. */

/*
 * The wire is that of a launcher, as far as a transport sees: each process calls prepare(), and
 * what a node shares are the same pieces for all who ask in the same order. They are made before
 * the processes, and lie at the same address; processes of other nodes get others.
 */

#include "../lib/transports.h"

enum { PIECES = 4, NODES = 3 };

static const size_t piece_bytes = (size_t)1 << 30;

struct launched {
	struct bspt_wire base;
	struct bspt_wire *local;	/* by which it exchanges */
	int asked;			/* pieces of this process so far */
};

static char *pieces[NODES][PIECES];

/* Less than is asked for sometimes: there is only so much. */
static void *share(struct bspt_wire *w, size_t bytes, size_t usable)
{
	struct launched *l = (struct launched *)w;

	(void)usable;			/* all of it is */
	if (bytes > piece_bytes || l->asked == PIECES)
		return NULL;
	return pieces[w->node[w->me]][l->asked++];
}

static int exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
		    void *arg)
{
	struct launched *l = (struct launched *)w;

	return l->local->exchange(l->local, mine, len, take, arg);
}

static struct launched wire;
static int wanted;		/* processes of the job; one more is launched */

/* The wire that makes the memory, and the one that the nodes are from. */
static struct bspt_wire *maker, *nodes;

static void make_wire(int node_size)
{
	nodes = local_wire(wanted + 1, node_size);

	wire.local = local_wire(wanted, node_size);
	wire.base = *nodes;
	wire.base.nprocs = wanted;
	wire.base.inherits = false;
	wire.base.share = share;
	wire.base.exchange = exchange;
	wire.asked = 0;
	if (!maker)
		maker = local_wire(1, 0);
	for (int k = 0; k < NODES; k++)
		for (int i = 0; i < PIECES; i++)
			pieces[k][i] = maker->share(maker, piece_bytes, piece_bytes);
}

static void close_or_leave(int me, int err, struct bspt *t)
{
	if (me == wanted) {
		is_int(-ECANCELED, err, "one too many is sent away");
		return;
	}
	is_int(0, err, "a process of the job opens");
	if (err)
		bail("%s: open: %s", job.ops->name, strerror(-err));
	job.body(t);
	t->ops->close(t);
}

static void enter(int me, int nprocs)
{
	struct bspt *t = NULL;
	int err;

	(void)nprocs;
	wire.base.me = me;
	wire.local->me = me;
	err = job.ops->prepare(&job.plan);
	if (err)
		bail("%s: prepare: %s", job.ops->name, strerror(-err));
	err = bspt_open(job.ops, &job.plan, me, &t);
	close_or_leave(me, err, t);
}

static void body(struct bspt *t)
{
	int bad = 0;

	for (uint32_t i = 0; i < 100; i++)
		post(t, next_of(t), i, 1 + i * 7);
	for (uint32_t i = 0; i < 100; i++)
		bad += !fetch(t, prev_of(t), i, 1 + i * 7);
	is_int(0, bad, "chunks that are not those sent");
	meet(t);
}

static void launch(const struct bspt_ops *ops, int nprocs, int node_size)
{
	struct bspt_plan plan = { .nprocs = nprocs, .reserve_bytes = (size_t)32 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };
	char why[500];

	if (probe_transport(ops, nprocs, why, sizeof why) < 0) {
		cannot_run(ops->name, "each prepares for itself", why);
		return;
	}
	wanted = nprocs;
	make_wire(node_size);
	job.ops = ops;
	job.plan = completed(plan, ops);
	job.plan.wire = &wire.base;
	job.body = body;
	make_common();
	procs_ok(enter, nprocs + 1, "%s: %d of %d processes, nodes of %d", ops->name, nprocs,
		 nprocs + 1, node_size);
	bspj_wire_local_free(nodes);
	bspj_wire_local_free(wire.local);
}

/* Is it for several processes, and needs nothing but the wire for them to find each other? */
static bool needs_wire_alone(const struct bspt_ops *ops)
{
	static const char *const others[] = { "self", "mix", "mpi", "esp" };

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (!strcmp(ops->name, others[i]))
			return false;
	return true;
}

int main(void)
{
	const struct bspt_ops *mix = bspt_find("mix"), *ops;
	const struct bspt_ops *ofi = bspt_find("ofi"), *far = chosen_far();
	bool any = is_wanted(mix);
	char why[500];

	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		any |= is_wanted(ops) && needs_wire_alone(ops);
	if (!any)
		skip_all("not applicable: this is about those that need a wire alone, and mix");
	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		if (is_wanted(ops) && needs_wire_alone(ops))
			launch(ops, 3, 0);
	if (!is_wanted(mix))
		return done_testing();
	if (far && far != ofi) {
		not_applicable("mix: this is about ofi between nodes");
		return done_testing();
	}
	if (ofi->probe(3, why, sizeof why) < 0) {
		cannot_run("mix", "each prepares for itself", why);
		return done_testing();
	}
	launch(mix, 3, 2);
	launch(mix, 2, 2);
	launch(mix, 3, 1);
	return done_testing();
}
