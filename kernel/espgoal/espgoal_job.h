/* SPDX-License-Identifier: GPL-2.0-only */
/* espgoal_job.h - one process's part of a job in the kernel; declarations that the files share. */

/*
 * The files, bottom up; none calls a function of a file below it in this list:
 *
 *   espgoal_auth.c       proofs that connections and frames are of the job
 *   espgoal_fpu.c        floating point in the kernel
 *   espgoal_memory.c     memory of the process: pinned and mapped
 *   espgoal_order.c      which messages may overtake which
 *   espgoal_job.c        lock of a job, wake-ups, budget, account of memory, failure
 *   espgoal_index.c      receives and messages by run, sender and tag
 *   espgoal_match.c      which receive a message is for
 *   espgoal_socket.c     sockets of a job
 *   espgoal_near.c       connections between jobs of the same host, without sockets
 *   espgoal_tx.c         send connections and their queues
 *   espgoal_multicast.c  multicasts to an Ethernet group, and their retransmission
 *   espgoal_liveness.c   peers that disconnect or do not answer; closing a job
 *   espgoal_rx.c         receive connections
 *   espgoal_schedule.c   schedules: load, verify, unload
 *   espgoal_send.c       messages of operations that send
 *   espgoal_run.c        runs of schedules: start, step, finish
 *   espgoal_progress.c   run contexts: the tasklet, the worker, the order of a step
 *   espgoal_join.c       joining a job and closing it
 *   espgoal_main.c       the device: open, ioctl, mmap, release
 *
 * Run contexts. One context at a time works on a job: a call of the process, the worker, or the
 * tasklet.
 *
 *   Calls and the worker acquire the job: eg_job_acquire() takes job->lock, a mutex, and sets
 *   job->acquired under job->run_lock, a spinlock. The holder may sleep, and holds no spinlock.
 *   eg_job_release() clears the flag and unlocks the mutex. A holder accesses no memory of the
 *   process but pinned pages: a page may be long in coming, from a file system in user space or
 *   from userfaultfd, and would hold up the whole job. Calls copy and pin without the job.
 *   The tasklet holds job->run_lock while it runs. If the job is acquired, the tasklet sets
 *   job->missed_wakeup, and eg_job_release(), which reads it under the same lock, schedules the
 *   tasklet again. So no wake-up is lost: either the holder acquired the job after the event and
 *   sees it, or the tasklet runs later.
 *
 * Each context that takes job->run_lock sees what the previous one wrote, as that one released the
 * lock. A holder waits for at most one run of the tasklet, which is short: job->budget bounds its
 * operations and bytes.
 *
 * Sockets call eg_wake() in softirq, under none of the job's locks. Lock order: job->lock,
 * job->run_lock, the lock of a socket (esp_kernel.h), the lock of a wait queue. So do other jobs of
 * the same host, with the lock of a connection instead (espgoal_near.c). Ready lists avoid
 * searches: job->notified, filled by callbacks, has the receive connections with something to
 * read, job->tx_ready the send connections with something to send.
 *
 * The tasklet does short work and never sleeps (job->in_softirq). It leaves the rest to the worker,
 * an item of a high-priority unbound workqueue (Schneider and others, section 3.3): connecting,
 * accepting, releasing; tearing down a failed job; memory that is not available at once; multicasts
 * that are sent as copies, and retransmission; runs whose schedule has an operation of more than
 * EG_SOFTIRQ_BYTES, or one for which more than EG_SOFTIRQ_EDGES others wait (heavy); floating point
 * while the registers hold another context's values (uses_fpu); and what remains when job->budget
 * is used up. With softirq=0, a parameter of the module, the worker does all.
 *
 * Lifetime. An open file is a job. release() is its last user: eg_job_end() fails the job and
 * releases the sockets after it has taken back their callbacks, so only a running tasklet can
 * schedule the tasklet; tasklet_kill() waits for it. Only the tasklet could still have queued the
 * worker, which is then cancelled. The liveness work is cancelled before both: only a holder of a
 * job that has not failed queues it. The kernel writes to the process's memory through pinned pages
 * alone, never through its page tables, so the process may unmap memory or exit at any time.
 *
 * A message on a connection is a header of 28 bytes and its data. A connection has one direction:
 * the sender connects to the address at which the receiver listens, and sends EG_HELLO first. So
 * two processes that connect to each other at the same time do not collide.
 */
#ifndef ESPGOAL_JOB_H
#define ESPGOAL_JOB_H

#include "../../include/espgoal.h"
#include "../compat/compat.h"
#include "../goal/goal_run.h"

#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/rbtree.h>
#include <linux/siphash.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

/*
 * Schedules, their runs and multicasts are counted from here: numbers wrap at 2^32, and so they do
 * soon in every job, not in one that has run for days.
 */
