/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_schedule.c - schedules of random messages: loaded, run again and again, and unloaded. */

#include "soak_collective.h"

#include "../lib/runs.h"

/* ---- Choosing --------------------------------------------------------------- */

static struct schedule schedules[SCHEDULES];

/* Messages between any two; each waits for none or an earlier one, so there is no circle. */
static void make_schedule(struct schedule *s)
{
	s->used = true;
	s->leaves = false;
	s->runs = 0;
	s->nmessages = soak.nprocs == 1 ? 0 : 1 + (int)pick(MESSAGES);
	for (int i = 0; i < s->nmessages; i++) {
		int from = (int)pick((size_t)soak.nprocs);
		int more = (int)pick((size_t)soak.nprocs - 1);

		s->message[i].from = from;
		s->message[i].to = (from + 1 + more) % soak.nprocs;
		s->message[i].nbytes = pick_length(2 * MOST_BLOCK);
		s->message[i].after = i > 0 && pick(2) ? (int)pick((size_t)i) : NONE;
	}
}

/* One that is there, which may be its last time, or another. */
bool soak_choose_schedule(struct collective *c)
{
	struct schedule *s = &schedules[pick(SCHEDULES)];

	if (s->used && s->leaves)
		return false;
	c->what = RUN;
	c->schedule = s;
	if (!s->used)
		make_schedule(s);
	else if (!s->runs && pick(4) == 0)
		c->what = UNLOAD;
	s->leaves = c->what == UNLOAD;
	s->runs += c->what == RUN;
	return true;
}

/* ---- Running ----------------------------------------------------------- */

/* The bytes of the messages that this process sends, or of those that it receives. */
static size_t bytes_of_messages(const struct schedule *s, bool out)
{
	size_t nbytes = 0;

	for (int i = 0; i < s->nmessages; i++)
		if ((out ? s->message[i].from : s->message[i].to) == soak.me)
			nbytes += s->message[i].nbytes;
	return nbytes;
}

/* The operations of message @after come first, if it is one of this process. */
static void link_to(struct goal_graph *g, const int (*ops)[2], int after, int op)
{
	for (int k = 0; k < 2 && after != NONE; k++)
		if (ops[after][k] >= 0)
			goal_requires(g, op, ops[after][k]);
}

static void load_schedule(struct schedule *s)
{
	struct goal_graph *g = graph();
	int out = goal_buffer(g), in = goal_buffer(g), ops[MESSAGES][2];
	size_t out_at = 0, in_at = 0;

	for (int i = 0; i < s->nmessages; i++) {
		int from = s->message[i].from, to = s->message[i].to, *op = ops[i];
		size_t nbytes = s->message[i].nbytes;

		op[0] = op[1] = -1;
		if (from == soak.me) {
			op[0] = goal_send(g, nbytes, HERE(out, out_at), to, (uint32_t)i);
			link_to(g, ops, s->message[i].after, op[0]);
			out_at += nbytes;
		}
		if (to == soak.me) {
			op[1] = goal_recv(g, nbytes, HERE(in, in_at), from, (uint32_t)i);
			link_to(g, ops, s->message[i].after, op[1]);
			in_at += nbytes;
		}
	}
	s->loaded = load(g);
}

void soak_start_run(struct collective *c)
{
	const struct schedule *s = c->schedule;
	void *buffers[2];
	char *at;

	if (!s->loaded)
		load_schedule(c->schedule);
	soak_make_buffer(&c->from, bytes_of_messages(s, true));
	soak_make_buffer(&c->to, bytes_of_messages(s, false));
	at = c->src = soak_start_of(&c->from);
	c->dst = soak_start_of(&c->to);
	for (int i = 0; i < s->nmessages; i++)
		if (s->message[i].from == soak.me) {
			fill(at, s->message[i].nbytes, c->seed + (uint32_t)i);
			at += s->message[i].nbytes;
		}
	buffers[0] = c->src;
	buffers[1] = c->dst;
	c->run = goal_start(s->loaded, buffers);
	if (c->blocks)
		goal_wait(c->run);
}

long soak_wrong_messages(const struct collective *c)
{
	const struct schedule *s = c->schedule;
	const char *at = c->dst;
	long n = 0;

	for (int i = 0; i < s->nmessages; i++)
		if (s->message[i].to == soak.me) {
			n += wrong(at, s->message[i].nbytes, c->seed + (uint32_t)i);
			at += s->message[i].nbytes;
		}
	return n;
}

void soak_unload(struct schedule *s)
{
	if (s->loaded)
		goal_unload(s->loaded);
	s->loaded = NULL;
}
