/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that share the cores of a machine have them in turn, with times by hand. */

#include "../lib/simulated.h"

static const struct goal_net one = {
	.L = 100, .o = 10, .g = 10, .S = 1000, .cores = 1, .turn = 5,
};

static void turns(void)
{
	struct goal_net net = one;

	SIM_IS("num_ranks 2\nrank 0 {\ncalc 100\n}\nrank 1 {\ncalc 30\n}\n", &net,
	       "the next process begins a turn after the first is done", 100, 105 + 30);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: calc 50\nb: calc 50\nb requires a\n}\n"
	       "rank 1 {\ncalc 30\n}\n",
	       &net, "which keeps the core while it has more to do", 100, 105 + 30);
	SIM_IS("num_ranks 3\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\ncalc 30\n}\n", &net,
	       "processes with nothing to do take turns as well", 0, 0, 2 * 5 + 30);
	net.cores = 2;
	SIM_IS("num_ranks 4\n"
	       "rank 0 {\ncalc 100\n}\nrank 1 {\ncalc 200\n}\n"
	       "rank 2 {\ncalc 30\n}\nrank 3 {\ncalc 30\n}\n",
	       &net, "ranks 0 and 2 share a core, 1 and 3 the other one", 100, 200, 135, 235);
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\ncalc 100\n}\nrank 1 {\na: calc 7\nb: calc 9 cpu 1\n}\n"
	       "rank 2 {\ncalc 30\n}\n",
	       &net, "of three on two cores the second one has its processors for itself", 100, 9,
	       135);
	net.cores = 1;
	net.machine = 2;
	SIM_IS("num_ranks 4\n"
	       "rank 0 {\ncalc 100\n}\nrank 1 {\ncalc 30\n}\n"
	       "rank 2 {\ncalc 200\n}\nrank 3 {\ncalc 30\n}\n",
	       &net, "each machine has a core", 100, 135, 200, 235);
	net = one;
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: calc 100\nb: calc 50 cpu 1\n}\n"
	       "rank 1 {\ncalc 30\n}\n",
	       &net, "a process that shares a core has no other", 150, 155 + 30);
	net.turn = 0;
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\ncalc 100\n}\nrank 1 {\n}\nrank 2 {\ncalc 30\n}\n",
	       &net, "turns may be free", 100, 0, 130);
}

static void messages(void)
{
	static const char *text = "num_ranks 2\n"
				  "rank 0 {\nsend 1b to 1 tag 1\n}\n"
				  "rank 1 {\nrecv 1b from 0 tag 1\n}\n";
	struct goal_net net = one;

	/* There at 110; rank 1 has the core at 15, 25, ... */
	SIM_IS(text, &net, "a message is seen in the next turn of its receiver", 10, 115 + 10);
	net.turn = 20;
	SIM_IS(text, &net, "or in that which begins just then", 10, 110 + 10);
	net.turn = 0;
	SIM_IS(text, &net, "and at once if turns are free", 10, 110 + 10);
	net.turn = 7;
	net.g = 30;
	/*
	 * The network of rank 0 is free at 30, its next turn begins at 10 + 4 * 7. The messages
	 * arrive at 110 and 148; turns of rank 1 begin at 48 + 9 * 7, and 4 * 7 after it is done.
	 */
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 1b to 1 tag 1\nsend 1b to 1 tag 2\n}\n"
	       "rank 1 {\nrecv 1b from 0 tag 1\nrecv 1b from 0 tag 2\n}\n",
	       &net, "a process whose network is taken yields", 38 + 10, 121 + 28 + 10);
	net = one;
	/* The 20th turn, of rank 2, begins at 10 + 20 * 5; the 40th, of rank 1, at 130 + 100. */
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\nsend 1b to 2 tag 1\n}\n"
	       "rank 1 {\na: recv 1b from 2 tag 2\n}\n"
	       "rank 2 {\na: recv 1b from 0 tag 1\nb: send 1b to 1 tag 2\nb requires a\n}\n",
	       &net, "what a message lets go is sent in the same turn", 10, 230 + 10, 130);
}

/* The same times as without, to the last one. */
static bool is_as_without(const struct goal_task *task, int nprocs)
{
	struct goal_net net = sim_default;
	struct goal_set set = sim_generated(task, nprocs);
	uint64_t *own = sim_set_times(&set, &net), *shared;
	bool same;

	net.cores = nprocs;
	net.turn = 777;
	shared = sim_set_times(&set, &net);
	same = memcmp(own, shared, nprocs * sizeof(*own)) == 0;
	free(own);
	free(shared);
	goal_set_free(&set);
	return same;
}

static void enough(void)
{
	int same = 0, all = 0;

	for (enum goal_kind kind = 0; kind < GOAL_KINDS; kind++) {
		struct goal_task task = {
			.kind = kind, .call = -1, .bytes = 64, .networks = 1, .arity = 2,
			.datatype = GOAL_I64, .function = GOAL_ADD,
		};

		for (unsigned int i = 0; (task.algorithm = goal_algorithm(kind, i)); i++) {
			if (goal_refuses(&task, 16, 0))
				continue;
			all++;
			same += is_as_without(&task, 16);
		}
	}
	ok(all > 20, "%d algorithms", all);
	is_int(all, same, "take the same with a core for each process as without");
}

/* Nothing is faster than all work on all cores, and turns make it no faster. */
static void bound(void)
{
	enum { P = 64, CORES = 4 };
	struct goal_task task = {
		.kind = GOAL_EXCHANGE, .call = -1, .bytes = 8, .networks = 1,
		.algorithm = goal_algorithm_named(GOAL_EXCHANGE, "direct-rotated"),
	};
	struct goal_net net = { .L = 1000, .o = 10, .g = 10, .S = 65535, .cores = CORES };
	struct goal_set set = sim_generated(&task, P);
	uint64_t work = (uint64_t)P * (P - 1) * 2 * 10 / CORES, none, some;
	uint64_t *times = sim_set_times(&set, &net);

	none = sim_latest(times, P);
	free(times);
	net.turn = 100;
	times = sim_set_times(&set, &net);
	some = sim_latest(times, P);
	free(times);
	goal_set_free(&set);
	ok(none >= work && none < 2 * work, "an exchange takes the work on its cores: %d of %d",
	   (int)none, (int)work);
	ok(some > none, "and more with turns: %d", (int)some);
}

static void refuse_times(void)
{
	struct goal_net net = one;
	struct goal_set set = sim_parsed("num_ranks 3\n"
					 "rank 0 {\n}\nrank 1 {\n}\nrank 2 {\ncalc 1\n}\n");
	struct goal_source *source = goal_source_of(&set);
	uint64_t times[3];
	char why[200] = "";

	net.turn = UINT64_MAX;
	is_int(-1, goal_sim(source, &net, NULL, times, why, sizeof why),
	       "a turn that is too long is refused");
	is_str("times do not fit in 64 bits", why, "by name");
	free(source);
	goal_set_free(&set);
}

int main(void)
{
	turns();
	messages();
	enough();
	bound();
	refuse_times();
	return done_testing();
}
