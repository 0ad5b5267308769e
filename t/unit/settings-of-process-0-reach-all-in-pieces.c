/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that is to be the same on all comes from process 0 by exchanges that each launcher
 * makes, and by none if all have the same or process 0 wants no job. */

/*
 * The launcher is this test: it gives a process what process 0 says, as parts of a job that find
 * each other do, no more than BSPT_EXCHANGE_MOST bytes at a time.
 */
#include "job/launch/handshake.c"
#include "../lib/tap.h"

enum { PROCS = 3 };

static char of_process_0[BSPJ_COMMON];
static int me, pieces;
static uint32_t wanted = PROCS;		/* processes that process 0 asks for */

/* Process 0 has the usual nodes. */
static void introduce_all(const struct bspj_member *mine, bspt_take_fn *take, void *arg, int n)
{
	struct bspj_member first = *mine;

	first.common = (uint32_t)handshake_hash(of_process_0);
	first.nprocs = wanted;
	first.node_size = 0;
	for (int p = 0; p < n; p++)
		take(arg, p, p == me ? mine : &first);
}

static int exchange(const void *mine, size_t len, bspt_take_fn *take, void *arg, int n,
		    double timeout_s)
{
	(void)timeout_s;
	if (len > BSPT_EXCHANGE_MOST)
		return -EMSGSIZE;
	if (len == sizeof(struct bspj_member)) {
		introduce_all(mine, take, arg, n);
		return 0;
	}
	for (int p = 0; p < n; p++)
		take(arg, p, p == me ? mine : of_process_0 + (size_t)pieces * len);
	pieces++;
	return 0;
}

static int nodes(int *node, int nprocs)
{
	for (int p = 0; p < nprocs; p++)
		node[p] = 0;
	return 0;
}

/* The text of process @p after the handshake, if it has @own before. */
static const char *text_of(int p, const char *own)
{
	static const struct bspj_launch launch = {
		.name = "test", .supervises = true, .exchange = exchange, .nodes = nodes,
	};
	static const struct bspj_words words = { .begin = "bsp_begin" };
	static char common[BSPJ_COMMON];
	struct bspj_job job = { .launch = &launch, .me = p, .nprocs = PROCS };
	struct bspj_start how = {
		.words = &words, .nprocs = PROCS, .common = common, .follows = wanted == 0,
		.node_size = wanted == 0,
	};
	char why[512];

	me = p;
	pieces = 0;
	snprintf(common, sizeof(common), "%s", own);
	if (bspj_handshake(&job, &how, why, sizeof(why))) {
		diag("%s", why);
		return "";
	}
	bspj_members_free((struct bspj_members *)(uintptr_t)job.members);
	return common;
}

int main(void)
{
	memset(of_process_0, 'a', sizeof(of_process_0) - 1);
	memset(of_process_0, 'b', 30);
	ok(strcmp(of_process_0, text_of(1, "BSP_CHECK=1\n")) == 0, "process 1 takes all of it");
	ok(strcmp(of_process_0, text_of(0, of_process_0)) == 0, "process 0 keeps its own");
	is_int(0, pieces, "and nothing is exchanged where all have that");
	strcpy(of_process_0, "BSP_CHECK=0\n");
	ok(strcmp(of_process_0, text_of(2, "BSP_CHECK=1\n")) == 0, "a short one, too");
	wanted = 0;
	ok(strcmp("BSP_CHECK=1\n", text_of(1, "BSP_CHECK=1\n")) == 0,
	   "without a job a process keeps its own, whatever its nodes are");
	is_int(0, pieces, "and nothing is exchanged");
	return done_testing();
}
