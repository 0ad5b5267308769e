// SPDX-License-Identifier: BSD-3-Clause
/* transfers.c - a schedule that waits for a message is moved on when it is whole, not by frames. */

/*
 * usage: transfers [near], after segment() of testlib, in which host h1 is rank 0 and h2 rank 1;
 * near: both are on this host, reached by lo
 *
 * Rank 0 sends, rank 1 answers each message by an empty one. The lines beside the claims are
 * for one message, without the first, which makes the connections.
 */

#include "goal_job.h"
#include "packets.h"

#include <sys/socket.h>
#include <time.h>

enum { MESSAGES = 8, LARGEST = 1 << 20 };

static uint64_t bytes;

/* Counters of rank 1 for all messages, and the time of rank 0. */
struct seen {
	uint64_t events, runs, frames, ns;
};

static struct seen *seen;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t load_message(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g), message, answer;

	if (rank == 0) {
		message = goal_send(g, bytes, GOAL_AT(buffer, 0), 1, 0);
		answer = goal_recv(g, 0, GOAL_NOWHERE, 1, 1);
	} else {
		message = goal_recv(g, bytes, GOAL_AT(buffer, 0), 0, 0);
		answer = goal_send(g, 0, GOAL_NOWHERE, 0, 1);
		goal_requires(g, answer, message);
	}
	return load_graph(g);
}

/* Rank 1 looks at its counters while no message is under way. */
static void meet(int step)
{
	if (rank == 1)
		shared->step[step] = 1;
	else
		await_step(step);
}

static void send_one(uint32_t id, unsigned char *data, int i)
{
	memset(data, rank == 0 ? i + 1 : 0, bytes);
	finish(start(id, data, NULL, NULL, 0), NULL, 0);
	for (uint64_t at = 0; at < bytes; at++)
		if (data[at] != i + 1)
			fail("wrong byte");
}

static void messages_arrive(void)
{
	struct espgoal_stats before, after;
	static unsigned char data[LARGEST];
	uint32_t id = load_message();
	uint64_t frames, ns = 0;

	send_one(id, data, 0);
	frames = packets_on("eth0").received;
	if (ioctl(device, ESPGOAL_STATS, &before))
		fail("stats");
	meet(1);
	for (int i = 1; i <= MESSAGES; i++) {
		uint64_t began = now_ns();

		finish(start(id, data, NULL, NULL, 0), NULL, 0);
		ns += now_ns() - began;
	}
	if (ioctl(device, ESPGOAL_STATS, &after))
		fail("stats");
	frames = packets_on("eth0").received - frames;
	meet(2);
	send_one(id, data, MESSAGES + 1);
	if (rank == 0) {
		seen->ns = ns;
		return;
	}
	seen->frames = frames;
	seen->events = after.receive_events - before.receive_events;
	seen->runs = after.softirq_runs + after.workqueue_runs - before.softirq_runs -
		     before.workqueue_runs;
}

/* @most: wake-ups for each message. A frame has less than 1500 bytes; inside a host are none. */
static void check(uint64_t size, uint64_t most, const char *claim)
{
	uint64_t frames = loopback ? 0 : MESSAGES * size / 1500;

	bytes = size;
	job(messages_arrive, "messages arrive whole");
	printf("# %llu bytes: %llu frames, %.1f wake-ups, %.1f runs, %.1f us\n",
	       (unsigned long long)size, (unsigned long long)seen->frames / MESSAGES,
	       (double)seen->events / MESSAGES, (double)seen->runs / MESSAGES,
	       (double)seen->ns / MESSAGES / 1000);
	ok(seen->frames >= frames && seen->events >= MESSAGES &&
		   seen->events <= MESSAGES * most,
	   claim);
}

/* Half of a queue has 131072 bytes, which are 8 or 9 chunks. */
static int check_near(void)
{
	loopback = true;
	check(8, 1, "a message of one chunk wakes its job once");
	check(64 << 10, 1, "so does one of five");
	check(LARGEST, 1 + LARGEST / 65536, "a larger one does when half of the queue is full");
	return done_testing();
}

int main(int argc, char **argv)
{
	(void)argv;
	begin_test(2);
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		bail("mmap");
	if (argc > 1)
		return check_near();
	check(8, 1, "a message of one frame wakes its job once");
	check(4000, 1, "so does one of three");
	check(64 << 10, 1, "and one that fits half of a receive buffer");
	/* 212992 bytes by default, of which a frame takes at least its own: 1 + 1048604 / 106496 */
	check(LARGEST, 1 + (LARGEST + 28) * 3 / 106496, "a larger one does when its half is full");
	return done_testing();
}
