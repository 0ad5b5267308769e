/* SPDX-License-Identifier: BSD-3-Clause */
/* A set that cannot be simulated causes an error that says what is wrong, with ranks and tags. */

#include "../lib/simulated.h"

static const char *error_of(const char *text, const struct goal_net *net)
{
	static char why[300];
	struct goal_set set = sim_parsed(text);
	struct goal_source *source = goal_source_of(&set);
	uint64_t times[8];

	snprintf(why, sizeof why, "nothing");
	is_int(-1, goal_sim(source, net, NULL, times, why, sizeof why), "this ends with an error");
	free(source);
	goal_set_free(&set);
	return why;
}

int main(void)
{
	struct goal_net slow = sim_default;

	is_str("rank 1 waits for a message from rank 0 with tag 5 that does not come (1 such); "
	       "rank 1 never receives the message from rank 0 with tag 4 (1 such)",
	       error_of("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 4\n}\n"
			"rank 1 {\nrecv 1b from 0 tag 5\n}\n", &sim_default),
	       "another tag");
	is_str("rank 0 waits for a message from any rank with any tag that does not come (3 such)",
	       error_of("num_ranks 2\nrank 0 {\nrecv 1b from -1 tag -1\nrecv 1b from 1\n}\n"
			"rank 1 {\nrecv 1b from 0\n}\n", &sim_default),
	       "nothing is sent");
	is_str("rank 2 never receives the message from rank 1 with tag 0 (2 such)",
	       error_of(
		       "num_ranks 3\nrank 0 {\ncalc 1\n}\nrank 1 {\nsend 1b to 2\nsend 1b to 2\n}\n"
		       "rank 2 {\ncalc 1\n}\n",
		       &sim_default),
	       "nothing is received");
	is_str("rank 0 waits for a message from rank 1 with tag 0 that does not come (2 such)",
	       error_of(
		       "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires "
		       "a\n}\n"
		       "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n",
		       &sim_default),
	       "both wait for the other");
	slow.G = UINT64_MAX / 2;
	is_str("times do not fit in 64 bits",
	       error_of("num_ranks 2\nrank 0 {\nsend 4b to 1\n}\nrank 1 {\nrecv 4b from 0\n}\n",
			&slow),
	       "a bandwidth of nothing");
	slow = sim_default;
	slow.L = UINT64_MAX;
	is_str("times do not fit in 64 bits",
	       error_of("num_ranks 2\nrank 0 {\nsend 4b to 1\n}\nrank 1 {\nrecv 4b from 0\n}\n",
			&slow),
	       "an endless latency");
	return done_testing();
}
