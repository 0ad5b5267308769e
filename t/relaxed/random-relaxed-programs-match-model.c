/* SPDX-License-Identifier: BSD-3-Clause */
/* Random well-formed relaxed programs read what a sequential model of them reads. */

/*
 * random-relaxed-programs-match-model.t [first seed [number of seeds]]
 *
 * Programs of t/soak in short: 24 supersteps that are relaxed and classic in turn, over each way to
 * carry puts. An area is compared with the model after each read of it, and all memory without
 * unread puts before and after each bsp_sync, however far others are ahead. Collective operations
 * and schedules are left to t/soak/.
 */

#include "../soak/soak.h"

#include "../lib/relaxed.h"

static void body(void)
{
	soak_begin();
	tap_process(soak.me);
	soak_supersteps();
	is_int(soak.steps, soak.step, "all is as in the model");
	soak_end();
}

static const struct {
	int nprocs;
	const char *name, *value;
} settings[] = {
	{ 1, "BSP_EAGER", "auto" }, { 2, "BSP_EAGER", "auto" }, { 3, "BSP_EAGER", "auto" },
	{ 5, "BSP_EAGER", "auto" }, { 8, "BSP_EAGER", "auto" }, { 1, "BSP_EAGER", "0" },
	{ 2, "BSP_EAGER", "0" }, { 4, "BSP_EAGER", "0" }, { 3, "BSP_EAGER", "64" },
	{ 2, "BSP_CREDIT", "256" }, { 4, "BSP_CREDIT", "256" }, { 3, "BSP_CREDIT", "4096" },
	{ 3, "BSP_SYNC", "classic" }, { 4, "BSP_BARRIER", "alltoall" },
	{ 4, "BSP_BARRIER", "counting" }, { 4, "BSP_BARRIER", "dissemination" },
	{ 5, "BSP_BARRIER", "binomial" }, { 4, "BSP_BARRIER", "nbx" }, { 3, "BSP_SHARE", "4096" },
	{ 3, "BSP_SHUFFLE", "4711" }, { 3, "BSP_PROGRESS", "thread" },
};

static void run_all(void)
{
	char claim[80];

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		snprintf(claim, sizeof claim, "seed %llu, %d processes",
			 (unsigned long long)soak.seed, settings[i].nprocs);
		under(settings[i].name, settings[i].value, body, settings[i].nprocs, claim);
	}
}

int main(int argc, char **argv)
{
	static const char *const words[] = {
		"steps=24", "longest=5", "relaxed=3", "heap=1",
		"phases=mixed,puts,busy,large,renewals",
		"without=write,collective,schedule,terse",
	};
	uint64_t usual = tap_is_long() ? 15 : job_networked() ? 2 : SANITIZED ? 4 : 15;
	uint64_t seeds = argc > 2 ? strtoull(argv[2], NULL, 0) : usual;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!soak_take(words[i]))
			bail("%s", words[i]);
	setenv("BSP_UNREAD", "ignore", 1);	/* the programs leave out reads at random */
	soak.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	for (uint64_t last = soak.seed + seeds; soak.seed < last; soak.seed++)
		run_all();
	return done_testing();
}
