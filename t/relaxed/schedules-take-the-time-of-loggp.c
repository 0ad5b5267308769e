/* SPDX-License-Identifier: BSD-3-Clause */
/* On an emulated network runs take the time that LogGP gives their graph, to 1 %, and the same
 * every run. */

/*
 * A message has 32 bytes besides those that are sent: the heads of its chunk and record. On these
 * networks that is less than the percent.
 */

#include "../lib/relaxed.h"

#include "../lib/runs.h"

enum { BYTES = 1000, ROUNDS = 10 };

static const struct {
	const char *text;
	double L, o, g, G;		/* ns */
} networks[] = {
	{ "L=50us,o=5us,g=7us,G=10ns,cpu=0", 50000, 5000, 7000, 10 },
	{ "L=3us,o=9us,g=0.5us,G=2ns,cpu=0", 3000, 9000, 500, 2 },
	{ "L=1us,o=0.2us,g=0.1us,G=0.08ns,cpu=0", 1000, 200, 100, 0.08 },
};

enum { NETWORKS = sizeof networks / sizeof networks[0] };

/* Written by process 0 of a job for the test. */
static struct {
	double seconds;
} *seen;

static struct goal_schedule *(*load_graph)(void);

/* From the start of sending until it has been received, in seconds. */
static double one_way(int net)
{
	return (2 * networks[net].o + networks[net].L + (BYTES - 1) * networks[net].G) * 1e-9;
}

static int steps_of(int nprocs)
{
	int n = 0;

	while (1 << n < nprocs)
		n++;
	return n;
}

static struct goal_schedule *load_dissemination(void)
{
	int n = (int)bsp_nprocs(), me = (int)bsp_pid(), last[2] = { -1, -1 };
	struct goal_graph *g = graph();

	for (int d = 1; d < n; d *= 2) {
		int sent = goal_send(g, BYTES, GOAL_NOWHERE, (me + d) % n, (uint32_t)d);
		int got = goal_recv(g, BYTES, GOAL_NOWHERE, (me + n - d) % n, (uint32_t)d);

		for (int i = 0; i < 2 && last[i] >= 0; i++)
			goal_requires(g, sent, last[i]);
		last[0] = sent;
		last[1] = got;
	}
	return load(g);
}

/* From process 0 through all others back to it. */
static struct goal_schedule *load_chain(void)
{
	struct goal_graph *g = graph();
	int got = goal_recv(g, BYTES, GOAL_NOWHERE, (int)left(), 0);
	int sent = goal_send(g, BYTES, GOAL_NOWHERE, (int)right(), 0);

	if (bsp_pid() != 0)
		goal_requires(g, sent, got);
	return load(g);
}

/* ROUNDS times there and back. */
static struct goal_schedule *load_ping_pong(void)
{
	struct goal_graph *g = graph();
	int last = -1;

	for (int i = 0; bsp_pid() < 2 && i < 2 * ROUNDS; i++) {
		bool send = i % 2 == (int)bsp_pid();
		int op = send ? goal_send(g, BYTES, GOAL_NOWHERE, 1 - (int)bsp_pid(), 0) :
				goal_recv(g, BYTES, GOAL_NOWHERE, 1 - (int)bsp_pid(), 0);

		if (last >= 0)
			goal_requires(g, op, last);
		last = op;
	}
	return load(g);
}

/* All begin at the same time. In real time one of them is late each time. */
static void body(void)
{
	struct goal_schedule *s;
	double began;

	enter();
	s = load_graph();
	bsp_sync();
	bsp_sync();
	began = bsp_time();
	if (bsp_pid() == 1)
		for (volatile int i = 0; i < 2000000; i++)
			continue;
	goal_wait(goal_start(s, NULL));
	if (bsp_pid() == 0)
		seen->seconds = bsp_time() - began;
	bsp_end();
}

static void measure(struct goal_schedule *(*graph_of)(void), int net, int nprocs, double wanted,
		    const char *what)
{
	double first;

	setenv("BSP_EMULATE", networks[net].text, 1);
	unsetenv("BSP_NODE_SIZE");	/* an emulated network is of one node */
	load_graph = graph_of;
	lives_ok(body, nprocs, "%s, %d processes", what, nprocs);
	first = seen->seconds;
	is_near(wanted, first, 0.01 * wanted, "%s, %d processes: the time of LogGP", what, nprocs);
	lives_ok(body, nprocs, "%s, %d processes again", what, nprocs);
	ok(first == seen->seconds, "%s, %d processes: the same time again", what, nprocs);
}

/* The process computes beside it: the end is the later of both. */
static void compute_beside(void)
{
	struct goal_schedule *s;
	struct goal_request *f;
	double began, after_start;

	enter();
	s = load_chain();
	bsp_sync();
	bsp_sync();
	began = bsp_time();
	f = goal_start(s, NULL);
	after_start = bsp_time();
	goal_wait(f);
	ok(after_start == began, "a start takes no time of the process");
	ok(bsp_time() > began, "a wait does");
	bsp_end();
}

int main(void)
{
	static const int sizes[] = { 2, 3, 5, 8, 16, 33, 64 };

	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		bail("no shared memory");
	unsetenv("BSP_TRANSPORT");	/* the one that emulates is found */
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		int net = (int)(i % NETWORKS), n = sizes[i];

		measure(load_dissemination, net, n, steps_of(n) * one_way(net), "dissemination");
		measure(load_chain, net, n, n * one_way(net), "a chain");
	}
	for (int net = 0; net < NETWORKS; net++)
		measure(load_ping_pong, net, 2, 2 * ROUNDS * one_way(net), "ping-pong");
	lives_ok(compute_beside, 3, "beside the process");
	return done_testing();
}
