/* SPDX-License-Identifier: BSD-3-Clause */
/* BSP_BARRIER=nbx sends an acknowledgement for each process that sent something, and messages of 8
 * bytes, ceil(log2 P) from each process; with counts they have 4 (P - 1) bytes more. */

#include "bsplib/model/model.h"
#include "goal/gen/goal_gen.h"
#include "../lib/spmd.h"
#include "../lib/sent.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
	SUPERSTEPS = 5,
	MOST = 256,
	/* of a chunk with a message of the barrier: heads of the chunk and the record, two words */
	EMPTY = sizeof(struct bspi_head) + sizeof(struct bspi_rec) + 8,
};

static struct of_process {
	uint64_t chunks, messages, message_bytes, received;
	int wrong;
} *counted;				/* of each process, shared with the job */

static int rounds(int n)
{
	int k = 0;

	while (1 << k < n)
		k++;
	return k;
}

/* ---- What processes send --- */

static int fan;				/* processes that each sends to */

/* Sends to the processes that follow, then to those at twice the distance, and so on. */
static void superstep(int step)
{
	int n = bsp_nprocs(), me = bsp_pid(), messages, bytes;
	int value = 1000 * step + me;

	for (int k = 1; k <= fan; k++)
		bsp_send((me + k * step) % n, NULL, &value, sizeof(value));
	bsp_sync();
	bsp_qsize(&messages, &bytes);
	counted[me].wrong += messages != fan;
	for (; messages > 0; messages--) {
		bsp_move(&value, sizeof(value));
		counted[me].wrong += value / 1000 != step;
	}
}

static void body(void)
{
	enter();
	sent_watch();
	for (int step = 1; step <= SUPERSTEPS; step++)
		superstep(step);
	counted[bsp_pid()].chunks = sent.chunks;
	counted[bsp_pid()].messages = sent.messages;
	counted[bsp_pid()].message_bytes = sent.message_bytes;
	counted[bsp_pid()].received = sent.received;
	bsp_end();
}

/* Relaxed epochs end otherwise, and what acknowledges these is not counted. */
static void mixed(void)
{
	int n, me, cell = 0, value;

	enter();
	n = bsp_nprocs();
	me = bsp_pid();
	bsp_push_reg(&cell, sizeof(cell));
	bsp_sync();
	for (int step = 1; step <= SUPERSTEPS; step++) {
		value = 1000 * step + me;
		bsp_set_sync(BSP_RELAXED);
		bsp_put((me + 1) % n, &value, &cell, 0, sizeof(cell));
		bsp_sync();
		bsp_read(&cell, 1);
		counted[me].wrong += cell != 1000 * step + (me + n - 1) % n;
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
		superstep(step);
	}
	bsp_end();
}

static void mixes(int nprocs)
{
	int wrong = 0;

	setenv("BSP_BARRIER", "nbx", 1);
	fan = 2;
	memset(counted, 0, MOST * sizeof(*counted));
	lives_ok(mixed, nprocs, "relaxed and classic supersteps in turn");
	for (int p = 0; p < nprocs; p++)
		wrong += counted[p].wrong;
	is_int(0, wrong, "each has what was sent");
}

static struct of_process sum_of(const char *barrier, int nprocs, int to)
{
	struct of_process sum = { .wrong = 0 };

	setenv("BSP_BARRIER", barrier, 1);
	fan = to;
	memset(counted, 0xff, MOST * sizeof(*counted));
	for (int p = 0; p < nprocs; p++)
		counted[p].wrong = 0;
	lives_ok(body, nprocs, "%s, %d processes, each sends to %d", barrier, nprocs, to);
	for (int p = 0; p < nprocs; p++) {
		sum.chunks += counted[p].chunks;
		sum.messages += counted[p].messages;
		sum.message_bytes += counted[p].message_bytes;
		sum.received += counted[p].received;
		sum.wrong += counted[p].wrong;
	}
	is_int(0, sum.wrong, "every message is there in its superstep");
	return sum;
}

/* Numbers of processes with which steps times 1 .. 3 are other processes. */
static void counts(int nprocs, int to)
{
	struct of_process sum = sum_of("nbx", nprocs, to);
	long all = (long)SUPERSTEPS * nprocs, messages = all * rounds(nprocs);

	is_int(all * to, (long)sum.chunks, "nbx: a chunk to each process that is sent to");
	is_int(all * to, (long)sum.received, "nbx: and one acknowledgement of it");
	is_int(messages, (long)sum.messages, "nbx: log P messages from each process");
	is_int(messages * EMPTY, (long)sum.message_bytes, "nbx: of two words each");
}

static void dense(int nprocs)
{
	struct of_process sum = sum_of("dissemination", nprocs, 0);
	long all = (long)SUPERSTEPS * nprocs, messages = all * rounds(nprocs);

	is_int(messages, (long)sum.messages, "dissemination: as many messages");
	ok((long)sum.message_bytes >= messages * EMPTY + all * 4 * (nprocs - 1),
	   "dissemination: with a count for each other process");
}

