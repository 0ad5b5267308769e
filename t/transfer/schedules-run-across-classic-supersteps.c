/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that go on through classic supersteps, with puts, gets and messages in all of them. */
#include "../lib/runs.h"

enum { STEPS = 60, BYTES = 3000, MANY = 20000, MESSAGES = 5, PILE_KIB = 20 * 1024 };

static unsigned char out[BYTES], in[BYTES];
static uint32_t area[BYTES], fetched[BYTES];

/* A chain: each process adds one to what comes from the left; process 0 begins and gets the sum. */
static struct goal_schedule *load_chain(void)
{
	struct goal_graph *g = graph();
	int value = goal_buffer(g), got, sent, sum;
	uint64_t at = goal_scratch(g, 8);

	got = goal_recv(g, 8, HERE(GOAL_SCRATCHPAD, at), (int)left(), 0);
	if (bsp_pid() == 0) {
		goal_send(g, 8, HERE(value, 0), (int)right(), 0);
		sum = goal_local(g, GOAL_COPY, GOAL_NONE, 8, HERE(value, 8),
				 HERE(GOAL_SCRATCHPAD, at));
		goal_requires(g, sum, got);
		return load(g);
	}
	sum = goal_local(g, GOAL_ADD, GOAL_U64, 8, HERE(GOAL_SCRATCHPAD, at), HERE(value, 0));
	sent = goal_send(g, 8, HERE(GOAL_SCRATCHPAD, at), (int)right(), 0);
	goal_requires(g, sum, got);
	goal_requires(g, sent, sum);
	return load(g);
}

/* The other transfers of a superstep; look() checks every byte of them in the next. */
static void transfer(uint32_t step)
{
	static uint32_t values[BYTES];

	for (uint32_t i = 0; i < BYTES; i++)
		values[i] = step * 1000000 + (uint32_t)bsp_pid() * 10000 + i;
	bsp_put(right(), values, area, 0, sizeof area);
	for (uint32_t i = 0; i < MESSAGES; i++)
		bsp_send(left(), NULL, values, (bsp_size_t)(4 * (i * 500 + 1)));
	bsp_get(left(), area, 0, fetched, sizeof fetched);
}

static long look(uint32_t step, uint32_t before)
{
	uint32_t base = step * 1000000, p = (uint32_t)left();
	bsp_nprocs_t n;
	bsp_size_t bytes;
	uint32_t word;
	long wrong_words = 0;

	for (uint32_t i = 0; i < BYTES; i++)
		wrong_words += area[i] != base + p * 10000 + i;
	for (uint32_t i = 0; i < BYTES; i++)
		wrong_words += before &&
			       fetched[i] != before +
						     (uint32_t)((p + (uint32_t)bsp_nprocs() - 1) %
								(uint32_t)bsp_nprocs()) *
							     10000 +
						     i;
	bsp_qsize(&n, &bytes);
	wrong_words += n != MESSAGES;
	while (n-- > 0) {
		bsp_move(&word, 4);
		wrong_words += word != base + (uint32_t)right() * 10000;
	}
	return wrong_words;
}

/* A run in each superstep, and one that is started in one and waited for in the next. */
static void mixed(void)
{
	struct goal_schedule *chain, *shift;
	struct goal_request *long_one = NULL;
	uint64_t value[2] = { 1, 0 };
	long wrong_words = 0, wrong_bytes = 0, wrong_sums = 0;

	enter();
	publish(area, sizeof area);
	chain = load_chain();
	shift = load_shift(BYTES);
	for (uint32_t step = 1; step <= STEPS; step++) {
		void *buffers[] = { value }, *bytes[] = { out, in };
		struct goal_request *f = goal_start(chain, buffers);

		if (step % 2) {
			fill(out, BYTES, step + (uint32_t)bsp_pid());
			long_one = goal_start(shift, bytes);
		}
		transfer(step);
		goal_wait(f);
		wrong_sums += bsp_pid() == 0 && value[1] != (uint64_t)bsp_nprocs();
		bsp_sync();
		wrong_words += look(step, step > 1 ? (step - 1) * 1000000 : 0);
		if (step % 2 == 0) {
			goal_wait(long_one);
			wrong_bytes += wrong(in, BYTES, step - 1 + (uint32_t)left());
		}
	}
	is_int(0, wrong_sums, "sums around the ring");
	is_int(0, wrong_words, "puts, gets and messages");
	is_int(0, wrong_bytes, "runs across a bsp_sync");
	bsp_end();
}

/*
 * Chunks with puts or messages are held meanwhile; those of the runs must not pile up behind
 * them.
 */
static void many_in_one_superstep(void)
{
	struct goal_schedule *shift;
	void *bytes[] = { out, in };
	long before = 0;
	long wrong_bytes = 0, wrong_messages = 0;
	static unsigned char message[BYTES];

	enter();
	publish(area, sizeof area);
	shift = load_shift(BYTES);
	for (int i = 0; i < 10; i++)
		bsp_send(right(), NULL, message, BYTES);
	bsp_sync();
	for (int i = 0; i < MANY; i++) {
		if (i % 1000 == 0)
			bsp_put(right(), out, area, 0, 100);	/* travels with the next message */
		memset(out, i, 8);
		goal_wait(goal_start(shift, bytes));
		wrong_bytes += in[0] != (unsigned char)i || in[7] != (unsigned char)i;
		if (i == MANY / 10)
			before = peak_kib();
	}
	is_int(0, wrong_bytes, "the right message each time");
	if (!ok(SANITIZED || peak_kib() < before + PILE_KIB, "nothing has piled up"))
		diag("from %ld to %ld KiB", before, peak_kib());
	for (int i = 0; i < 10; i++) {
		memset(message, 1, BYTES);
		bsp_move(message, BYTES);
		for (int k = 0; k < BYTES; k++)
			wrong_messages += message[k] != 0;
	}
	is_int(0, wrong_messages, "messages of the last superstep are still in the queue");
	bsp_sync();
	ok(((unsigned char *)area)[0] == (unsigned char)((MANY - 1) / 1000 * 1000 - 1),
	   "and so are puts");
	bsp_end();
}

int main(void)
{
	lives_ok(mixed, 2, "two processes");
	lives_ok(mixed, 3, "three processes");
	lives_ok(mixed, 6, "six processes");
	lives_ok(many_in_one_superstep, 2, "many runs in one superstep");
	lives_ok(many_in_one_superstep, 3, "many runs in one superstep of three");
	return done_testing();
}
