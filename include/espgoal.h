/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note OR BSD-3-Clause */
/* espgoal.h - schedules that the kernel runs: the calls of /dev/espgoal. */

/*
 * A process opens the device and joins a job: a set of nprocs processes, each with a rank and the
 * addresses at which its kernel listens. Then it loads schedules (goal_format.h), starts them, and
 * sees in a page of memory when they are over: no system call is needed to read it. The kernel
 * moves them on when a frame arrives, even while the process computes.
 *
 * All of it belongs to the open file, and ends when the file is closed or the process exits that
 * has opened it. One file joins one job, once. A child of fork() has the file but none of the
 * memory: calls that access memory of the process, or change which schedules it has, fail with
 * EPERM in any process but the one that has opened the file.
 *
 * A message belongs to the n-th run of the
 * m-th schedule that was loaded: all processes of a job load and unload the same schedules in the
 * same order, and start them in the same order (as in the library). So an id, which is local to the
 * file, may be reused at once. A message that no receive of its run matches is dropped when the run
 * is over.
 */
#ifndef ESPGOAL_H
#define ESPGOAL_H

#include "enet.h"

#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

#define ESPGOAL_VERSION 5

enum {
	ESPGOAL_NPROCS_MOST = 4096,
	ESPGOAL_NETWORKS = 2,
	ESPGOAL_SCHEDULES_MOST = 1024,	/* of one file */
	ESPGOAL_RUNS_MOST = 256,	/* runs of one file, at once */
};

/*
 * ESPGOAL_JOIN: join a job as process @rank. @peers: nprocs addresses for each network, those of
 * the first network before those of the second; the kernel listens at that of @rank (which needs a
 * port of its own on each network; ESPGOAL_PORT has one). @key separates jobs: a random number, the
 * same on all processes, and a secret of the job. It is never sent: hosts prove that they have
 * it. They connect from ports of the kernel (ENET_PORT_FIRST_KERNEL), when a message first needs a
 * connection; a message whose receiver has not joined yet waits at the sender.
 */
struct espgoal_join {
	__u32 version;
	__u32 nprocs;
	__u32 rank;
	__u32 networks;			/* 1 or 2 */
	__u64 key;
	/*
	 * const struct sockaddr_en *: the addresses of all processes on the first network, then on
	 * the second. The own one is where this process listens, ifindex 0: at all interfaces.
	 * ifindex of another one is the interface to it, 0: the own one's.
	 */
	__u64 peers;
	/*
	 * Multicasts that fit a frame are sent to this Ethernet group and EDP port of the job, over
	 * the first network (ifindex 0) or another interface; lost ones are retransmitted. The same
	 * on all processes. addrlen 0: no group, multicasts are sent as copies.
	 */
	struct sockaddr_en group;
	__u32 timeout_ms;		/* of a peer that does not answer; 0: the default of ESP */
	__u32 zero;			/* also where __u64 needs no multiple of 8 */
};

/*
 * ESPGOAL_PORT: a port of ESP that no other file gets, in network order, for the file's own address
 * in ESPGOAL_JOIN. A program cannot bind it meanwhile.
 */

/* ESPGOAL_LOAD: copied in, then verified. On EBADMSG @error is an enum goal_error and @at where. */
struct espgoal_load {
	__u64 block;			/* const void *, on a multiple of 8 */
	__u64 bytes;
	__u32 id;			/* out */
	__s32 error;			/* out */
	__u64 at;			/* out */
};

/*
 * ESPGOAL_START: start a run. Buffers are pinned until it is over; those that the schedule writes
 * must be writable. @scratch: if not 0 the first @scratch_bytes of the scratchpad are copied from
 * there before it starts, and back by ESPGOAL_FINISH. @slot: the word of the page that has its
 * state.
 *
 * If @copy_bytes is not 0 nothing is pinned: the run works with a copy of so many bytes from @copy
 * on, in which all buffers are, and which ESPGOAL_FINISH copies back.
 */
struct espgoal_start {
	__u32 id;
	__u32 slot;			/* out, < ESPGOAL_RUNS_MOST */
	__u64 buffers;			/* const __u64 [nbuffers]: addresses */
	__u64 scratch;
	__u64 scratch_bytes;
	__u64 copy;
	__u64 copy_bytes;
};

/* ESPGOAL_FINISH: wait until the run is over (unless @nowait: EAGAIN), then free its slot. */
struct espgoal_finish {
	__u32 slot;
	__u32 nowait;
	__u64 scratch;			/* as above, or 0 */
	__u64 scratch_bytes;
	__u64 copy;			/* likewise */
	__u64 copy_bytes;
};

/* The page that mmap() of the file at offset 0 gives, read-only. */
struct espgoal_page {
	__u32 state[ESPGOAL_RUNS_MOST];	/* enum espgoal_state, by slot */
	__u32 error;			/* errno that has ended the job, or 0; set last */
	/* With EMSGSIZE, the receive whose message has another length: */
	__u32 slot, operation;		/* slot of its run, and its number in the schedule */
	__u32 from;			/* rank of the sender */
	__u64 bytes;			/* length of the message */
	/* ns of CLOCK_MONOTONIC at which the run of each slot was over; 0: not known */
	__u64 over_ns[ESPGOAL_RUNS_MOST];
};

enum espgoal_state {
	ESPGOAL_FREE = 0,
	ESPGOAL_RUNNING = 1,
	ESPGOAL_OVER = 2,
	ESPGOAL_FAILED = 3,		/* see error */
};

struct espgoal_stats {
	__u64 runs, operations, messages_sent, messages_received;
	__u64 unexpected;		/* arrived before their receive */
	__u64 workqueue_runs, softirq_runs;
	__u64 multicasts;		/* sent as one frame */
	__u64 multicasts_repaired;	/* retransmitted to one process */
	__u64 multicasts_copied;	/* sent as copies */
	__u64 multicasts_doubled;	/* duplicates, which are dropped */
	__u64 multicasts_refused;	/* frames of no process of the job, or invalid ones */
	/* of connections: a message was whole, or had to be read before the rest could come */
	__u64 receive_events;
};

#define ESPGOAL_MAGIC 0xe5
#define ESPGOAL_JOIN _IOW(ESPGOAL_MAGIC, 1, struct espgoal_join)
#define ESPGOAL_LOAD _IOWR(ESPGOAL_MAGIC, 2, struct espgoal_load)
#define ESPGOAL_UNLOAD _IOW(ESPGOAL_MAGIC, 3, __u32)
#define ESPGOAL_START _IOWR(ESPGOAL_MAGIC, 4, struct espgoal_start)
#define ESPGOAL_FINISH _IOW(ESPGOAL_MAGIC, 5, struct espgoal_finish)
#define ESPGOAL_STATS _IOR(ESPGOAL_MAGIC, 6, struct espgoal_stats)
#define ESPGOAL_PORT _IOR(ESPGOAL_MAGIC, 7, __u16)

#endif
