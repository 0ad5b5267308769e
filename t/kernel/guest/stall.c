// SPDX-License-Identifier: BSD-3-Clause
/* stall.c - calls of /dev/espgoal whose memory is long in coming do not hold up the job. */

/*
 * usage, after segment() of testlib: stall. A thread makes a call that waits for a page; meanwhile
 * another thread calls. If that is held up, the page comes after SECONDS.
 */

#include "goal_job.h"
#include "slow_page.h"

#include <pthread.h>
#include <signal.h>

enum { SECONDS = 2, SCRATCH = 64 };

static struct slow_page slow;
static unsigned char content[4096];

/* The call that waits, and its result. */
static struct {
	int fd;
	unsigned long number;
	void *argument;
	int error;
} waiting;

static void *make_call(void *unused)
{
	(void)unused;
	waiting.error = ioctl(waiting.fd, waiting.number, waiting.argument) ? errno : 0;
	return NULL;
}

static _Atomic bool passed, held_up;

static void *fill_page(void *unused)
{
	(void)unused;
	for (int i = 0; i < SECONDS * 1000 && !passed; i++)
		usleep(1000);
	held_up = !passed;
	slow_page_fill(&slow, content, sizeof(content));
	return NULL;
}

static int error_of(unsigned long number, void *argument)
{
	return ioctl(waiting.fd, number, argument) ? errno : 0;
}

/* Errno of a call that is made while the other one waits. */
static int call_while_waiting(int fd, unsigned long number, void *argument,
			      unsigned long other, void *other_argument)
{
	pthread_t thread, filler;
	int error;

	waiting.fd = fd;
	waiting.number = number;
	waiting.argument = argument;
	passed = false;
	pthread_create(&thread, NULL, make_call, NULL);
	slow_page_await(&slow);
	pthread_create(&filler, NULL, fill_page, NULL);
	error = error_of(other, other_argument);
	passed = true;
	pthread_join(filler, NULL);
	pthread_join(thread, NULL);
	slow_page_destroy(&slow);
	return error;
}

static void check(const char *call, int error, int other, int wanted)
{
	if (error || other != wanted || held_up) {
		printf("# %s: errno %d; the other call: errno %d, held up: %d\n", call, error,
		       other, held_up);
		fflush(stdout);
		shared->failures++;
	}
}

/* One operation, which sends nothing; a buffer and a scratchpad. */
static void *compile_calc(size_t *len)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	void *block;

	goal_buffer_at_least(g, goal_buffer(g), 8);
	goal_scratch(g, SCRATCH);
	goal_calc(g, 0);
	block = goal_compile(g, len);
	if (!block || *len > sizeof(content))
		fail("goal_compile");
	return block;
}

static void join_waits(void)
{
	unsigned int index = if_nametoindex("eth0");
	struct sockaddr_en peers[2] = { address(PORT + 2, index, "02:00:00:00:01:01"),
					address(PORT, 0, "02:00:00:00:01:02") };
	struct espgoal_join join = { .version = ESPGOAL_VERSION,
				     .nprocs = 2,
				     .networks = 1,
				     .key = 5 };
	int fd = open("/dev/espgoal", O_RDWR | O_CLOEXEC), other;
	uint16_t port;

	slow = slow_page_create();
	memcpy(content, peers, sizeof(peers));
	join.peers = (uintptr_t)slow.at;
	other = call_while_waiting(fd, ESPGOAL_JOIN, &join, ESPGOAL_PORT, &port);
	check("ESPGOAL_JOIN", waiting.error, other, 0);
	close(fd);
}

static uint32_t load_waits(void)
{
	struct espgoal_stats s;
	size_t len;
	void *block = compile_calc(&len);
	struct espgoal_load load = { .bytes = len };
	int other;

	slow = slow_page_create();
	load.block = (uintptr_t)slow.at;
	memcpy(content, block, len);
	other = call_while_waiting(device, ESPGOAL_LOAD, &load, ESPGOAL_STATS, &s);
	check("ESPGOAL_LOAD", waiting.error, other, 0);
	free(block);
	return load.id;
}

