/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_job.h - test programs in a guest: jobs whose processes run schedules in the kernel, each on
 * its host. */
#ifndef GUEST_GOAL_JOB_H
#define GUEST_GOAL_JOB_H

#include "guest.h"

#include "goal_task.h"
#include "goal/goal_graph.h"

#include <net/if.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { MOST = 8, PORT = 1924, GROUP_PORT = 1925 };

static const char group[] = "03:42:53:50:00:01";

/* The memory that all processes of the test share. */
struct shared {
	_Atomic int step[MOST + 1];
	_Atomic int failures, finished, started;
	_Atomic uint64_t multicasts, repaired, copied, doubled, refused;
	_Atomic int recorded, leaked;
};

static struct shared *shared;
static int nprocs, rank, device = -1;
static bool loopback;
static unsigned int networks = 1, timeout_ms = 30000;
static uint64_t key = 1;
static uint16_t port = PORT;	/* of the peers; that of the group is the next one */

static inline void fail(const char *what)
{
	printf("# rank %d: %s: %s\n", rank, what, strerror(errno));
	fflush(stdout);
	shared->failures++;
	_exit(1);
}

/* ---- One process of a job ------------------------------------------------------------- */

static inline void host_of(int r, char *name, char *mac)
{
	sprintf(name, "h%d", r + 1);
	sprintf(mac, "02:00:00:00:01:%02x", r + 1);
}

static inline void join_as(int me)
{
	struct sockaddr_en peers[2 * MOST];
	struct espgoal_join join = { .version = ESPGOAL_VERSION,
				     .nprocs = nprocs,
				     .rank = me,
				     .networks = networks,
				     .key = key,
				     .peers = (uintptr_t)peers,
				     .timeout_ms = timeout_ms };
	char name[16], mac[32];
	unsigned int index, second;

	rank = me;
	host_of(me, name, mac);
	if (!loopback)
		enter(name);
	index = if_nametoindex(loopback ? "lo" : "eth0");
	second = if_nametoindex("eth1");
	for (int i = 0; i < nprocs; i++) {
		host_of(i, name, mac);
		peers[i] = loopback ? address(port + 10 + i, index, "00:00:00:00:00:00") :
				      address(port, index, mac);
		mac[13] = '2';
		peers[nprocs + i] = address(port, second, mac);
	}
	join.group = address(port + GROUP_PORT - PORT, 0, group);
	device = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		fail("join");
}

static inline uint32_t load_block(const void *block, size_t len)
{
	struct espgoal_load load = { .block = (uintptr_t)block, .bytes = len };

	if (ioctl(device, ESPGOAL_LOAD, &load))
		fail("load");
	return load.id;
}

static inline uint32_t load_graph(struct goal_graph *g)
{
	size_t len;
	void *block = goal_compile(g, &len);
	uint32_t id;

	if (!block) {
		printf("# %s\n", goal_graph_error(g));
		fail("goal_compile");
	}
	goal_graph_destroy(g);
	id = load_block(block, len);
	free(block);
	return id;
}

static inline uint32_t start(uint32_t id, void *source, void *target, void *scratch, size_t len)
{
	uint64_t buffers[2] = { (uintptr_t)source, (uintptr_t)target };
	struct espgoal_start s = { .id = id,
				   .buffers = (uintptr_t)buffers,
				   .scratch = (uintptr_t)scratch,
				   .scratch_bytes = len };

	if (ioctl(device, ESPGOAL_START, &s))
		fail("start");
	return s.slot;
}

static inline void finish(uint32_t slot, void *scratch, size_t len)
{
	struct espgoal_finish f = { .slot = slot,
				    .scratch = (uintptr_t)scratch,
				    .scratch_bytes = len };

	if (ioctl(device, ESPGOAL_FINISH, &f))
		fail("finish");
}

/* Until process @of says that it is there, or one has failed. */
static inline void await_step(int of)
{
	while (!shared->step[of] && !shared->failures)
		usleep(1000);
}

/* Until @wanted messages have arrived before their receives were posted. */
static inline void await_unexpected(uint64_t wanted)
{
	struct espgoal_stats s = { 0 };

	while (s.unexpected < wanted && !shared->failures) {
		usleep(1000);
		if (ioctl(device, ESPGOAL_STATS, &s))
			fail("stats");
	}
}

static inline void add_stats(void)
{
	struct espgoal_stats s;

	if (ioctl(device, ESPGOAL_STATS, &s))
		fail("stats");
	shared->multicasts += s.multicasts;
	shared->repaired += s.multicasts_repaired;
	shared->copied += s.multicasts_copied;
	shared->doubled += s.multicasts_doubled;
	shared->refused += s.multicasts_refused;
}

/*
 * ---- A job
 * -----------------------------------------------------------------------------------------
 */

static inline void reset(void)
{
	memset(shared, 0, sizeof(*shared));
	key += 0x100000001;
}

static inline pid_t spawn(int me, void (*body)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	join_as(me);
	shared->started++;
	body();
	add_stats();
	_exit(0);
}

static inline void job(void (*body)(void), const char *claim)
{
	reset();
	for (int i = 0; i < nprocs; i++)
		spawn(i, body);
	while (wait(NULL) > 0)
		;
	ok(shared->failures == 0, claim);
}

/* First: what the processes will share. */
static inline void begin_test(int n)
{
	nprocs = n;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED || nprocs < 2 || nprocs > MOST)
		bail("a job of this size");
}

#endif