#define EG_FIRST_NUMBER ((u32)-20)

enum {
	EG_HEADER = 28,
	/* Bytes of unexpected messages of a job; beyond that their senders wait ... */
	EG_UNEXPECTED_MOST = 8 << 20,
	/* ... unless a posted receive needs another message of that sender; up to this many. */
	EG_AHEAD_MOST = 256 << 20,
	EG_UNEXPECTED_COST = 256,	/* charged for each, beside its bytes, which may be 0 */
	EG_RUN_STEPS = 256,		/* operations started of one run before the next run */
	EG_SOFTIRQ_BYTES = 4096, /* most bytes of an operation in softirq, which nothing preempts */
	EG_SOFTIRQ_EDGES = 256,		/* most operations that wait for one, likewise */
	EG_EDGE_BYTES = 16,		/* a step of a loop over them costs as much as so many */
	/* Operations, messages and KiB of data of one run of the tasklet, a call, the worker. */
	EG_SOFTIRQ_BUDGET = 256,
	EG_CALL_BUDGET = 4096,
	EG_WORKER_BUDGET = 65536,
	EG_PIECES = 16,			/* pieces of memory given to a socket at once, ... */
	EG_PIECES_BYTES = 32768,	/* ... and their bytes */
	EG_ACCEPTS_MOST = 64,		/* connections accepted at once from one listener */
	EG_RX_STEPS = 256,		/* steps of one receive connection before the next */
	EG_UNAUTHENTICATED_MOST = 64,	/* connections without EG_HELLO, beyond one for each peer */
	EG_RETRY_MS = 5, /* between attempts to connect to a peer that does not listen */
	EG_TIMEOUT_MS = 60000,		/* timeout of a peer, unless the process sets another */
	EG_EXIT_MS = 10000, /* most that an exiting process waits: nothing can interrupt it */
	/* Bytes of blocks, counters, scratchpads and queued messages of one file. */
	EG_WORKSPACE_MOST = 256 << 20,
	EG_NEAR_MOST = 256 << 10,	/* bytes queued between two processes of a host */
	EG_BUCKETS = 1024,		/* hash buckets of tags, see espgoal_order.c */
	EG_LOCAL_MOST = 256 << 20,	/* bytes of a local operation, which nothing interrupts */
};

/*
 * Header of a message. EG_HELLO, EG_STATUS_REQUEST, EG_STATUS and EG_KEEPALIVE have no data.
 *
 * @number of EG_HELLO: rank of the sender; of EG_RETRANSMIT: number of that multicast; of
 * EG_STATUS_REQUEST: multicasts that the sender has made; of EG_MESSAGE: the sender has received
 * all multicasts of the receiver before this number.
 */
struct eg_wire {
	__le32 kind;			/*  0: enum eg_wire_kind */
	__le32 number;			/*  4 */
	__le32 schedule;		/*  8: its number; EG_HELLO: lower half of its proof */
	__le32 run;			/* 12: number of its run; EG_HELLO: upper half */
	__le32 tag; /* 16: EG_HELLO: 1 if the job has a multicast group, else 0 */
	__le64 bytes;			/* 20: of data that follow */
} __packed;				/* 28 */

static_assert(sizeof(struct eg_wire) == EG_HEADER, "as the paper has it");

enum eg_wire_kind {
	EG_HELLO = 0x45474830, /* first on a connection: rank of the sender, proof of the key */
	EG_MESSAGE = 0x4547304d,	/* a message of an operation */
	EG_MCAST = 0x45473043, /* a multicast, in a frame to the group; espgoal_multicast.c */
	EG_RETRANSMIT = 0x45473052,	/* a multicast sent again over a connection */
	EG_STATUS_REQUEST = 0x45473041,	/* which multicasts of the sender have been received? */
	EG_STATUS = 0x45473054,		/* these; and those to be retransmitted */
	EG_KEEPALIVE = 0x4547304b, /* keepalive probe: has no effect, but must be acknowledged */
};

/* A multicast: before its data, after the header of EDP. */
struct eg_mcast_frame {
	__le64 proof;			/*  0: espgoal_auth.c */
	__le32 from;			/*  8: rank */
	struct eg_wire head; /* 12: EG_MCAST; that of EG_RETRANSMIT differs only in its kind */
} __packed;				/* 40 */

static_assert(sizeof(struct eg_mcast_frame) == 40, "as written above");

struct eg_run;
struct eg_near;

/* A position in the parts of an operation. */
struct eg_cursor {
	u32 part;
	u64 offset;			/* in that part */
};

/* The bytes of a multicast, shared by the messages that carry it. */
struct eg_payload {
	u32 users;			/* references; under the job */
	u64 cost;
	unsigned char data[];
};