/*
 * @at: what is on the page. A run that is being started has its schedule. Pinning a page of
 * userfaultfd fails, so no buffer is there.
 */
static void start_waits(uint32_t id, const char *what, __u64 *at, struct espgoal_start *s,
			__u64 *buffer)
{
	int other;

	slow = slow_page_create();
	*at = (uintptr_t)slow.at;
	memset(content, 0, sizeof(content));
	memcpy(content, buffer, sizeof(*buffer));
	other = call_while_waiting(device, ESPGOAL_START, s, ESPGOAL_UNLOAD, &id);
	check(what, waiting.error, other, EBUSY);
	finish(s->slot, NULL, 0);
}

static void starts_wait(uint32_t id)
{
	__u64 data, buffer = (uintptr_t)&data;
	struct espgoal_start s = { .id = id, .buffers = (uintptr_t)&buffer };

	start_waits(id, "ESPGOAL_START for addresses", &s.buffers, &s, &buffer);
	s.buffers = (uintptr_t)&buffer;
	s.scratch_bytes = SCRATCH;
	start_waits(id, "ESPGOAL_START for the scratchpad", &s.scratch, &s, &buffer);
}

/* Only one call finishes a run. */
static void finish_waits(uint32_t id)
{
	uint64_t data;
	struct espgoal_finish f = { .slot = start(id, &data, NULL, NULL, 0),
				    .scratch_bytes = SCRATCH };
	struct espgoal_finish again = { .slot = f.slot, .nowait = 1 };
	int other;

	slow = slow_page_create();
	f.scratch = (uintptr_t)slow.at;
	other = call_while_waiting(device, ESPGOAL_FINISH, &f, ESPGOAL_FINISH, &again);
	check("ESPGOAL_FINISH", waiting.error, other, EINVAL);
}

/* Memory that cannot be written leaves the run for another call. */
static void finish_fails(uint32_t id)
{
	uint64_t data;
	struct espgoal_finish f = { .slot = start(id, &data, NULL, NULL, 0),
				    .scratch = 8,
				    .scratch_bytes = SCRATCH };

	if (!ioctl(device, ESPGOAL_FINISH, &f) || errno != EFAULT)
		fail("ESPGOAL_FINISH to no memory");
	finish(f.slot, NULL, 0);
}

static void stats_wait(void)
{
	struct espgoal_stats s;
	int other;

	slow = slow_page_create();
	other = call_while_waiting(device, ESPGOAL_STATS, slow.at, ESPGOAL_STATS, &s);
	check("ESPGOAL_STATS", waiting.error, other, 0);
}

static void calls_wait(void)
{
	uint32_t id;

	join_waits();
	id = load_waits();
	starts_wait(id);
	finish_waits(id);
	finish_fails(id);
	stats_wait();
	if (ioctl(device, ESPGOAL_UNLOAD, &id))
		fail("ESPGOAL_UNLOAD");
	shared->finished = 1;
}

/* The thread waits for the page when the process ends. */
static void ends_while_one_waits(void)
{
	size_t len;
	void *block = compile_calc(&len);
	uint32_t id = load_block(block, len);
	struct espgoal_start s = { .id = id };
	pthread_t thread;

	slow = slow_page_create();
	s.buffers = (uintptr_t)slow.at;
	waiting.fd = device;
	waiting.number = ESPGOAL_START;
	waiting.argument = &s;
	pthread_create(&thread, NULL, make_call, NULL);
	slow_page_await(&slow);
	shared->finished = 1;
	raise(SIGKILL);
}

static void alone(void (*body)(void), const char *claim)
{
	reset();
	spawn(0, body);
	while (wait(NULL) > 0)
		;
	ok(shared->failures == 0 && shared->finished == 1, claim);
}

int main(void)
{
	const char *claim = "calls that wait for memory of the process do not hold up others";

	begin_test(2);
	if (!slow_page_is_possible(claim))
		return done_testing();
	alone(calls_wait, claim);
	alone(ends_while_one_waits, "and end with their process");
	return done_testing();
}
