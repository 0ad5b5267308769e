/* SPDX-License-Identifier: BSD-3-Clause */
/* A message names both when processes make different collective calls; nothing hangs and nothing
 * is damaged. */
#include "../lib/collective.h"

/* The case: it selects the call of process 1, and that of the others. */
static int which;
static int x[4096], y[4096];
static char guard_before[64], area[64], guard_after[64];

static void first(void *result, void *left, void *right, int *nbytes)
{
	(void)right;
	memcpy(result, left, (size_t)*nbytes);
}

static void odd_call(void)
{
	switch (which) {
	case 0: bsp_bcast(0, x, y, 16); break;
	case 1: bsp_bcast(1, x, y, 8); break;
	case 2: bsp_allreduce(BSP_MAX, BSP_INT, x, y, 2); break;
	case 3: bsp_allreduce(BSP_SUM, BSP_UNSIGNED, x, y, 2); break;
	case 4: bsp_allgather(x, y, 8); break;
	case 5: bsp_scatter(1, x, y, 8); break;
	default: bsp_fold(first, x, y, 4); break;
	}
}

static void usual_call(void)
{
	switch (which) {
	case 0:
	case 1: bsp_bcast(0, x, y, 8); break;
	case 2:
	case 3: bsp_allreduce(BSP_SUM, BSP_INT, x, y, 2); break;
	case 4: bsp_exchange(x, y, 8); break;
	case 5: bsp_scatter(2, x, y, 8); break;
	default: bsp_fold(first, x, y, 8); break;
	}
}

static void body(void)
{
	enter();
	bsp_allgather(x, y, 8);		/* all have loaded a few */
	bsp_bcast(0, x, y, 16);
	bsp_bcast(1, x, y, 8);
	if (me() == 1)
		odd_call();
	else
		usual_call();
	bsp_sync();
	bsp_end();
}

static void longer_than_its_receive(void)
{
	enter();
	memset(guard_before, 1, sizeof guard_before);
	memset(guard_after, 1, sizeof guard_after);
	if (me() == 0)
		bsp_bcast(0, x, y, sizeof x);
	else
		bsp_bcast(0, NULL, area, sizeof area);
	bsp_end();
}

static void one_more(void)
{
	enter();
	bsp_bcast(0, x, y, 8);
	if (me() == procs() - 1)
		bsp_bcast(me(), x, y, 8);
	bsp_end();
}

static void none_at_all(void)
{
	enter();
	if (me() == 0)
		bsp_bcast(0, x, y, 8);
	bsp_end();
}

static const char *const names[] = {
	"size", "root", "operator", "type", "operation", "root for which no process sends",
		"operand",
};

static void both_named(const char *text)
{
	if (!ok(strstr(job_err(), "process 1") || strstr(job_err(), "this is"),
		"%s: both are named", text))
		diag("%s", job_err());
}

int main(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	/* on an emulated network no process reports that it waits: only --check compares there */
	for (int check = transport && !strcmp(transport, "emu"); check < 2; check++) {
		setenv("BSP_CHECK", check ? "1" : "0", 1);
		for (which = 0; which < 7; which++) {
			dies_ok(body, 3, "bsp_", "another %s%s", names[which],
				check ? ", with --check" : "");
			if (job_max_nprocs() >= 3)
				both_named(names[which]);
		}
		dies_ok(longer_than_its_receive, 2, "bsp_", "longer than its receive");
		dies_ok(one_more, 3, "bsp_", "one more on one process");
		dies_ok(none_at_all, 3, "bsp_", "calls on one process only");
	}
	return done_testing();
}