/* A message in the queue of a send connection. */
struct eg_tx_msg {
	struct list_head list;
	struct eg_run *run;		/* NULL: detached; run and schedule may be freed */
	const struct goal_op *op;
	struct eg_wire head;
	u64 bytes, sent;		/* sent: of header and data */
	struct eg_cursor at;
	struct eg_payload *payload;	/* of a detached one; NULL: its bytes are zeros */
};

/* Messages and receives are matched by it. */
struct eg_msg_id {
	u32 schedule, run, from, tag;
};

/* The parts that a receive leaves open; its tree in an index. */
enum { EG_ANY_SENDER = 1, EG_ANY_TAG = 2, EG_WILDCARDS = 4 };

/* Receives, or messages; see espgoal_index.c. */
struct eg_index {
	struct rb_root trees[EG_WILDCARDS];
	u64 nadded;
};

struct eg_index_entry {
	struct rb_node link;
	u64 run;			/* numbers of schedule and run */
	u64 message;			/* sender and tag */
	u64 number;			/* entries added before it */
};

/* A receive that waits for its message. */
struct eg_posted {
	struct eg_index_entry entry;
	struct eg_run *run;
	const struct goal_op *op;
};

/* A multicast that waits for the worker, or a message behind it: see eg_send_multicast(). */
struct eg_deferred {
	struct list_head list;
	struct eg_run *run;
	const struct goal_op *op;
};

/* State of a started operation: preallocated, so that starting one needs no memory. */
union eg_op_state {
	struct eg_tx_msg msg;
	struct eg_posted posted;
	struct eg_deferred deferred;
};

/* A complete message that waits for its receive. */
struct eg_unexpected {
	struct eg_index_entry entries[EG_WILDCARDS];	/* as receives may look for it */
	struct eg_msg_id id;
	u64 bytes;
	unsigned char data[];
};

/* A send connection: to a peer, over one of the networks. */
struct eg_tx_conn {
	struct eg_job *job;
	u32 rank, network;
	/* Both NULL: none yet. SOCK_NOSPACE of the socket: it waits for room. */
	struct socket *sock;
	struct eg_near *near;		/* to a process of the same host */
	bool ready, hello_sent;
	bool peer_shutdown;		/* the peer has closed it */
	/* It was given more than EG_HELLO and probes, all of which may not have arrived */
	bool has_data;
	int error;			/* errno by which it failed without data, positive */
	unsigned long retry_at, give_up_at;	/* jiffies; 0: not set */
	unsigned long no_memory_at;	/* since then sockets have none for it; 0: not set */
	struct list_head queue;		/* of struct eg_tx_msg */
	struct list_head ready_link;	/* in job->tx_ready, if @queue is not empty */
};

/* A receive connection: accepted from a peer. */
struct eg_rx_conn {
	struct list_head list;
	struct eg_job *job;
	struct socket *sock;		/* NULL: it has @near instead */
	struct eg_near *near;		/* from a process of the same host */
	/* bit 0: in job->notified. Set by callbacks, cleared before reading */
	unsigned long is_notified;
	struct llist_node notified_link;
	struct list_head ready_link;	/* in job->rx_ready */
	u32 network;
	int from;			/* rank; -1: unauthenticated, no EG_HELLO yet */
	struct eg_wire head;
	u32 have;			/* bytes of the header that have arrived */
	/* the message being received */
	bool in_message;
	u64 got;			/* bytes of its data */
	struct eg_posted *posted;	/* its receive; NULL: see @unexpected */
	struct eg_unexpected *unexpected; /* it is unexpected; NULL: no receive will match it */
	struct eg_cursor at;
};

struct eg_peer {
	u32 nposted;			/* receives that wait for a message from it, ... */
	u32 nreceiving;			/* ... and whose message is arriving */
	/* Receive connections from it that it has closed: it sends no more when all are, ... */
	u32 nclosed;
	/* ... or if it is in job->half_closed, as the end of one may be lost, ... */
	struct list_head half_closed_link;
	unsigned long closed_at;	/* ... at this time, in jiffies */
	struct sockaddr_en addr[ESPGOAL_NETWORKS];
	struct eg_tx_conn tx[ESPGOAL_NETWORKS];
};

/* Pages of the process. */
struct eg_pinned {
	struct page **pages;
	unsigned int npages;
	void *map; /* mapping of all; NULL: one page, in the kernel's linear mapping */
	unsigned char *at;		/* address of the first byte */
	struct user_struct *user;	/* charged for them; NULL: it may pin any number */
	bool written;
};

struct eg_schedule {
	u32 id;
	u32 number; /* from EG_FIRST_NUMBER on, in the order of loading */
	struct goal_prog prog;
	void *block;
	u64 workspace;
	DECLARE_BITMAP(crowded, EG_BUCKETS);	/* see espgoal_order.c */
	DECLARE_BITMAP(mixed, EG_BUCKETS);
	u32 next_run;			/* number of the next run */
	unsigned int users;		/* runs, also those that are not started yet; and the job */
	bool heavy, uses_fpu;		/* see above */
	u64 step_bytes; /* cost of its most expensive operation; EG_EDGE_BYTES */
};

