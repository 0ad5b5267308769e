/* SPDX-License-Identifier: BSD-3-Clause */
/* In a timed run an operation is ready at the latest end of those it waits for. */
#include "../lib/schedules.h"

enum { MOST = 40 };

/* How long each operation takes, by index; it may end in any order of calls. */
static uint64_t takes[MOST];
static const struct goal_op *moving[MOST];
static uint32_t nmoving;
static uint64_t seed = 31337;

static bool move(struct goal_run *run, const struct goal_op *op)
{
	if (random_below(&seed, 2)) {
		moving[nmoving++] = op;
		return false;
	}
	goal_run_end_at(run, op, goal_run_time(run, op) + takes[op->index]);
	return true;
}

static const struct goal_host host = { .move = move };

static void end_any(struct goal_run *run)
{
	uint32_t i = random_below(&seed, nmoving);
	const struct goal_op *op = moving[i];

	moving[i] = moving[--nmoving];
	goal_run_end_at(run, op, goal_run_time(run, op) + takes[op->index]);
	goal_run_done(run, op);
}

static void run_once(struct goal_run *run, unsigned char **buffers, uint64_t now)
{
	goal_run_start(run, buffers, now);
	while (!goal_run_is_over(run)) {
		goal_run_step(run, 1 + random_below(&seed, 3));
		if (nmoving)
			end_any(run);
	}
}

/* Operations lie behind what they wait for: one pass is enough. Returns the last end. */
static uint64_t oracle(const struct goal_prog *prog, uint64_t now, uint64_t *end)
{
	const struct goal_op *op = goal_op_at(prog, prog->header->ops_at);
	uint64_t ready[MOST], last = now, *of;
	uint32_t i, j;

	for (i = 0; i < prog->header->nops; i++)
		ready[i] = now;
	for (i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		end[i] = ready[i] + (op->type == GOAL_LOCAL ? 0 : takes[i]);
		for (j = 0; j < goal_list_len(op); j++) {
			of = &ready[goal_op_at(prog, goal_list(op)[j])->index];
			if (*of < (j < op->nfollowers ? ready[i] : end[i]))
				*of = j < op->nfollowers ? ready[i] : end[i];
		}
		last = last < end[i] ? end[i] : last;
	}
	return last;
}

static void *random_block(int n, size_t *len)
{
	struct goal_graph *g = goal_graph_create(2, 0);
	struct edge edges[2 * MOST];
	void *block;
	int i;

	goal_scratch(g, 16);
	for (i = 0; i < n; i++) {
		if (random_below(&seed, 3))
			goal_send(g, 0, GOAL_NOWHERE, 1, 0);
		else
			goal_local(g, GOAL_ADD, GOAL_U8, 1, GOAL_AT(GOAL_SCRATCHPAD, 0),
				   GOAL_AT(GOAL_SCRATCHPAD, 1));
		takes[i] = random_below(&seed, 100);
	}
	random_edges(g, &seed, edges, n > 1 ? random_below(&seed, 2 * (uint32_t)n) : 0);
	block = compiled(g, len);
	goal_graph_destroy(g);
	return block;
}

static bool as_expected(const struct goal_prog *prog, const struct goal_run *run, uint64_t now)
{
	const struct goal_op *op = goal_op_at(prog, prog->header->ops_at);
	uint64_t end[MOST], last = oracle(prog, now, end);
	uint32_t i;

	for (i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		if (goal_run_time(run, op) != end[i])
			return false;
	}
	return goal_run_last(run) == last;
}

int main(void)
{
	int i, again, right = 0, runs = 0;

	for (i = 0; i < 500; i++) {
		size_t len;
		void *block = random_block((int)random_below(&seed, MOST), &len);
		struct goal_prog prog = good(block, len);
		struct own_run *own = own_run(&prog, &host, NULL, true);

		/* the second time begins earlier than the first has ended */
		for (again = 0; again < 2; again++, runs++) {
			run_once(&own->run, own->buffers, 1000 - (uint64_t)again * 900);
			right += as_expected(&prog, &own->run, 1000 - (uint64_t)again * 900);
		}
		own_run_free(own);
		free(block);
	}
	is_int(runs, right, "times of all operations are those of a calculation without counters");
	return done_testing();
}