/* ---- Among neighbours --- */

static void ring(void)
{
	int n, me, to[2];

	enter();
	n = bsp_nprocs();
	me = bsp_pid();
	to[0] = (me + 1) % n;
	to[1] = (me + n - 1) % n;
	bsp_set_neighbors(2, to);
	bsp_sync();
	sent_watch();
	for (int step = 1; step <= SUPERSTEPS; step++)
		superstep(1);
	counted[me].received = sent.received;
	counted[me].messages = sent.messages;
	bsp_set_neighbors(BSP_ALL, NULL);
	bsp_sync();
	superstep(2);
	bsp_end();
}

static void neighbors(int nprocs)
{
	uint64_t received = 0, messages = 0;
	int wrong = 0;

	setenv("BSP_BARRIER", "nbx", 1);
	fan = 1;
	memset(counted, 0, MOST * sizeof(*counted));
	lives_ok(ring, nprocs, "supersteps among neighbours, then of all");
	for (int p = 0; p < nprocs; p++) {
		received += counted[p].received;
		messages += counted[p].messages;
		wrong += counted[p].wrong;
	}
	is_int(0, (long)received, "nothing is acknowledged among neighbours");
	is_int(0, (long)messages, "and there is no barrier");
	is_int(0, wrong, "each has what was sent");
}

/* ---- Schedules of many processes --- */

/* Bytes that a process sends. */
static uint64_t bytes_of(int nprocs, int rank, bool words)
{
	struct goal_counts where = { .words = words };
	struct goal_task t = {
		.kind = GOAL_BARRIER, .call = -1, .networks = 1, .counts = &where,
		.algorithm = goal_algorithm_named(GOAL_BARRIER, "dissemination"),
	};
	char why[160];
	size_t len;
	void *block = goal_generate(&t, nprocs, rank, &len, why, sizeof(why));
	struct goal_prog prog = { .header = block };
	const struct goal_op *op;
	uint64_t bytes = 0;

	if (!block)
		bail("%d processes: %s", nprocs, why);
	op = goal_first_op(&prog);
	for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op))
		bytes += op->type == GOAL_SEND ? op->bytes : 0;
	free(block);
	return bytes;
}

static void schedules(void)
{
	static const int sizes[] = { 2, 3, 17, 128, 500, 1024 };
	bool sparse = true, with_counts = true;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (int rank = 0; rank < sizes[i]; rank += 1 + sizes[i] / 16) {
			uint64_t words = 8 * (uint64_t)rounds(sizes[i]);

			sparse &= bytes_of(sizes[i], rank, true) == words;
			with_counts &= bytes_of(sizes[i], rank, false) ==
				       words + 4 * ((uint64_t)sizes[i] - 1);
		}
	ok(sparse, "up to 1024 processes: 8 ceil(log2 P) bytes from each");
	ok(with_counts, "with counts 4 (P - 1) more");
}

/* ---- What the model says --- */

static double cost_with_counts(const struct bspi_plogp *net, int nprocs)
{
	struct goal_counts counts = { 0 };
	struct goal_task t = { .kind = GOAL_BARRIER, .call = -1, .networks = 1, .counts = &counts,
			       .release = GOAL_RELEASE_TREE };

	return bspi_model_choose(net, &t, nprocs);
}

/* The least number of processes from which on nbx costs less; each sends to @to, 0: log2 of all. */
static int crossing(double G, int to)
{
	struct bspi_plogp net;
	int last = 1;

	bspi_plogp_of(&net, 20000, 3000, 3000, G);
	for (int n = 2; n <= 1 << 16; n += 1 + n / 256)
		if (bspi_model_consensus(&net, n, 0, to ? to : rounds(n)) >=
		    cost_with_counts(&net, n))
			last = n;
	diag("%g ns for a byte: nbx costs less from %d processes on", G, last + 1);
	return last;
}

/* doc/design.md and bench/BARRIERS.md have these figures. */
static void model(void)
{
	struct bspi_plogp net;

	is_near(23700, crossing(1, 0), 300, "1 ns for a byte, each sends to log2 P");
	is_near(330, crossing(100, 0), 10, "100 ns");
	is_near(160, crossing(100, 1), 5, "100 ns, each sends to one");
	is_near(1300, crossing(10, 1), 50, "10 ns");
	is_near(13000, crossing(1, 1), 200, "1 ns");
	bspi_plogp_of(&net, 20000, 3000, 3000, 1);
	ok(bspi_model_consensus(&net, 16, 0, 0) < cost_with_counts(&net, 16),
	   "if nothing is sent it always does");
}

int main(void)
{
	setenv("BSP_TRANSPORT", "shm", 1);
	counted = mmap(NULL, MOST * sizeof(*counted), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counted == MAP_FAILED)
		bail("no shared memory");
	schedules();
	model();
	counts(4, 0);
	counts(17, 1);
	counts(17, 3);
	counts(33, 2);
	dense(17);
	counts(256, 3);
	mixes(11);
	mixes(67);
	neighbors(9);
	return done_testing();
}
