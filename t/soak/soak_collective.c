/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_collective.c - collective operations and runs of schedules that last for supersteps. */

#include "soak_collective.h"

/*
 * One is made in a superstep, and each process starts it in that one or, if it does not block, in
 * one of the next: in the same order everywhere, so a process starts it only after all that were
 * made before. From the superstep on in which the last process starts it, each waits for it
 * when it likes, at the latest in the superstep of the deadline; after that it is forgotten
 * everywhere, so that all know how many are under way.
 */
enum {
	UNDER_WAY = 12,			/* from one superstep to the next */
	IN_A_SUPERSTEP = UNDER_WAY + OPS,
	DELAY = 3, WAIT_MOST = 8,	/* supersteps */
};

static const char *const names[] = {
	"bcast", "gather", "scatter", "allgather", "exchange", "reduce", "allreduce", "prefix",
	"fold", "scan", "gatherv", "scatterv", "allgatherv", "exchangev", "reduce_scatter",
	"run of a schedule", "unload",
};

static struct collective *under_way[IN_A_SUPERSTEP];
static int nunder_way, nlasting;
static int last_start[PROCS];

/* ---- Making -------------------------------------------------------------- */

static int lesser(int a, int b)
{
	return a < b ? a : b;
}

static int greater(int a, int b)
{
	return a > b ? a : b;
}

/* The last superstep in which anything is waited for. */
static int last_step(void)
{
	return soak.steps - 1;
}

static void choose_times(struct collective *c)
{
	bool delayed = !c->blocks && pick(3) == 0;

	c->made = c->all_started = soak.step;
	for (int i = 0; i < soak.nprocs; i++) {
		int start = soak.step + (delayed ? (int)pick(DELAY) : 0);

		start = lesser(greater(start, last_start[i]), last_step());
		last_start[i] = c->start[i] = start;
		c->all_started = greater(c->all_started, start);
	}
	c->deadline = lesser(c->all_started + (int)pick(WAIT_MOST), last_step());
	if (c->blocks)
		c->deadline = soak.step;
}

/* Nothing made before is still to be started after this superstep. */
static bool all_have_started(void)
{
	for (int i = 0; i < soak.nprocs; i++)
		if (last_start[i] > soak.step)
			return false;
	return true;
}

/* More than a few only if they are over at once. */
bool soak_make_collective(struct op *op, bool of_schedule)
{
	struct collective *c;
	bool many = nlasting == UNDER_WAY;

	if (nunder_way == IN_A_SUPERSTEP || (many && !all_have_started()))
		return false;
	c = calloc(1, sizeof *c);
	if (!c)
		soak_fail("no memory");
	c->seed = op->seed;
	c->blocks = (many || pick(3) == 0) && all_have_started();
	if (of_schedule && !soak_choose_schedule(c)) {
		free(c);
		return false;
	}
	if (!of_schedule)
		soak_choose_operation(c);
	choose_times(c);
	under_way[nunder_way++] = c;
	nlasting += !c->blocks;
	op->collective = c;
	return true;
}

/* ---- Ending -------------------------------------------------------------- */

static void check_result(struct collective *c)
{
	long n = c->what == RUN ? soak_wrong_messages(c) : soak_wrong_result(c);

	c->over = true;
	if (n)
		soak_fail("%s of %zu%s%s, root %d, made in superstep %d, started in %d: %ld wrong",
			  names[c->what], c->n, c->in_place ? " in place" : "",
			  c->blocks ? ", blocking" : "", c->root, c->made, c->start[soak.me], n);
	if (!soak_is_guarded(&c->from) || !soak_is_guarded(&c->to))
		soak_fail("%s of %zu, made in superstep %d, has written beyond its buffers",
			  names[c->what], c->n, c->made);
}

static void start(struct collective *c)
{
	c->started = true;
	if (c->what == UNLOAD) {
		soak_unload(c->schedule);
		c->over = true;
		return;
	}
	if (c->what == RUN)
		soak_start_run(c);
	else
		soak_start_operation(c);
	if (c->blocks)
		check_result(c);
}

void soak_start_owed(void)
{
	for (int i = 0; i < nunder_way; i++) {
		struct collective *c = under_way[i];

		if (c->made < soak.step && !c->started && c->start[soak.me] <= soak.step)
			start(c);
	}
}

void soak_call_collective(struct op *op)
{
	if (op->collective->start[soak.me] == soak.step)
		start(op->collective);
}

static void wait_for(struct collective *c)
{
	if (c->what == RUN) {
		goal_wait(c->run);
	} else {
		bsp_wait(&c->request);
		if (c->request != BSP_NO_REQUEST || !bsp_test(&c->request))
			soak_fail("bsp_wait has left a request");
	}
	check_result(c);
}

static void test(struct collective *c)
{
	if (c->what == RUN ? goal_test(&c->run) : bsp_test(&c->request))
		check_result(c);
}

static void finish(struct collective *c)
{
	if (!c->started || c->over)
		return;
	if (c->deadline <= soak.step || (c->all_started <= soak.step && pick_own(4) == 0))
		wait_for(c);
	else if (pick_own(2))
		test(c);
}

/* Some from the first on, others from the last on. */
void soak_finish_some(bool due)
{
	bool backwards = pick_own(2);

	for (int i = 0; i < nunder_way; i++) {
		struct collective *c = under_way[backwards ? nunder_way - 1 - i : i];

		if (due || pick_own(2))
			finish(c);
	}
}

void soak_forget_collectives(void)
{
	int left = 0;

	for (int i = 0; i < nunder_way; i++) {
		struct collective *c = under_way[i];

		if (c->deadline > soak.step) {
			under_way[left++] = c;
			continue;
		}
		if (c->schedule && c->what == RUN)
			c->schedule->runs--;
		if (c->what == UNLOAD)
			c->schedule->used = false;
		nlasting -= !c->blocks;
		free(c->from.memory);
		free(c->to.memory);
		free(c);
	}
	nunder_way = left;
}
