/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that hangs in the libraries of its transport before bsp_begin returns ends the job in
 * bounded time. */
#include "../lib/tap.h"
#include "job/launch/supervise.c"

#include <sys/mman.h>

/*
 * As bspj_start() leaves the supervisor: three children, of which process 1 never begins, though it
 * was to do so when the watchdog has counted @until ms.
 */
_Noreturn static void supervise(int64_t until)
{
	static const struct bspj_words words = { .step = "superstep", .end = "bsp_end" };
	static const struct bspj_start how = { .nprocs = 3, .words = &words };
	struct bspj_children children = {
		.how = &how,
		.nprocs = 3,
		.child = calloc(3, sizeof(*children.child)),
		.control = -1,
	};
	struct watch w = { .children = &children, .left = 3, .start_until = until };

	children.table = mmap(NULL, bspj_status_table_bytes(3), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	w.fds = make_fds(&w);
	if (children.table == MAP_FAILED || !children.child || !w.fds)
		bail("no memory");
	for (int p = 0; p < 3; p++) {
		children.child[p] = (struct bspj_child){ .pid = fork(), .out = -1, .err = -1 };
		if (children.child[p].pid)
			continue;
		if (p != 1)
			atomic_store(&children.table->rank[p].state, BSPJ_ENDED);
		while (p == 1)
			pause();
		_exit(EXIT_SUCCESS);
	}
	w.watchdog = supervise_watchdog_of(&children);
	open_signals(&w);
	supervise_reap(&w);
	while (!supervise_is_over(&w))
		watch_once(&w);
	_exit(final_status(&w));
}

static void time_is_over(void)
{
	supervise(1);
}

static void soon(void)
{
	supervise(200);
}

int main(void)
{
	dies_ok(time_is_over, 0, "bsp: has not begun within 123 s",
		"a process has not begun in time");
	dies_ok(soon, 0, "bsp: has not begun within 123 s",
		"the supervisor wakes up for it by itself");
	return done_testing();
}
