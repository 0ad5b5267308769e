/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph becomes a block that is found good, runs, and can be run again. */
#include "../lib/schedules.h"

static uint32_t moved;

static bool move(struct goal_run *run, const struct goal_op *op)
{
	static const uint32_t nine = 9;

	moved++;
	if (op->type == GOAL_RECV)
		memcpy(goal_run_at(run, goal_parts(op)), &nine, sizeof nine);
	return true;
}

static const struct goal_host host = { .move = move };

/* Receive a number, add it to ours, send the sum. */
static struct goal_graph *sum(void)
{
	struct goal_graph *g = goal_graph_create(4, 1);
	int ours = goal_buffer(g), got, added, sent;
	uint64_t room = goal_scratch(g, 4);

	sent = goal_send(g, 4, GOAL_AT(ours, 8), 2, 0);
	added = goal_local(g, GOAL_ADD, GOAL_U32, 4, GOAL_AT(ours, 8),
			   GOAL_AT(GOAL_SCRATCHPAD, room));
	got = goal_recv(g, 4, GOAL_AT(GOAL_SCRATCHPAD, room), 0, 0);
	goal_requires(g, sent, added);
	goal_requires(g, added, got);
	return g;
}

int main(void)
{
	struct goal_graph *g = sum();
	size_t len;
	void *block = compiled(g, &len);
	struct goal_prog prog = good(block, len);
	struct own_run *own = own_run(&prog, &host, NULL, false);
	uint32_t n;

	is_int(3, prog.header->nops, "three operations");
	is_int(1, prog.header->nindep, "one of them waits for none");
	is_int(12, goal_buffers(&prog)->bytes, "the buffer is as large as what is used of it");
	is_int(4, goal_buffers(&prog)->align, "and aligned as the numbers in it");
	is_int(GOAL_RECV, goal_op_at(&prog, prog.header->ops_at)->type, "the receive is first");
	for (n = 1; n <= 3; n++) {
		goal_run_start(&own->run, own->buffers, 0);
		ok(!goal_run_is_over(&own->run), "started for the %u. time", n);
		is_int(2, goal_run_step(&own->run, 2), "two are started if two are asked for");
		is_int(1, goal_run_step(&own->run, 100), "and what is left after that");
		ok(goal_run_is_over(&own->run), "it is over");
		is_int(9 * n, *(uint32_t *)(void *)(own->buffers[0] + 8), "the sum is right");
	}
	is_int(6, moved, "the host moved each message");
	own_run_free(own);
	free(block);
	goal_graph_destroy(g);
	return done_testing();
}
