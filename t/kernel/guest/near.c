// SPDX-License-Identifier: BSD-3-Clause
/* near.c - jobs in the kernel whose processes are all on this host, reached by lo. */

/*
 * usage: near NPROCS [frames]		frames: the module's parameter near is N
 *
 * Without frames: no frame is sent over lo. All else is the same.
 */

#include "goal_job.h"
#include "packets.h"

#include "goal/gen/goal_gen.h"

#include <signal.h>
#include <time.h>

enum { BARRIERS = 200, MANY = 20000, LARGE = 1 << 20, ROUNDS = 12 };

static bool frames;

/* ---- Exactness ----- */

static uint32_t load_barrier(void)
{
	struct goal_task task = task_of(GOAL_BARRIER, "dissemination", 0);
	char why[160] = "";
	size_t len;
	void *block = goal_generate(&task, nprocs, rank, &len, why, sizeof(why));
	uint32_t id;

	if (!block)
		fail(why);
	id = load_block(block, len);
	free(block);
	return id;
}

static void barriers_wait_for_all(void)
{
	uint32_t id = load_barrier();

	for (int i = 1; i <= BARRIERS; i++) {
		shared->step[rank] = i;
		if (run_once(device, id, NULL, NULL))
			fail("barrier");
		for (int q = 0; q < nprocs; q++)
			if (shared->step[q] < i)
				fail("left before all had entered");
	}
}

/* To the next process, received in the reverse order. */
static uint32_t load_words(int n)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int source = goal_buffer(g), target = goal_buffer(g);
	int next = (rank + 1) % nprocs, last = (rank + nprocs - 1) % nprocs;

	for (int i = 0; i < n; i++)
		goal_send(g, 8, GOAL_AT(source, 8 * (uint64_t)i), next, i);
	for (int i = n - 1; i >= 0; i--)
		goal_recv(g, 8, GOAL_AT(target, 8 * (uint64_t)i), last, i);
	return load_graph(g);
}

static void many_messages_arrive(void)
{
	static uint64_t source[MANY], target[MANY];
	uint64_t last = (rank + nprocs - 1) % nprocs;
	uint32_t id = load_words(MANY);

	for (uint64_t i = 0; i < MANY; i++)
		source[i] = (uint64_t)rank << 32 | i;
	if (run_once(device, id, source, target))
		fail("many words");
	for (uint64_t i = 0; i < MANY; i++)
		if (target[i] != (last << 32 | i))
			fail("wrong word");
}

static unsigned char byte_of(int from, int to, size_t at)
{
	return (unsigned char)(from * 77 + to * 31 + at * 13 + (at >> 11));
}

static void exchange_large_blocks(void)
{
	struct goal_task task = task_of(GOAL_EXCHANGE, "direct-rotated", LARGE);
	unsigned char *source = malloc((size_t)LARGE * nprocs);
	unsigned char *target = calloc(nprocs, LARGE);
	char why[160] = "";
	size_t len;
	void *block = goal_generate(&task, nprocs, rank, &len, why, sizeof(why));

	if (!block || !source || !target)
		fail(why);
	for (int q = 0; q < nprocs; q++)
		for (size_t i = 0; i < LARGE; i++)
			source[(size_t)q * LARGE + i] = byte_of(rank, q, i);
	if (run_once(device, load_block(block, len), source, target))
		fail("large blocks");
	for (int q = 0; q < nprocs; q++)
		for (size_t i = 0; i < LARGE; i++)
			if (target[(size_t)q * LARGE + i] != byte_of(q, rank, i))
				fail("wrong byte");
}

/* ---- Ends ----- */

/* One message of @bytes; its receiver has a place for it if @room. */
static uint32_t load_message(int from, int to, size_t bytes)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	if (rank == from)
		goal_send(g, bytes, GOAL_AT(data, 0), to, 7);
	else if (rank == to)
		goal_recv(g, bytes, GOAL_AT(data, 0), from, 7);
	goal_buffer_at_least(g, data, bytes);
	return load_graph(g);
}

