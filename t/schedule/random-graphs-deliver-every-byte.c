/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of random messages between all processes, in pieces or whole, deliver every byte, again
 * and again. */
#include "../lib/random.h"
#include "../lib/runs.h"

/*
 * All processes know all messages. An operation may wait for those of earlier messages only, so
 * whatever waits for whatever, the messages can be sent in their order and no process waits for
 * ever.
 */
enum { MESSAGES = 40, GRAPHS = 6, STARTS = 3, PIECES = 5, GAP = 3, ROOM = 8 << 20 };

struct message {
	int from, to;
	size_t nbytes;
	int out_pieces, in_pieces;
	size_t out_at, in_at;		/* in the buffers */
};

static struct message messages[MESSAGES];
static unsigned char out[ROOM], in[ROOM];
static uint64_t state;

static uint32_t pick(uint32_t n)
{
	return (uint32_t)random_below(&state, n);
}

/* Small ones more often than large ones, up to 1 MiB. */
static size_t any_size(void)
{
	return pick(2u << pick(20));
}

/* Where it lies in a buffer that is full up to *@end. */
static size_t place(size_t nbytes, size_t *end)
{
	size_t at = *end;

	*end += nbytes + PIECES * GAP;
	if (*end > ROOM)
		bail("messages need more than %d bytes", ROOM);
	return at;
}

static void make_messages(uint32_t seed)
{
	uint32_t n = (uint32_t)bsp_nprocs();
	size_t out_end = 0, in_end = 0;

	state = seed;
	for (int i = 0; i < MESSAGES; i++) {
		struct message *m = &messages[i];

		m->from = (int)pick(n);
		m->to = (m->from + 1 + (int)pick(n - 1)) % (int)n;
		m->nbytes = i == 0 ? 1 << 20 : any_size();
		m->out_pieces = 1 + (int)pick(PIECES);
		m->in_pieces = 1 + (int)pick(PIECES);
		if (m->from == bsp_pid())
			m->out_at = place(m->nbytes, &out_end);
		if (m->to == bsp_pid())
			m->in_at = place(m->nbytes, &in_end);
	}
}

/* Cut into pieces with gaps between; returns how many. */
static size_t cut(struct goal_piece *pieces, int buffer, size_t at, size_t nbytes, int most)
{
	size_t n = 0, each = nbytes / (size_t)most + 1;

	for (size_t done = 0; done < nbytes; done += pieces[n++].bytes, at += GAP) {
		size_t some = nbytes - done < each ? nbytes - done : each;

		pieces[n] = (struct goal_piece){ HERE(buffer, at), some };
		at += some;
	}
	return n;
}

/* It may wait for some that came before. */
static void wait_for_some(struct goal_graph *g, int op)
{
	for (int k = 0; k < 2; k++) {
		int before = op > 0 ? (int)pick((uint32_t)op) : 0;

		if (op > 0 && pick(2) == 0)
			goal_requires(g, op, before);
	}
}

static struct goal_schedule *load_messages(void)
{
	struct goal_graph *g = graph();
	int to = goal_buffer(g), from = goal_buffer(g), me = (int)bsp_pid();
	struct goal_piece pieces[PIECES + 1];

	goal_buffer_at_least(g, to, 0);
	for (int i = 0; i < MESSAGES; i++) {
		const struct message *m = &messages[i];

		if (m->from == me)
			wait_for_some(g, goal_send_list(g, pieces,
							cut(pieces, to, m->out_at, m->nbytes,
							    m->out_pieces),
							m->to, (uint32_t)i));
		if (m->to == me)
			wait_for_some(g, goal_recv_list(g, pieces,
							cut(pieces, from, m->in_at, m->nbytes,
							    m->in_pieces),
							m->from, (uint32_t)i));
	}
	return load(g);
}

/* Fills the pieces of a message to be sent, or counts the wrong bytes of a received one. */
static long visit(const struct message *m, bool send, uint32_t seed)
{
	struct goal_piece pieces[PIECES + 1];
	size_t n = send ? cut(pieces, 0, m->out_at, m->nbytes, m->out_pieces) :
			  cut(pieces, 0, m->in_at, m->nbytes, m->in_pieces);
	size_t done = 0;
	long wrong_bytes = 0;

	for (size_t i = 0; i < n; done += pieces[i++].bytes) {
		unsigned char *at = (send ? out : in) + pieces[i].at.offset;

		for (size_t k = 0; send && k < pieces[i].bytes; k++)
			at[k] = pattern(seed, done + k);
		wrong_bytes += send ? 0 : wrong_from(at, pieces[i].bytes, seed, done);
	}
	return wrong_bytes;
}

static long start_once(struct goal_schedule *s, uint32_t seed)
{
	void *buffers[] = { out, in };
	long wrong_bytes = 0;

	memset(in, 0, sizeof in);
	for (int i = 0; i < MESSAGES; i++)
		if (messages[i].from == bsp_pid())
			visit(&messages[i], true, seed + (uint32_t)i);
	goal_wait(goal_start(s, buffers));
	for (int i = 0; i < MESSAGES; i++)
		if (messages[i].to == bsp_pid())
			wrong_bytes += visit(&messages[i], false, seed + (uint32_t)i);
	return wrong_bytes;
}

static void graphs(void)
{
	enter();
	for (uint32_t k = 0; k < GRAPHS; k++) {
		struct goal_schedule *s;
		long wrong_bytes = 0;

		make_messages(1000 * k + 7 * (uint32_t)bsp_nprocs());
		s = load_messages();
		for (uint32_t i = 0; i < STARTS; i++)
			wrong_bytes += start_once(s, 100 * (k * STARTS + i));
		is_int(0, wrong_bytes, "graph %u", k);
		goal_unload(s);
	}
	bsp_end();
}

int main(void)
{
	lives_ok(graphs, 2, "random graphs of two");
	lives_ok(graphs, 3, "random graphs of three");
	lives_ok(graphs, 7, "random graphs of seven");
	return done_testing();
}
