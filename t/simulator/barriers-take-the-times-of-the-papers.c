/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated times of barriers: those of the formulae, and the same whether generated or made up. */

#include "../lib/simulated.h"

/* Overheads of both sides are o here; g is no more than that, so that it is never in the way. */
static const struct goal_net net = { .L = 17500, .o = 9500, .g = 9000, .S = 65535 };

static struct goal_task task(const char *algorithm, int arity, enum goal_release release,
			     int networks)
{
	return (struct goal_task){
		.kind = GOAL_BARRIER, .algorithm = goal_algorithm_named(GOAL_BARRIER, algorithm),
		.arity = arity, .release = release, .networks = networks,
	};
}

static uint64_t made_up(const struct goal_task *task, const struct goal_net *on, int nprocs)
{
	struct goal_source *source = goal_source_barrier(task, nprocs);
	uint64_t *times = sim_times(source, on);
	uint64_t latest = sim_latest(times, nprocs);

	free(times);
	free(source);
	return latest;
}

/* (o_s + L + o_r) log2 n */
static void rounds(const char *algorithm)
{
	struct goal_task t = task(algorithm, 2, GOAL_RELEASE_TREE, 1);

	for (int k = 0; k <= 10; k++)
		is_int(k * (2 * net.o + net.L), made_up(&t, &net, 1 << k),
		       "%s of %d: (os + L + or) log2 n", algorithm, 1 << k);
}

/* (o_s + L + (k - 1) o_r) log_k n + (o_s + L + o_r) */
static void tree(const char *algorithm, int arity, int n, int phases)
{
	struct goal_task t = task(algorithm, arity, GOAL_RELEASE_MULTICAST, 1);
	struct goal_net multicast = net;

	multicast.multicast = true;
	is_int(phases * (net.L + arity * net.o) + 2 * net.o + net.L, made_up(&t, &multicast, n),
	       "%s of %d, arity %d: (os + L + (k - 1) or) log_k n + (os + L + or)", algorithm, n,
	       arity);
}

static void trees(void)
{
	for (int k = 1; k <= 10; k++)
		tree("binomial", 2, 1 << k, k);
	for (int arity = 2; arity <= 9; arity++)
		for (int phases = 1, n = arity; n <= 10000; phases++, n *= arity)
			tree("knomial", arity, n, phases);
	tree("linear", 300, 300, 1);
}

/* Down a binomial tree each phase takes os + L + or, as up. */
static void tree_release(void)
{
	struct goal_task t = task("binomial", 2, GOAL_RELEASE_TREE, 1);

	for (int k = 1; k <= 10; k++)
		is_int(2 * k * (2 * net.o + net.L), made_up(&t, &net, 1 << k),
		       "binomial of %d, release by tree: 2 (os + L + or) log2 n", 1 << k);
}

/*
 * With a gap above the overhead, messages to the root of a linear tree come at half the distance
 * over two networks.
 */
static void networks(void)
{
	struct goal_net slow = net;

	slow.g = 4 * net.o;
	slow.multicast = true;
	for (int n = 3; n <= 33; n += 2) {
		struct goal_task one = task("linear", 0, GOAL_RELEASE_MULTICAST, 1);
		struct goal_task two = task("linear", 0, GOAL_RELEASE_MULTICAST, 2);
		uint64_t back = 2 * slow.o + slow.L;

		is_int(back + (n - 2) * slow.g + back, made_up(&one, &slow, n),
		       "linear of %d, one network", n);
		is_int(back + ((n - 1) / 2 - 1) * slow.g + slow.o + back, made_up(&two, &slow, n),
		       "linear of %d, two networks", n);
	}
}

static bool same(const struct goal_task *t, const struct goal_net *on, int nprocs)
{
	struct goal_source *source = goal_source_barrier(t, nprocs);
	uint64_t *times = sim_times(source, on);
	struct goal_set set = sim_generated(t, nprocs);
	uint64_t *wanted = sim_set_times(&set, on);
	bool same = memcmp(times, wanted, nprocs * sizeof(*times)) == 0;

	if (!same)
		diag("%s of %d, arity %d, release %d, %d networks", t->algorithm->name, nprocs,
		     t->arity, t->release, t->networks);
	free(source);
	free(times);
	free(wanted);
	goal_set_free(&set);
	return same;
}

static bool same_on_networks(const struct goal_task *t, int nprocs)
{
	static const struct goal_net nets[] = {
		{ .L = 2500, .o = 1500, .g = 1000, .G = 6, .S = 65535 },
		{ .L = 10, .o = 1, .g = 70, .G = 6, .S = 65535 },
		{ .L = 1, .o = 100, .g = 1, .G = 6, .S = 0, .multicast = true },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(nets) / sizeof(*nets); i++)
		good = same(t, &nets[i], nprocs) && good;
	return good;
}

static void twins(const struct goal_algorithm *a, int arity)
{
	bool good = true;

	for (int variant = 0; variant < 4; variant++) {
		struct goal_task t = task(a->name, arity, variant % 2 ? GOAL_RELEASE_MULTICAST :
									GOAL_RELEASE_TREE,
					  1 + variant / 2);

		for (int nprocs = 1; nprocs <= 66; nprocs++)
			good = same_on_networks(&t, nprocs) && good;
	}
	ok(good, "%s, arity %d: made up as generated", a->name, arity);
}

int main(void)
{
	const struct goal_algorithm *a;

	rounds("dissemination");
	rounds("butterfly");
	trees();
	tree_release();
	networks();
	for (unsigned int i = 0; (a = goal_algorithm(GOAL_BARRIER, i)); i++)
		for (int arity = 1; arity <= (a->has_arity ? 5 : 1); arity++)
			twins(a, arity);
	return done_testing();
}