struct eg_run {
	struct list_head list;		/* in job->running, until it is over */
	struct eg_job *job;
	struct eg_schedule *schedule;
	u32 number;
	u32 slot;
	unsigned long started_at;	/* jiffies */
	struct goal_run goal;
	/* In the memory of the run, behind it: */
	void *scratch;
	void *copy;			/* if no buffer is pinned: ... */
	u64 copy_from, copy_bytes;	/* ... of this memory of the process */
	struct eg_pinned *pinned;	/* one for each buffer, ... */
	u32 npinned;			/* ... of which so many are set */
	unsigned char **at;		/* their addresses */
	union eg_op_state *items;	/* one for each operation, by its index */
	u64 workspace;
	bool over;
	bool finishing;			/* a call has it: leave it to that call */
};

/* Functions that sockets call while no job is attached. */
struct eg_callbacks {
	void (*data_ready)(struct sock *sk);
	void (*write_space)(struct sock *sk);
	void (*state_change)(struct sock *sk);
	void (*error_report)(struct sock *sk);
};

/* State that the jobs of a process share. */
struct eg_process {
	struct list_head link;
	unsigned int njobs;
	fl_owner_t files;		/* compared, never used */
	unsigned long linger_until;	/* jiffies; 0: it is not exiting */
};

struct eg_job {
	struct mutex lock;		/* of its holders */
	spinlock_t run_lock;		/* softirqs off */
	/* under @run_lock: it has a holder; the tasklet came meanwhile */
	bool acquired, missed_wakeup;
	bool in_softirq;		/* the tasklet runs: do not sleep */
	bool need_worker;		/* something was found that only the worker can do */
	unsigned int budget;		/* what this context may still do */
	unsigned int nheavy, nfloat;	/* runs that are; read without the lock, as a hint */
	/* compared, and has VmPin of pinned pages; never used to access memory */
	struct mm_struct *mm;
	struct eg_process *process;	/* that has opened this one */
	/* of that process: charged for the kernel's memory by the tasklet and the worker, too */
	struct mem_cgroup *memcg;
	struct net *net;
	kuid_t user;			/* that has opened the file */
	bool joined;
	bool closing;			/* set without the lock: the holder is to release it soon */
	int error;			/* errno that has ended it, positive */
	u32 nprocs, rank, networks, timeout_ms;
	siphash_key_t key;
	struct eg_peer *peers;
	struct socket *reserved;	/* has the port of ESPGOAL_PORT until the job is joined */
	struct socket *listener[ESPGOAL_NETWORKS];
	struct eg_callbacks callbacks;
	struct eg_mcast *mcast;		/* NULL: no group, multicasts are sent as copies */
	bool mcast_unacked;		/* a peer has not received all; read without the lock */
	u32 ndetached;			/* detached messages in queues; read without the lock */
	/* by callbacks: */
	bool accept_pending; /* a listener has a connection to accept, or near_pending has */
	struct llist_head near_pending;	/* struct eg_near; by other jobs */
	struct hlist_node near_link;	/* in the table of espgoal_near.c */
	bool shutdown_pending;		/* a send connection has ended */
	int send_error;			/* errno by which sent data were lost, positive */
	struct llist_head notified; /* receive connections with something to read; callbacks add */
	atomic64_t receive_events;	/* calls of those callbacks */
	struct list_head rx_ready; /* those, taken from @notified, and not yet read to the end */
	struct list_head rx_conns;
	unsigned int nunauthenticated;	/* of rx_conns */
	struct list_head half_closed;	/* peers; the one with the earliest deadline first */
	struct list_head tx_ready;	/* send connections with something to send */
	struct list_head running;	/* runs that are not over */
	struct list_head deferred;	/* for the worker: struct eg_deferred, in their order */
	struct eg_index posted, unexpected;
	u32 nposted_any;		/* receives that wait for a message from any process */
	u32 nclosed;			/* peers that send no more, see struct eg_peer */
	u64 unexpected_bytes, workspace;
	u32 next_schedule;		/* number of the next one that is loaded */
	struct xarray loaded;		/* schedules, by number */
	struct eg_schedule *schedules[ESPGOAL_SCHEDULES_MOST];
	struct eg_run *runs[ESPGOAL_RUNS_MOST];
	struct espgoal_page *page;
	unsigned char *drain;		/* a page into which discarded bytes are received */
	struct espgoal_stats stats;
	wait_queue_head_t over; /* a run is over, or what eg_linger() waits for has happened */
	struct tasklet_struct tasklet;
	struct delayed_work work;
	struct delayed_work liveness;	/* espgoal_liveness.c */
	unsigned long liveness_at;	/* jiffies for which that is queued; 0: it is not */
};

