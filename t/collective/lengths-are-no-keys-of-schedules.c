/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of more different lengths than schedules are kept are in flight at once: one schedule
 * serves all lengths, so none has to end before another one can start. */
#include "../lib/collective.h"

enum { MANY = 200 };

static char src[MANY * 16], dst[MANY * MANY];
static bsp_request r[MANY];

static void start_one(int i)
{
	size_t n = (size_t)i + 1, sizes[16];

	for (int q = 0; q < procs(); q++)
		sizes[q] = n;
	r[i] = bsp_iscatterv(0, src, sizes, NULL, dst + i * MANY, n);
}

/* The root starts them in the next superstep, after all others have. */
static void body(void)
{
	enter();
	fill(src, sizeof src, 1);
	if (me() == 0)
		bsp_sync();
	for (int i = 0; i < MANY; i++)
		start_one(i);
	if (me() != 0)
		bsp_sync();
	for (int i = MANY - 1; i >= 0; i--) {
		size_t n = (size_t)i + 1;

		bsp_wait(&r[i]);
		none_wrong(wrong_from(dst + i * MANY, n, 1, n * (size_t)me()), "bsp_iscatterv", n,
			   0);
	}
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "three processes");
	lives_ok(body, 0, "as many as there can be");
	return done_testing();
}
