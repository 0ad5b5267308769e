// SPDX-License-Identifier: BSD-3-Clause
/* charged.c - the kernel's memory for a job is that of the group of processes that it serves. */

/*
 * usage, after segment() of testlib, in which host h1 is rank 0, and h2 rank 1:
 *
 *	charged FOLDER		of an empty group of processes (cgroup v2), for rank 1
 *
 * Rank 0 sends to rank 1 what that has not asked for yet, so the kernel keeps it; it has arrived in
 * softirq or in the worker, not in a call of rank 1.
 */

#include "goal_job.h"

#include <time.h>

enum { MESSAGES = 400, BYTES = 8192, LEAST = MESSAGES * BYTES / 2, TIMEOUT_S = 60 };

static const char *folder;

static FILE *open_in_group(const char *name, const char *mode)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return fopen(path, mode);
}

static void become_member(void)
{
	FILE *procs = open_in_group("cgroup.procs", "w");

	if (!procs || fprintf(procs, "%d\n", (int)getpid()) < 0 || fclose(procs))
		fail("cgroup.procs");
}

static long charged(void)
{
	FILE *current = open_in_group("memory.current", "r");
	long bytes;

	if (!current || fscanf(current, "%ld", &bytes) != 1)
		fail("memory.current");
	fclose(current);
	return bytes;
}

static uint32_t load_messages(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);

	for (int n = 0; n < MESSAGES; n++) {
		struct goal_place place = GOAL_AT(data, (uint64_t)n * BYTES);

		if (rank == 0)
			goal_send(g, BYTES, place, 1, n);
		else
			goal_recv(g, BYTES, place, 0, n);
	}
	goal_buffer_at_least(g, data, MESSAGES * BYTES);
	return load_graph(g);
}

/* Until @more has been charged since it was @before, or for long enough. */
static long await_charge(long before, long more)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	time_t until = time(NULL) + TIMEOUT_S;

	while (charged() - before < more && time(NULL) < until)
		nanosleep(&pause, NULL);
	return charged() - before;
}

static void send_early(uint32_t id, void *data)
{
	await_step(1);
	finish(start(id, data, NULL, NULL, 0), NULL, 0);
}

static void receive_late(uint32_t id, char *data, size_t len)
{
	long before = charged(), more;

	shared->step[1] = 1;
	more = await_charge(before, LEAST);
	printf("# %ld bytes for %d\n", more, MESSAGES * BYTES);
	if (more < LEAST)
		fail("the kernel keeps messages at the expense of others");
	finish(start(id, data, NULL, NULL, 0), NULL, 0);
	if (data[0] != 77 || data[len - 1] != 77)
		fail("wrong data");
}

/* The group is that of when the job is joined. */
static void take_part(int me)
{
	static char data[MESSAGES * BYTES];
	uint32_t id;

	if (me == 1)
		become_member();
	join_as(me);
	memset(data, rank ? 1 : 77, sizeof data);
	id = load_messages();
	if (rank == 0)
		send_early(id, data);
	else
		receive_late(id, data, sizeof data);
	shared->finished++;
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	folder = argc == 2 ? argv[1] : "";
	begin_test(2);
	for (int i = 0; i < nprocs; i++)
		if (fork() == 0)
			take_part(i);
	while (wait(NULL) > 0)
		;
	is(shared->finished, nprocs, "what arrives early is charged to the receiver's group");
	return done_testing();
}