extern struct workqueue_struct *eg_queue;
extern bool eg_softirq;			/* parameter of the module */
extern int enet_family;			/* of module enet */

/* ---- espgoal_auth.c ------------------------------------------------------------------------ */

/* The beginning of a connection, from rank to rank. */
struct eg_hello_id {
	u32 from, to, network;
	u32 tag_from, tag_to;		/* chosen by each end for this connection */
	bool grouped;			/* the sender has a multicast group */
};

void eg_auth_init(struct eg_job *job, u64 key);
u64 eg_auth_hello(const struct eg_job *job, const struct eg_hello_id *id);
/* The proof that @frame has to have, whatever it has. */
u64 eg_auth_frame(const struct eg_job *job, const struct eg_mcast_frame *frame, const void *data,
		  size_t bytes);

/* ---- espgoal_fpu.c ------------------------------------------------------------------------- */

/* May this context use floating point now? */
bool eg_fpu_usable(void);

/* ---- espgoal_memory.c ---------------------------------------------------------------------- */

/* Pin @bytes at @at of the calling process, which must have opened the file. */
int eg_pin(struct eg_job *job, u64 at, u64 bytes, bool written, struct eg_pinned *pinned);
void eg_unpin(struct eg_job *job, struct eg_pinned *pinned);

/* ---- espgoal_order.c ----------------------------------------------------------------------- */

/* Analyse a schedule when it is loaded. */
int eg_order_analyse(struct eg_schedule *s);
/* Has no other message that this process sends the tag of this multicast? */
bool eg_order_tag_is_unique(const struct eg_schedule *s, const struct goal_op *op);
/* The network over which a message is sent. */
u32 eg_order_network(const struct eg_job *job, const struct eg_schedule *s,
		     const struct goal_op *op);

/* ---- espgoal_job.c ------------------------------------------------------------------------- */

/* In process context. All functions below need the job acquired, or the tasklet, if not said. */
void eg_job_acquire(struct eg_job *job);
int eg_job_acquire_interruptible(struct eg_job *job);
void eg_job_release(struct eg_job *job);
/* Let the tasklet or the worker look for work. Any context, without the job. */
void eg_wake(struct eg_job *job);
void eg_wake_worker(struct eg_job *job);
/* In @delay jiffies at the latest. */
void eg_wake_worker_in(struct eg_job *job, unsigned long delay);
bool eg_softirq_allowed(const struct eg_job *job);
/* Charge one operation or message with @bytes to the budget. */
void eg_budget_spend(struct eg_job *job, u64 bytes);
/* Charge what a step of a run may have cost, which the interpreter does not say. */
void eg_budget_spend_step(struct eg_job *job, const struct eg_schedule *s);
/* Is there budget left, and neither failure nor signal? */
bool eg_may_continue(const struct eg_job *job);
/* Timeout of a peer, in jiffies. */
unsigned long eg_timeout(const struct eg_job *job);
/* Charge memory to the file, which bounds it. False: the bound is reached. */
bool eg_charge(struct eg_job *job, u64 bytes);
/* Fail the job, and with it all runs. The first error is the one that is reported. */
void eg_job_fail(struct eg_job *job, int error);

static inline gfp_t eg_gfp(const struct eg_job *job)
{
	return job->in_softirq ? GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT : GFP_KERNEL_ACCOUNT;
}

/* Have all receive connections from a peer ended? GOAL_ANY: from all peers, if there are any. */
static inline bool eg_peer_is_closed(const struct eg_job *job, u32 rank)
{
	if (rank == GOAL_ANY)
		return job->nclosed && job->nclosed == job->nprocs - 1;
	return rank < job->nprocs && job->peers[rank].nclosed >= job->networks;
}

/* Has one of its connections ended? Its job has then: it needs nothing more, but may still send. */
static inline bool eg_peer_is_leaving(const struct eg_job *job, u32 rank)
{
	return eg_peer_is_closed(job, rank) || !list_empty(&job->peers[rank].half_closed_link);
}

/* Does a receive need more of what a peer sends? */
static inline bool eg_peer_is_awaited(const struct eg_job *job, u32 rank)
{
	return job->peers[rank].nposted || job->peers[rank].nreceiving;
}

/* ---- espgoal_index.c: in O(log n) steps ---------------------------------------------------- */

/* @wildcards: EG_ANY_SENDER, EG_ANY_TAG. Entries with the same @id stay in this order. */
void eg_index_add(struct eg_index *index, unsigned int wildcards, const struct eg_msg_id *id,
		  struct eg_index_entry *entry);
