/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note OR BSD-3-Clause */
/* espgoal.h - schedules that the kernel runs: the calls of /dev/espgoal. */

/*
 * A process opens the device and joins a job: a set of nprocs processes, each with a rank and the addresses at
 * which its kernel listens. Then it loads schedules (goal_format.h), starts them, and sees in a
 * page of memory when they are over: no system call is needed to look. The kernel moves them on whenever a
 * frame arrives, whatever the process does meanwhile.
 *
 * Everything belongs to the open file. Closing it, or the end of the process that has opened it, ends all of it. One
 * file joins one job, once. A child of fork() has the file but none of the memory: what would touch memory of the process fails with
 * EPERM in any process but the one that has opened it.
 *
 * A message belongs to the n-th flight of the m-th schedule that was loaded: all processes of a job load and unload the
 * same schedules in the same order, and start them in the same order (as in the library). So an id, which is this
 * file's own, may be given again at once. A message that no receive of its flight takes is dropped when that is over.
 */
#ifndef ESPGOAL_H
#define ESPGOAL_H

#include "enet.h"

#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

#define ESPGOAL_VERSION 2

enum {
	ESPGOAL_NPROCS_MOST = 4096,
	ESPGOAL_NETWORKS = 2,
	ESPGOAL_SCHEDULES_MOST = 1024,	/* of one file */
	ESPGOAL_FLIGHTS_MOST = 256,	/* of one file, at once */
};

/*
 * ESPGOAL_JOIN: who we are. @peers: nprocs addresses for each network, those of the first network before those of
 * the second; our own is where we listen (a port of our own for each; bound by the kernel). @key keeps jobs
 * apart: the same on all processes, random. Connections are made when a message first needs one; a message that
 * comes before its receiver has joined waits at the sender.
 */
struct espgoal_join {
	__u32 version;
	__u32 nprocs;
	__u32 rank;
	__u32 networks;			/* 1 or 2 */
	__u64 key;
	__u64 peers;			/* const struct sockaddr_en * */
	/*
	 * Multicasts up to a frame go to this Ethernet group and EDP port of the job, over the first network (ifindex 0) or
	 * another interface; one that is lost is repaired. The same on all processes. addrlen 0: none, multicasts are
	 * sent to one after the other.
	 */
	struct sockaddr_en group;
	__u32 timeout_ms;		/* a peer that does not answer for so long ends the job with ETIMEDOUT; 0: as ESP's */
	__u32 zero;			/* also where __u64 needs no multiple of 8 */
};

/* ESPGOAL_LOAD: copied in, then verified. On EBADMSG @error is an enum goal_error and @at where. */
struct espgoal_load {
	__u64 block;			/* const void *, on a multiple of 8 */
	__u64 bytes;
	__u32 id;			/* out */
	__s32 error;			/* out */
	__u64 at;			/* out */
};

/*
 * ESPGOAL_START. Buffers are pinned until the flight is over; where they are written they must be writable. @scratch:
 * if not 0 the first @scratch_bytes of the scratchpad come from there before it starts, and go back
 * there with ESPGOAL_FINISH. @slot: which word of the page tells of it.
 */
struct espgoal_start {
	__u32 id;
	__u32 slot;			/* out, < ESPGOAL_FLIGHTS_MOST */
	__u64 buffers;			/* const __u64 [nbuffers]: addresses */
	__u64 scratch;
	__u64 scratch_bytes;
};

/* ESPGOAL_FINISH: wait until the flight is over (unless @nowait: EAGAIN), then give its slot back. */
struct espgoal_finish {
	__u32 slot;
	__u32 nowait;
	__u64 scratch;			/* as above, or 0 */
	__u64 scratch_bytes;
};

/* The page that mmap() of the file at offset 0 gives, read-only. */
struct espgoal_page {
	__u32 state[ESPGOAL_FLIGHTS_MOST];	/* enum espgoal_state, by slot */
	__u32 error;			/* errno that has ended the job, or 0; set last */
	/* With EMSGSIZE, the receive that got a message of another length: */
	__u32 slot, operation;		/* its flight, and its number in the schedule */
	__u32 from;			/* who sent it, ... */
	__u64 bytes;			/* ... so long */
};

enum espgoal_state {
	ESPGOAL_FREE = 0,
	ESPGOAL_RUNNING = 1,
	ESPGOAL_OVER = 2,
	ESPGOAL_FAILED = 3,		/* see error */
};

struct espgoal_stats {
	__u64 flights, operations, messages_sent, messages_received;
	__u64 unexpected;		/* came before their receive */
	__u64 workqueue_runs, softirq_runs;
	__u64 multicasts;		/* left as one frame */
	__u64 multicasts_repaired;	/* sent again to somebody who had missed one */
	__u64 multicasts_copied;	/* sent to one after the other */
	__u64 multicasts_doubled;	/* came again, and were dropped */
	__u64 multicasts_refused;	/* frames of strangers, and what makes no sense */
};

#define ESPGOAL_MAGIC 0xe5
#define ESPGOAL_JOIN _IOW(ESPGOAL_MAGIC, 1, struct espgoal_join)
#define ESPGOAL_LOAD _IOWR(ESPGOAL_MAGIC, 2, struct espgoal_load)
#define ESPGOAL_UNLOAD _IOW(ESPGOAL_MAGIC, 3, __u32)
#define ESPGOAL_START _IOWR(ESPGOAL_MAGIC, 4, struct espgoal_start)
#define ESPGOAL_FINISH _IOW(ESPGOAL_MAGIC, 5, struct espgoal_finish)
#define ESPGOAL_STATS _IOR(ESPGOAL_MAGIC, 6, struct espgoal_stats)

#endif
