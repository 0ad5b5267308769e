// SPDX-License-Identifier: BSD-3-Clause
/* bounds.c - the kernel does a bounded amount of work for a job at once. */

/*
 * usage, after segment() of testlib, in which host h1 is rank 0, h2 rank 1, and h3 in no job:
 *
 *	bounds edges N		N operations wait for one message
 *	bounds flood FRAMES	frames that are not of the job arrive at its group; in a guest
 *				with one processor
 */

#include "goal_job.h"

#include <sys/sysinfo.h>

#include <dirent.h>
#include <pthread.h>
#include <time.h>

enum { REFUSED_IN_A_CALL = 512 };	/* EG_CALL_BUDGET, at 17 for each frame, is 241 */

static int amount;

static struct espgoal_stats stats_now(void)
{
	struct espgoal_stats s;

	if (ioctl(device, ESPGOAL_STATS, &s))
		fail("stats");
	return s;
}

static void set_priority(pid_t pid, int priority)
{
	struct sched_param p = { .sched_priority = priority };

	if (sched_setscheduler(pid, priority ? SCHED_FIFO : SCHED_OTHER, &p))
		fail("sched_setscheduler");
}

/* ---- Operations that wait for a message -------------------------------------------------- */

static double longest;
static _Atomic bool stop;

/* How long a process of the highest priority had to wait: for softirqs, above all. */
static void *watch(void *unused)
{
	struct timespec t;
	double last, now;

	(void)unused;
	set_priority(0, 50);
	clock_gettime(CLOCK_MONOTONIC, &t);
	last = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	while (!stop) {
		usleep(200);
		clock_gettime(CLOCK_MONOTONIC, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
		longest = now - last > longest ? now - last : longest;
		last = now;
	}
	return NULL;
}

/* Rank 1 sends a message, for which @waiting operations of rank 0 wait. */
static uint32_t load_edges(int waiting)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int first = 0;

	if (rank == 1)
		goal_send(g, 0, GOAL_NOWHERE, 0, 0);
	else
		first = goal_recv(g, 0, GOAL_NOWHERE, 1, 0);
	for (int i = 0; rank == 0 && i < waiting; i++)
		goal_requires(g, goal_calc(g, 0), first);
	return load_graph(g);
}

static void receive_watched(uint32_t id)
{
	struct espgoal_stats before;
	pthread_t watcher;
	uint32_t slot;

	if (pthread_create(&watcher, NULL, watch, NULL))
		fail("pthread_create");
	slot = start(id, NULL, NULL, NULL, 0);
	before = stats_now();
	shared->step[1] = 1;
	finish(slot, NULL, 0);
	shared->finished = (int)(stats_now().softirq_runs - before.softirq_runs);
	stop = true;
	pthread_join(watcher, NULL);
	printf("# %d operations waited: %d runs in softirq, longest wait of a process %.3f s\n",
	       amount, shared->finished, longest);
	fflush(stdout);
	shared->step[0] = 1;
}

/* The first message makes the connection. */
static void many_wait_for_one(void)
{
	uint32_t few = load_edges(1), many = load_edges(amount);

	finish(start(few, NULL, NULL, NULL, 0), NULL, 0);
	if (rank == 0)
		return receive_watched(many);
	await_step(1);
	finish(start(many, NULL, NULL, NULL, 0), NULL, 0);
	await_step(0);
}

static void edges(void)
{
	job(many_wait_for_one, "operations that wait for a message are done when it arrives");
	is(shared->finished, 0, "the worker releases many of them, not a softirq");
}

/* ---- Frames of others -------------------------------------------------------------------- */

/* Frames arrive in softirq though this process leaves no time to processes of lower priority. */
static void set_priority_of_softirqs(int priority, const char *runtime_us)
{
	DIR *proc = opendir("/proc");
	char path[300], name[32];
	struct dirent *d;
	FILE *f;

	while (proc && (d = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		f = fopen(path, "r");
		if (f && fscanf(f, "%31s", name) == 1 && strncmp(name, "ksoftirqd", 9) == 0)
			set_priority(atoi(d->d_name), priority);
		if (f)
			fclose(f);
	}
	closedir(proc);
	f = fopen("/proc/sys/kernel/sched_rt_runtime_us", "w");
	if (!f || fputs(runtime_us, f) < 0 || fclose(f))
		fail("sched_rt_runtime_us");
}

static void send_frames(void)
{
	int fd = socket_in("h3", SOCK_DGRAM);
	struct sockaddr_en to = address(GROUP_PORT, if_nametoindex("eth0"), group);

	for (int i = 0; i < amount; i++)
		if (sendto(fd, "", 1, 0, generic(&to), sizeof(to)) != 1)
			fail("sendto");
	close(fd);
}

/* The worker cannot run until the call has returned. */
static void call_among_frames(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	struct espgoal_stats before, at_once, all;
	uint32_t id, slot;

	goal_calc(g, 0);
	id = load_graph(g);
	set_priority_of_softirqs(20, "-1");
	set_priority(0, 10);
	send_frames();
	before = stats_now();
	slot = start(id, NULL, NULL, NULL, 0);
	at_once = stats_now();
	set_priority(0, 0);
	set_priority_of_softirqs(0, "950000");
	finish(slot, NULL, 0);
	do {
		usleep(1000);
		all = stats_now();
	} while (all.multicasts_refused < (uint64_t)amount);
	shared->finished = (int)(at_once.multicasts_refused - before.multicasts_refused);
	printf("# %d frames, %llu of them before the call, %d in it\n", amount,
	       (unsigned long long)before.multicasts_refused, shared->finished);
	fflush(stdout);
}

static void flood(void)
{
	reset();
	spawn(0, call_among_frames);
	while (wait(NULL) > 0)
		;
	ok(shared->failures == 0, "frames of others are refused");
	ok(get_nprocs() > 1 || shared->finished <= REFUSED_IN_A_CALL,
	   "and leave a call after some of them, if no other processor goes on");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		bail("arguments");
	amount = atoi(argv[2]);
	begin_test(2);
	if (strcmp(argv[1], "edges") == 0)
		edges();
	else
		flood();
	return done_testing();
}