void eg_index_remove(struct eg_index *index, unsigned int wildcards, struct eg_index_entry *entry);
/* The first entry that was added for @id with these wildcards, or NULL. */
struct eg_index_entry *eg_index_find(const struct eg_index *index, unsigned int wildcards,
				     const struct eg_msg_id *id);
/* Without wildcards: an entry for a run of a schedule; NULL: for any run. */
struct eg_index_entry *eg_index_first_of_run(const struct eg_index *index, u32 schedule,
					     const u32 *run);
/* All entries with these wildcards, one after the other. */
struct eg_index_entry *eg_index_first(const struct eg_index *index, unsigned int wildcards);
struct eg_index_entry *eg_index_next(struct eg_index_entry *entry);

/* ---- espgoal_match.c ----------------------------------------------------------------------- */

/* Does a posted receive name @rank, or GOAL_ANY? */
bool eg_match_waits_for(const struct eg_job *job, u32 rank);
/* May the run of a message still match it? If not, the run is over. */
bool eg_match_may_arrive(struct eg_job *job, const struct eg_msg_id *id);
/* Call @visit for each posted receive. In process context. */
void eg_match_for_each_posted(struct eg_job *job,
			      void (*visit)(struct eg_job *job, const struct eg_posted *p));
/* Drop the unexpected messages for a run of a schedule; NULL: for any run. In process context. */
void eg_match_drop(struct eg_job *job, const struct eg_schedule *s, const u32 *run);
/*
 * Has a message the length of its receive? A receive without parts takes any. Else fill the page.
 */
bool eg_match_length(const struct eg_run *r, const struct goal_op *op, u32 from, u64 bytes);
/* Forget posted receives and unexpected messages, as the job has failed. In process context. */
void eg_match_clear(struct eg_job *job);
/* The posted receive that matches @id, removed from its index; or NULL. */
struct eg_posted *eg_match_posted(struct eg_job *job, const struct eg_msg_id *id);
/*
 * Memory for an unexpected message: 1, and NULL if no receive will match it; 0: there is no room
 * now; or a negative errno.
 */
int eg_unexpected_create(struct eg_job *job, const struct eg_msg_id *id, u64 bytes,
			 struct eg_unexpected **u);
/*
 * An unexpected message is complete: give it to a receive that was posted meanwhile, or queue it.
 */
int eg_unexpected_complete(struct eg_job *job, struct eg_unexpected *u);
/*
 * Start a receive. True: its message was unexpected, and has been copied. *error: 0, EMSGSIZE if
 * that message has another length, ECONNRESET if the peer has disconnected.
 */
bool eg_receive_start(struct eg_run *r, const struct goal_op *op, int *error);
/*
 * The memory of an operation from @at on, at most @left bytes, EG_PIECES pieces, EG_PIECES_BYTES
 * bytes; @drain, a page, for an operation without parts. Returns the number of pieces.
 */
unsigned int eg_op_pieces(const struct goal_run *run, const struct goal_op *op,
			  struct eg_cursor at, u64 left, void *drain, struct kvec *pieces);
void eg_op_advance(const struct goal_op *op, struct eg_cursor *at, size_t len);

/* ---- espgoal_socket.c ---------------------------------------------------------------------- */

/*
 * The socket calls @callback in softirq; its sk_user_data is @owner, a job or a connection.
 * eg_socket_release() restores the socket's own callbacks before it releases the socket: no
 * callback of this module runs any more when it returns.
 */
void eg_socket_attach(struct eg_job *job, struct socket *sock, void (*callback)(struct sock *sk),
		      void *owner);
void eg_socket_release(struct eg_job *job, struct socket *sock);
/* A new ESP socket, attached. */
int eg_socket_create(struct eg_job *job, void (*callback)(struct sock *sk), void *owner,
		     struct socket **sock);

/* ---- espgoal_near.c ------------------------------------------------------------------------ */

/* Jobs of this host may connect to this one; until eg_near_close(), which drops those pending. */
void eg_near_publish(struct eg_job *job);
void eg_near_close(struct eg_job *job);
/* Is a peer at this address, whose interface is set, reached without a socket? */
bool eg_near_is_chosen(const struct eg_job *job, const struct sockaddr_en *to);
/* Set conn->near. ECONNREFUSED: the peer has not joined, or left. In process context. */
int eg_near_connect(struct eg_job *job, struct eg_tx_conn *conn);
/*
 * Bytes sent, or EAGAIN: wait for room; ENOBUFS: no memory; ECONNRESET: the receiver closed. @more:
 * the message continues with the next call, so the receiver may read it later.
 */
int eg_near_send(struct eg_near *near, const struct kvec *pieces, unsigned int npieces, bool more,
		 gfp_t gfp);
