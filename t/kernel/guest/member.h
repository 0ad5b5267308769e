/* SPDX-License-Identifier: BSD-3-Clause */
/* member.h - test programs in a guest: processes of a job of /dev/espgoal, as they should be. */

/*
 * On the hosts h1 to h3 of segment() of testlib; rank 0 is on the first. A job has two processes
 * if nothing else is said.
 */
#ifndef GUEST_MEMBER_H
#define GUEST_MEMBER_H

#include "guest.h"

#include "goal_task.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

enum { PORT = 1924, HOSTS = 3 };

static struct sockaddr_en peers[HOSTS];

static inline void find_peers(void)
{
	enter("h1");
	for (int i = 0; i < HOSTS; i++) {
		char mac[24];

		snprintf(mac, sizeof(mac), "02:00:00:00:01:%02x", i + 1);
		peers[i] = address(PORT, 0, mac);
	}
}

/* The interface may have another number in each namespace. */
static inline void enter_as(int rank)
{
	enter(rank ? "h2" : "h1");
	for (int i = 0; i < HOSTS; i++)
		peers[i].sen_ifindex = if_nametoindex("eth0");
}

static inline int try_join_of(int nprocs, int rank, uint64_t key, unsigned int timeout_ms)
{
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = nprocs, .rank = rank,
				     .networks = 1, .key = key, .peers = (uintptr_t)peers,
				     .timeout_ms = timeout_ms };
	int fd;

	enter_as(rank);
	fd = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		bail("/dev/espgoal");
	if (ioctl(fd, ESPGOAL_JOIN, &join) == 0)
		return fd;
	close(fd);
	return -1;
}

static inline int try_join(int rank, uint64_t key, unsigned int timeout_ms)
{
	return try_join_of(2, rank, key, timeout_ms);
}

static inline int join(int rank, uint64_t key, unsigned int timeout_ms)
{
	int fd = try_join(rank, key, timeout_ms);

	if (fd < 0)
		bail("join");
	return fd;
}

static inline void *block_of(enum goal_kind kind, const char *algorithm, uint64_t bytes, int rank,
		      size_t *len)
{
	struct goal_task task = task_of(kind, algorithm, bytes);
	char why[160];
	void *block;

	if (kind == GOAL_BCAST)
		task.target = 0;
	block = goal_generate(&task, 2, rank, len, why, sizeof(why));
	if (!block)
		bail(why);
	return block;
}

static inline int load_block(int fd, const void *block, size_t len, struct espgoal_load *load)
{
	*load = (struct espgoal_load){ .block = (uintptr_t)block, .bytes = len };
	return ioctl(fd, ESPGOAL_LOAD, load);
}

static inline uint32_t load(int fd, enum goal_kind kind, const char *algorithm, uint64_t bytes,
			    int rank)
{
	struct espgoal_load load;
	size_t len;
	void *block = block_of(kind, algorithm, bytes, rank, &len);

	if (load_block(fd, block, len, &load))
		bail("load");
	free(block);
	return load.id;
}

static inline int start(int fd, uint32_t id, void *source, void *target, uint32_t *slot)
{
	uint64_t buffers[2] = { (uintptr_t)source, (uintptr_t)target };
	struct espgoal_start s = { .id = id, .buffers = (uintptr_t)buffers };
	int err = ioctl(fd, ESPGOAL_START, &s);

	*slot = s.slot;
	return err;
}

static inline int finish(int fd, uint32_t slot)
{
	struct espgoal_finish f = { .slot = slot };

	return ioctl(fd, ESPGOAL_FINISH, &f);
}

/* Two processes still get through a barrier. */
static inline bool all_is_well(uint64_t key)
{
	int status, failed = 0;

	fflush(stdout);
	for (int rank = 0; rank < 2; rank++)
		if (fork() == 0) {
			int fd = join(rank, key, 0);
			uint32_t slot, id = load(fd, GOAL_BARRIER, "dissemination", 0, rank);

			_exit(start(fd, id, NULL, NULL, &slot) || finish(fd, slot));
		}
	while (wait(&status) > 0)
		failed += status != 0;
	return !failed;
}

#endif