/* Rank 0 sends and ends; rank 1 looks later. */
static void until_the_sender_has_ended(void)
{
	uint32_t id = load_message(0, 1, sizeof(int));
	int data = rank ? 0 : 17;

	if (rank == 1) {
		await_step(0);
		usleep(50000);
	}
	if (rank < 2 && (run_once(device, id, &data, NULL) || data != 17))
		fail("the message of a process that has ended");
	shared->step[rank] = 1;
}

static void expect(int got, const char *what)
{
	errno = got;
	if (got != ECONNRESET)
		fail(what);
}

/* Rank 1 is killed: rank 0 waits for its message, rank 2 sends it more than may be queued. */
static void until_one_is_killed(void)
{
	static unsigned char data[16 << 20];
	uint32_t to_0 = load_message(1, 0, 4), to_1 = load_message(2, 1, 4);
	uint32_t awaited = load_message(1, 0, 4), sent = load_message(2, 1, sizeof(data));

	if (rank < 3 && (run_once(device, to_0, data, NULL) || run_once(device, to_1, data, NULL)))
		fail("while all was well");
	shared->step[rank] = 1;
	if (rank == 1) {
		await_step(0);
		await_step(2);
		usleep(50000);
		raise(SIGKILL);
	}
	if (rank == 0)
		expect(run_once(device, awaited, data, NULL), "the receive from a killed process");
	if (rank == 2)
		expect(run_once(device, sent, data, NULL), "the message to a killed process");
}

static void until_the_timeout(void)
{
	uint32_t id = load_message(0, 1, 4);
	int data = 1;

	if (rank < 2) {
		errno = run_once(device, id, &data, NULL);
		if (errno != ECONNREFUSED && !(rank == 1 && errno == ECONNRESET))
			fail("processes that must not meet");
	}
}

/* As job(), but rank 1 has another key or user. */
static void apart(bool key_differs, const char *claim)
{
	reset();
	timeout_ms = 300;
	for (int i = 0; i < 2; i++) {
		key += i && key_differs;
		fflush(stdout);
		if (fork())
			continue;
		if (i && !key_differs && setresuid(1000, 1000, 1000))
			fail("setresuid");
		join_as(i);
		until_the_timeout();
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	timeout_ms = 30000;
	ok(shared->failures == 0, claim);
}

/* Killed at any time, in any order: nothing is left, and the kernel survives. */
static void run_until_killed(void)
{
	uint32_t id = load_barrier(), words = load_words(300);
	static uint64_t source[300], target[300];

	while (run_once(device, id, NULL, NULL) == 0 &&
	       run_once(device, words, source, target) == 0)
		;
}

static void kill_at_any_time(void)
{
	pid_t pids[MOST];

	for (int round = 0; round < ROUNDS; round++) {
		reset();
		for (int i = 0; i < nprocs; i++)
			pids[i] = spawn(i, run_until_killed);
		usleep(round * 1500);
		for (int i = 0; i < nprocs; i++)
			kill(pids[(i + round) % nprocs], SIGKILL);
		while (wait(NULL) > 0)
			;
	}
	ok(shared->failures == 0, "processes are killed at any time");
}

/* ---- The test ----- */

int main(int argc, char **argv)
{
	unsigned long before = packets_on("lo").sent;

	begin_test(argc > 1 ? atoi(argv[1]) : 4);
	frames = argc > 2 && strcmp(argv[2], "frames") == 0;
	loopback = true;
	job(barriers_wait_for_all, "barriers wait for all");
	job(many_messages_arrive, "20000 messages each arrive, received in the reverse order");
	job(exchange_large_blocks, "all exchange blocks larger than what is queued");
	job(until_the_sender_has_ended, "a message arrives though its sender has ended");
	job(until_one_is_killed, "the death of a process resets its connections");
	if (!frames) {
		apart(true, "processes with another key do not meet");
		apart(false, "nor those of another user");
	}
	kill_at_any_time();
	ok(frames == (packets_on("lo").sent != before),
	   frames ? "with frames" : "no frame was sent");
	return done_testing();
}