bool eg_near_waits_for_room(const struct eg_near *near);
/* Has the receiver closed it? */
bool eg_near_is_shut(const struct eg_near *near);
void eg_near_close_sender(struct eg_near *near);
/* A connection to be accepted, or closed; NULL: there is none. */
struct eg_near *eg_near_next_pending(struct eg_job *job);
/*
 * @notify: a message is whole, half of the queue is full, or the sender closed it. Returns the rank
 * of the sender.
 */
u32 eg_near_accept(struct eg_near *near, struct eg_rx_conn *conn,
		   void (*notify)(struct eg_rx_conn *conn));
u32 eg_near_network(const struct eg_near *near);
/* Bytes received, or EAGAIN; 0: the sender has closed it. */
int eg_near_receive(struct eg_near *near, const struct kvec *pieces, unsigned int npieces);
/* After this @notify is not called any more. */
void eg_near_close_receiver(struct eg_near *near);

/* ---- espgoal_tx.c -------------------------------------------------------------------------- */

/* Connect and send as far as possible. True: there may be more. */
bool eg_tx_progress(struct eg_job *job);
/* Queue @msg, whose header and length are set. */
void eg_tx_enqueue(struct eg_job *job, u32 to, u32 network, struct eg_tx_msg *msg);
/*
 * Queue a detached message, of an operation that has ended or of none: @head and @bytes of
 * @payload, of which a reference is taken. False: no memory.
 */
bool eg_tx_enqueue_detached(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head,
			    u64 bytes, struct eg_payload *payload);
/* With one reference; NULL: no memory. */
struct eg_payload *eg_payload_create(struct eg_job *job, u64 bytes);
void eg_payload_release(struct eg_job *job, struct eg_payload *payload);
/* Jiffies until the next attempt to connect is due; MAX_SCHEDULE_TIMEOUT: none is. */
unsigned long eg_tx_next_retry(struct eg_job *job);
/* Has the peer closed this connection, which has been made? */
bool eg_tx_is_shut(const struct eg_tx_conn *conn);
/* It has failed; fail the job, if its messages or those of its peer are needed. */
void eg_tx_on_error(struct eg_job *job, struct eg_tx_conn *conn, int err);
/* Drop all queues and close all send connections. */
void eg_tx_close(struct eg_job *job);

/* ---- espgoal_multicast.c: see there for contexts ------------------------------------------- */

/* Join @group; addrlen 0: there is none. */
int eg_mcast_open(struct eg_job *job, const struct sockaddr_en *group);
void eg_mcast_close(struct eg_job *job);
/* May a multicast be sent as one frame? */
bool eg_mcast_is_possible(const struct eg_run *r, const struct goal_op *op);
/* Send it, with @payload, of which a reference is taken. */
void eg_mcast_send(struct eg_run *r, const struct goal_op *op, struct eg_payload *payload);
/* Receive frames, and send what softirqs could not. True: there may be more. */
bool eg_mcast_receive(struct eg_job *job);
/* Receive all frames that have arrived, whatever budget is left. */
void eg_mcast_receive_all(struct eg_job *job);
/* Is the multicast of an EG_RETRANSMIT new (1), a duplicate (0), or invalid (negative errno)? */
int eg_mcast_check_retransmit(struct eg_job *job, u32 from, u32 number);
/* A new multicast has been received. */
void eg_mcast_accept(struct eg_job *job, u32 from, u32 number);
/* Handle EG_STATUS_REQUEST, EG_STATUS, or the acknowledgement in EG_MESSAGE: 1, or an errno. */
int eg_mcast_on_control(struct eg_job *job, u32 from, const struct eg_wire *head);
/* Does this EG_STATUS request multicasts again? */
bool eg_mcast_needs_worker(const struct eg_wire *head);
/* The acknowledgement to be sent to @to with a message. */
u32 eg_mcast_ack(struct eg_job *job, u32 to);
/* A peer has disconnected: it needs no multicasts any more. */
void eg_mcast_peer_closed(struct eg_job *job, u32 rank);
/* Send status requests, if they are due. */
void eg_mcast_request_status(struct eg_job *job);
/* Jiffies until they are; MAX_SCHEDULE_TIMEOUT: none is. */
unsigned long eg_mcast_next_request(const struct eg_job *job);
/* Before the job is closed: send the status that peers lack, and request theirs. */
void eg_mcast_settle(struct eg_job *job);

/* ---- espgoal_liveness.c -------------------------------------------------------------------- */

/* A receive connection from a peer has ended. */
void eg_peer_conn_closed(struct eg_job *job, u32 rank);
/* Something has been received from a peer. */
void eg_peer_active(struct eg_job *job, u32 rank);
/* Find the peers that have closed a send connection, if job->shutdown_pending. */
void eg_peers_check_shutdown(struct eg_job *job);
/* A run has been started: probe peers from which it receives nothing for long. */
void eg_liveness_start(struct eg_job *job);
/* The work of job->liveness. */
void eg_liveness_work(struct work_struct *w);
/* Before a job ends: wait until no peer needs anything of it. Without the job; ends by a signal. */
void eg_linger(struct eg_job *job);

