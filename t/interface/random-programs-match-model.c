/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs leave what a sequential model of BSPlib leaves. */

/*
 * random-programs-match-model.t [first seed [number of seeds]]
 *
 * Programs of t/soak in short: 28 classic supersteps of many kinds, each of them compared with the
 * model byte by byte. Collective operations and schedules are left to t/soak/, which runs thousands
 * of supersteps over few settings; here are few over many.
 */

#include "../lib/relaxed.h"
#include "../soak/soak.h"

static void body(void)
{
	soak_begin();
	tap_process(soak.me);
	soak_supersteps();
	is_int(soak.steps, soak.step, "all is as in the model");
	soak_end();
}

static void run(int n, const char *name, const char *value)
{
	char claim[80];

	snprintf(claim, sizeof claim, "seed %llu, %d processes", (unsigned long long)soak.seed, n);
	if (name)
		under(name, value, body, n, claim);
	else
		lives_ok(body, n, "%s", claim);
}

static int at_most(int n)
{
	return n <= job_max_nprocs() ? n : 1;
}

static void run_all(void)
{
	static const int sizes[] = { 1, 2, 3, 4, 7 };
	static const char *const barriers[] = {
		"dissemination", "butterfly", "binomial", "knomial:3", "linear", "twophase", "nbx",
	};

	for (int i = 0; i < 5 && sizes[i] <= job_max_nprocs(); i++) {
		run(sizes[i], NULL, NULL);
		run(sizes[i], "BSP_BARRIER", "alltoall");
		run(sizes[i], "BSP_BARRIER", "counting");
	}
	for (size_t i = 0; i < sizeof(barriers) / sizeof(*barriers); i++)
		run(at_most(sizes[(soak.seed + i) % 5]), "BSP_BARRIER", barriers[i]);
	run(at_most(3), "BSP_SHARE", "0");
	run(at_most(3), "BSP_SHARE", "4096");
	run(at_most(4), "BSP_SHUFFLE", "4711");
	run(at_most(3), "BSP_PROGRESS", "thread");
}

int main(int argc, char **argv)
{
	static const char *const words[] = {
		"steps=28", "longest=3", "phases=mixed,busy,large",
		"without=relaxed,read,collective,schedule,terse",
	};
	uint64_t usual = tap_is_long() ? 8 : job_networked() ? 2 : SANITIZED ? 3 : 8;
	uint64_t seeds = argc > 2 ? strtoull(argv[2], NULL, 0) : usual;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!soak_take(words[i]))
			bail("%s", words[i]);
	soak.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	for (uint64_t last = soak.seed + seeds; soak.seed < last; soak.seed++)
		run_all();
	return done_testing();
}