/* ---- espgoal_rx.c -------------------------------------------------------------------------- */

/* Reserve a port until eg_rx_unreserve(). */
int eg_rx_reserve(struct eg_job *job, u16 *port);
void eg_rx_unreserve(struct eg_job *job);
/* Listen at this process's address of a network. */
int eg_rx_listen(struct eg_job *job, unsigned int network);
/* Accept connections, in process context. True: there may be more. */
bool eg_rx_accept(struct eg_job *job);
/* Receive as far as possible. True: there may be more. */
bool eg_rx_progress(struct eg_job *job);
/* Close all receive connections and listeners. */
void eg_rx_close(struct eg_job *job);

/* ---- espgoal_schedule.c -------------------------------------------------------------------- */

/*
 * Charge the block before there is memory for it; then copy it, without the job, as a page of it
 * may be long in coming. eg_schedule_load() takes the copy, or the error: it frees the copy or
 * keeps it, and takes the charge back if there is no schedule.
 */
int eg_schedule_charge(struct eg_job *job, const struct espgoal_load *load);
void *eg_schedule_read(const struct espgoal_load *load);
int eg_schedule_load(struct eg_job *job, struct espgoal_load *load, void *block);
int eg_schedule_unload(struct eg_job *job, u32 id);
void eg_schedule_unload_all(struct eg_job *job);
/* A run of it is removed. */
void eg_schedule_put(struct eg_job *job, struct eg_schedule *s);
/* NULL: there is no schedule @id. */
struct eg_schedule *eg_schedule_find(struct eg_job *job, u32 id);

/* ---- espgoal_send.c ------------------------------------------------------------------------ */

/* Queue the message of an operation to its peer. */
void eg_send(struct eg_run *r, const struct goal_op *op);
/* Multicast, or queue copies to all others. False: the worker will do it, as this is a softirq. */
bool eg_send_multicast(struct eg_run *r, const struct goal_op *op);
/* Send the messages that were left to the worker. True: there are more. */
bool eg_send_deferred(struct eg_job *job);

/* ---- espgoal_run.c ------------------------------------------------------------------------- */

/*
 * Created, given its memory of the process, and started; the memory is read and pinned without the
 * job, as a page of it may be long in coming. A run that is not started is removed and destroyed.
 */
int eg_run_create(struct eg_job *job, const struct espgoal_start *start, struct eg_run **run);
int eg_run_read(struct eg_run *r, const struct espgoal_start *start);
int eg_run_start(struct eg_run *r, struct espgoal_start *start);
/*
 * A run that is over; until eg_run_disclaim() or eg_run_remove() no other call finishes it, nor
 * eg_run_end_all(). Its scratchpad is written to the process without the job.
 */
int eg_run_claim(struct eg_job *job, const struct espgoal_finish *finish, struct eg_run **run);
int eg_run_write(struct eg_run *r, const struct espgoal_finish *finish);
/* True: the job is closing, so the caller has to remove and destroy it. */
bool eg_run_disclaim(struct eg_run *r);
/* Remove it from the job; destroy it, and unpin its pages, without the job. */
void eg_run_remove(struct eg_run *r);
void eg_run_destroy(struct eg_run *r);
/* Start the ready operations of all runs, and find runs that are over. True: there is more. */
bool eg_run_step_all(struct eg_job *job);
/* Remove all runs, as the job has failed, and add them to @ended, to be destroyed. */
void eg_run_end_all(struct eg_job *job, struct list_head *ended);

/* ---- espgoal_progress.c -------------------------------------------------------------------- */

void eg_progress_init(struct eg_job *job);
/* After eg_job_end(): neither tasklet nor work runs any more. */
void eg_progress_stop(struct eg_job *job);
/* Move the job on, up to @units of budget. True: there is more. */
bool eg_progress(struct eg_job *job, unsigned int units);
/* Close all sockets of a job that has failed, or could not join, and forget its messages. */
void eg_job_disconnect(struct eg_job *job);

/* ---- espgoal_join.c: without the job acquired, but eg_job_join() ----- */

struct eg_job *eg_job_open(void);
/* Check @join, and copy the addresses of its peers, to be freed by kvfree(). */
struct sockaddr_en *eg_join_read(const struct espgoal_join *join);
int eg_job_join(struct eg_job *job, const struct espgoal_join *join,
		const struct sockaddr_en *peers);
/* End it though other processes may have the file: no run, no pinned page and no socket is left. */
void eg_job_end(struct eg_job *job);
void eg_job_close(struct eg_job *job);

#endif
