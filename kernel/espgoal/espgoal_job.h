/* SPDX-License-Identifier: GPL-2.0-only */
/* espgoal_job.h - a process's part of a job, as the kernel has it; what the files of the module share. */

/*
 * The files, bottom up; none calls a function of a file below it in this list:
 *
 *   espgoal_fpu.c        floating point in the kernel
 *   espgoal_memory.c     memory of the process: pinned and mapped
 *   espgoal_order.c      which messages may overtake which
 *   espgoal_job.c        the lock of a job, wake-ups, budgets, failure
 *   espgoal_match.c      which receive a message is for
 *   espgoal_socket.c     sockets of a job
 *   espgoal_tx.c         connections by which it sends
 *   espgoal_multicast.c  multicasts to an Ethernet group, and their retransmission
 *   espgoal_liveness.c   peers that leave or do not answer; leaving
 *   espgoal_rx.c         connections by which it receives
 *   espgoal_schedule.c   schedules: load, verify, unload
 *   espgoal_send.c       messages of operations that send
 *   espgoal_run.c        runs of schedules: start, step, finish
 *   espgoal_progress.c   who moves a job on: calls, the tasklet, the worker
 *   espgoal_join.c       joining and leaving a job
 *   espgoal_main.c       the device: open, ioctl, mmap, release
 *
 * Whose turn. All of a job is touched by one at a time: a call of the process, the worker, or the tasklet.
 *
 *   A call or the worker owns the job: eg_job_acquire() takes job->lock, a mutex, and sets job->acquired under job->run_lock, a spinlock.
 *   It may sleep, and holds no spinlock meanwhile. eg_job_release() takes the flag back.
 *   The tasklet holds job->run_lock for all of its run. If it finds the job owned it sets job->missed_wakeup, and eg_job_release(),
 *   which sees that under the same lock, schedules it again. So no news is lost: either the owner took the lock later and
 *   sees what has come, or the tasklet comes later.
 *
 * Whoever takes job->run_lock sees what the one before has written, as it has released that lock. Owners wait for a run of the
 * tasklet at most, which is short: job->budget bounds its operations and bytes.
 *
 * Sockets tell of news in softirq, by eg_wake() and under no lock of ours, so these are taken in this order and never the
 * other way: job->lock, job->run_lock, a socket's lock (esp_kernel.h), the lock of a queue of waiters. Connections and messages that can wait are
 * linked where they are found at once: rx_conns that have news (job->notified, which callbacks fill), ways with something to send.
 *
 * The tasklet runs what is short and never sleeps (job->in_softirq). Other things it leaves to the worker, an item of a high-priority
 * queue that is bound to no processor (Schneider and others, section 3.3): to connect, accept, release; to clear away what has failed;
 * memory that is not to be had at once; multicasts and their repair; flights whose schedule has an operation of more than
 * EG_SOFTIRQ_BYTES (heavy), as long as they are under conn; floating point while somebody else's registers are in use (floats); and
 * what is left when job->budget is used up. With the parameter softirq=0 of the module the worker does all.
 *
 * Life. An open file is a job. release() is the last to see it: eg_job_end() fails it and releases the sockets, whose callbacks have been
 * given back before, so nothing schedules the tasklet but a tasklet that runs; tasklet_kill() waits for that; only it could have woken the worker, which is
 * then cancelled. The work that waits for silence is cancelled before all that: only owners of a job that has not failed begin it.
 * Nobody writes to the process's memory but through pages that are pinned, never through its page tables, so the process may
 * unmap or end when it likes.
 *
 * A message on a connection is a header of 28 bytes and its data. A connection goes one way: who sends makes it, to
 * where the receiver listens, and says hello first. So two that begin at once do not get in each other's way.
 */
#ifndef ESPGOAL_JOB_H
#define ESPGOAL_JOB_H

#include "../../include/espgoal.h"
#include "../goal/goal_run.h"

#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/workqueue.h>

enum {
	EG_HEADER = 28,
	EG_UNEXPECTED_MOST = 8 << 20,	/* bytes of messages that nobody waits for yet, of a job; then senders wait ... */
	EG_AHEAD_MOST = 256 << 20,	/* ... unless something else of theirs is waited for, up to so many */
	EG_UNEXPECTED_COST = 256,	/* what one of them costs beside its bytes, to which others may be 0 */
	EG_RUN_STEPS = 256,			/* operations started for one flight before the next has its turn */
	EG_SOFTIRQ_BYTES = 4096,		/* of an operation in softirq, where nobody else gets the processor */
	EG_SOFTIRQ_BUDGET = 256,		/* operations, messages and KiB of one run there, */
	EG_CALL_BUDGET = 4096,		/* of one call, */
	EG_WORKER_BUDGET = 65536,		/* of one run of the worker */
	EG_PIECES = 16,			/* of memory, given to a socket at once, */
	EG_PIECES_BYTES = 32768,		/* and bytes of them */
	EG_ACCEPTS_MOST = 64,		/* connections taken at once, and steps with what one of them says */
	EG_RX_STEPS = 256,
	EG_UNAUTHENTICATED_MOST = 64,		/* connections that have not said hello yet, beyond one of each peer */
	EG_RETRY_MS = 5,		/* a peer that does not listen yet is tried again after so long ... */
	EG_TIMEOUT_MS = 60000,		/* ... for so long */
	EG_EXIT_MS = 10000,		/* nothing can interrupt a process that exits, so it waits no longer for others */
	EG_WORKSPACE_MOST = 256 << 20,	/* bytes of blocks, counters, scratchpads and queued messages of one file */
	EG_BUCKETS = 1024,		/* by which tags are told apart, see espgoal_order.c */
	EG_LOCAL_MOST = 256 << 20,	/* bytes of a local operation, which nothing interrupts */
};

/*
 * In front of a message; and alone, as hello: EG_HELLO, the job's key, the sender. @number is of a hello the sender's
 * rank; of EG_RETRANSMIT the number of that multicast; of EG_STATUS_REQUEST, how many the sender has made; of EG_MESSAGE how many of the
 * receiver's have come, all before which have.
 */
struct eg_wire {
	__le32 kind;			/*  0: enum eg_wire_kind */
	__le32 number;			/*  4 */
	__le32 schedule;		/*  8: its number; of a hello, the key's lower half */
	__le32 run;			/* 12: and its flight's; the key's upper half */
	__le32 tag;			/* 16; of a hello: is there a group to multicast to? 0 or 1 */
	__le64 bytes;			/* 20: of data that follow */
} __packed;				/* 28 */

static_assert(sizeof(struct eg_wire) == EG_HEADER, "as the paper has it");

enum eg_wire_kind {
	EG_HELLO = 0x45474830,
	EG_MESSAGE = 0x4547304d,
	EG_MCAST = 0x45473043,		/* in a frame to the group; the rest of them is in espgoal_multicast.c */
	EG_RETRANSMIT = 0x45473052,		/* a message that was multicast */
	EG_STATUS_REQUEST = 0x45473041,		/* what have you, of my multicasts? */
	EG_STATUS = 0x45473054,		/* this, and I want these */
	EG_KEEPALIVE = 0x4547304b,		/* are you there? Nothing is answered but that it has arrived */
};

struct eg_run;

/* A walk through the parts of an operation. */
struct eg_cursor {
	u32 part;
	u64 offset;			/* in that part */
};

/* The bytes of a multicast, for all to whom it goes. */
struct eg_payload {
	u32 users;
	u64 cost;
	unsigned char data[];
};

/* A message to be sent, in the queue of its way. */
struct eg_tx_msg {
	struct list_head list;
	struct eg_run *run;	/* NULL: it is loose, its operation has ended; flight and schedule may be gone */
	const struct goal_op *op;
	struct eg_wire head;
	u64 bytes, sent;		/* sent: of header and data */
	struct eg_cursor at;
	struct eg_payload *payload;		/* of a loose one; NULL: its bytes are zeros */
};

/* Who is who. */
struct eg_msg_id {
	u32 schedule, run, from, tag;
};

/* A receive that waits for its message. */
struct eg_posted {
	struct list_head list;
	struct eg_run *run;
	const struct goal_op *op;
};

/* What an operation under way is to others: it has one of its own, so none needs memory when it starts. */
union eg_op_state {
	struct eg_tx_msg msg;
	struct eg_posted posted;
};

/* A message that waits for its receive; complete. */
struct eg_unexpected {
	struct list_head list;
	struct eg_msg_id id;
	u64 bytes;
	unsigned char data[];
};

/* A connection to a peer over one of the networks. */
struct eg_tx_conn {
	u32 rank, network;
	struct socket *sock;		/* NULL: none yet; SOCK_NOSPACE: it waits for room */
	bool ready, hello_sent;
	bool peer_shutdown;			/* the peer has hung up */
	unsigned long retry_at, give_up_at;	/* jiffies; 0: not */
	struct list_head queue;		/* of struct eg_tx_msg */
	struct list_head ready_link;		/* in job->tx_ready, if that is not empty */
};

/* A connection that somebody made to us. */
struct eg_rx_conn {
	struct list_head list;
	struct eg_job *job;
	struct socket *sock;
	unsigned long is_notified;		/* bit 0: in job->notified; by callbacks. Whoever takes it from there clears it before he reads */
	struct llist_node notified_link;
	struct list_head ready_link;		/* in job->rx_ready */
	int from;			/* -1: it has not said hello */
	struct eg_wire head;
	u32 have;			/* bytes of the header */
	/* the message under way */
	bool in_message;
	u64 got;
	struct eg_posted *posted;		/* its receive, or NULL: */
	struct eg_unexpected *unexpected;	/* it waits for one; or NULL: nobody will */
	struct eg_cursor at;
};

struct eg_peer {
	u32 nclosed;			/* connections from it that it has closed: it sends no more when all have ... */
	struct list_head half_closed_link;	/* ... or it is here, in job->half_closed, as the end of one may never come, ... */
	unsigned long closed_at;		/* ... until this time, in jiffies */
	struct sockaddr_en addr[ESPGOAL_NETWORKS];
	struct eg_tx_conn tx[ESPGOAL_NETWORKS];
};

/* Pages of the process. */
struct eg_pinned {
	struct page **pages;
	unsigned int npages;
	void *map;			/* of all of them; NULL: one, where the kernel has it */
	unsigned char *at;		/* of the first byte */
	bool written;
};

struct eg_schedule {
	struct list_head list;		/* in job->loaded */
	u32 id;
	u32 number;			/* it was loaded as the so manieth, from 0 */
	struct goal_prog prog;
	void *block;
	u64 workspace;
	DECLARE_BITMAP(crowded, EG_BUCKETS);	/* see espgoal_order.c */
	DECLARE_BITMAP(mixed, EG_BUCKETS);
	u32 nstarted;			/* started so far */
	unsigned int nrunning;
	bool heavy, uses_fpu;		/* see above */
};

struct eg_run {
	struct list_head list;		/* in job->running, until it is over */
	struct eg_job *job;
	struct eg_schedule *schedule;
	u32 number;
	u32 slot;
	unsigned long started_at;		/* jiffies */
	struct goal_run goal;
	void *memory;			/* of all that follows, for one flight */
	void *scratch;
	struct eg_pinned *pinned;	/* one for each buffer */
	unsigned char **at;		/* their addresses */
	union eg_op_state *items;		/* one for each operation, by its index */
	u64 workspace;
	bool over;
};

/* What sockets call if nobody is attached. */
struct eg_callbacks {
	void (*data_ready)(struct sock *sk);
	void (*write_space)(struct sock *sk);
	void (*state_change)(struct sock *sk);
	void (*error_report)(struct sock *sk);
};

struct eg_job {
	struct mutex lock;		/* of owners */
	spinlock_t run_lock;		/* softirqs off */
	bool acquired, missed_wakeup;		/* under it: somebody has the lock, the tasklet came meanwhile */
	bool in_softirq;			/* the tasklet runs: sleep nowhere */
	bool need_worker;		/* what has been met must be done by the worker */
	unsigned int budget;		/* units that may still be done before others have their turn */
	unsigned int nheavy, nfloat;	/* flights under way that are; read without the lock to guess who will do it */
	struct mm_struct *mm;		/* compared, never used, but for the account of pinned pages */
	fl_owner_t owner;		/* the open files of the process that has opened this one; compared */
	struct net *net;
	bool joined;
	bool closing;			/* set without the lock, to get it soon */
	int error;			/* what has ended it, positive */
	u32 nprocs, rank, networks, timeout_ms;
	u64 key;
	struct eg_peer *peers;
	struct socket *listener[ESPGOAL_NETWORKS];
	struct eg_callbacks callbacks;
	struct eg_mcast *mcast;		/* NULL: no group, multicasts go as copies */
	bool mcast_unacked;			/* not all have our multicasts; read without the lock */
	u32 ndetached;			/* messages in queues whose operations have ended; likewise */
	bool accept_pending;			/* somebody wants to connect; by callbacks */
	bool shutdown_pending;			/* somebody has hung up on us; by callbacks */
	int send_error;			/* why what was given to a connection has not arrived, positive; by callbacks */
	struct llist_head notified;		/* rx_conns with news; callbacks add */
	struct list_head rx_ready;		/* the same, taken from there: not all has been heard */
	struct list_head rx_conns;
	unsigned int nunauthenticated;	/* rx_conns that have not said hello */
	struct list_head half_closed;	/* peers that have hung up, or closed one connection but not all; who is due first is first */
	struct list_head tx_ready;		/* ways with something to send */
	struct list_head running;	/* flights */
	struct list_head deferred;		/* multicasts for the worker, as items */
	struct list_head posted, unexpected;
	u64 unexpected_bytes, workspace;
	u32 nloaded;			/* so far */
	struct list_head loaded;	/* schedules, those that were used last first */
	struct eg_schedule *schedules[ESPGOAL_SCHEDULES_MOST];
	struct eg_run *runs[ESPGOAL_FLIGHTS_MOST];
	struct espgoal_page *page;
	unsigned char *drain;		/* a page for bytes that mean nothing */
	struct espgoal_stats stats;
	wait_queue_head_t over;		/* a flight is */
	struct tasklet_struct tasklet;
	struct delayed_work work;
	struct delayed_work liveness;	/* of peers; see espgoal_liveness.c */
};

extern struct workqueue_struct *eg_queue;
extern bool eg_softirq;			/* parameter of the module */
extern int enet_family;			/* of module enet */

/* ---- espgoal_job.c ------------------------------------------------------------------------- */

/* The caller owns the job, in process context. */
void eg_job_acquire(struct eg_job *job);
int eg_job_acquire_interruptible(struct eg_job *job);
void eg_job_release(struct eg_job *job);
/* Something may have changed: soon somebody looks. Any context. */
void eg_wake(struct eg_job *job);
void eg_wake_worker(struct eg_job *job);
/* Something will, in @delay jiffies at the latest: the worker looks. Any context. */
void eg_wake_worker_in(struct eg_job *job, unsigned long delay);
/* Something was done, with @bytes. */
void eg_budget_spend(struct eg_job *job, u64 bytes);
/* How long one waits for a peer, in jiffies. */
unsigned long eg_timeout(const struct eg_job *job);
/* Is there time for more? */
bool eg_may_continue(const struct eg_job *job);
/* How memory is asked for. */
static inline gfp_t eg_gfp(const struct eg_job *job)
{
	return job->in_softirq ? GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT : GFP_KERNEL_ACCOUNT;
}

bool eg_softirq_allowed(const struct eg_job *job);
/* Charge what a file uses, so that it cannot have all memory. False: it has too much. */
bool eg_charge(struct eg_job *job, u64 bytes);
/* The job has failed: every flight has. The first reason is the one that is told. */
void eg_job_fail(struct eg_job *job, int error);

/* May registers of floating point be used? Here and now. espgoal_fpu.c */
bool eg_fpu_usable(void);

/* ---- espgoal_socket.c -------------------------------------------------------------------- */

/*
 * A socket calls @tell with news, which finds @whom there: a job, or an conn. In softirq. eg_socket_release() gives that back, so no
 * call of ours is under way any more when it returns, and releases the socket.
 */
void eg_socket_attach(struct eg_job *job, struct socket *sock, void (*tell)(struct sock *sk), void *whom);
void eg_socket_release(struct eg_job *job, struct socket *sock);
/* A socket of our own. */
int eg_socket_create(struct eg_job *job, void (*tell)(struct sock *sk), struct socket **sock);
/* ---- espgoal_tx.c ------------------------------------------------------------------------ */

/* Send what can be. True: there may be more. */
bool eg_tx_progress(struct eg_job *job);
/* Queue @head and @bytes of @copy, of which a reference is taken, whose operation has ended or never was. Likewise. */
bool eg_tx_enqueue_detached(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head, u64 bytes,
		    struct eg_payload *payload);
/* Queue a message with its header and bytes. */
void eg_tx_enqueue(struct eg_job *job, u32 to, u32 network, struct eg_tx_msg *msg);
/* NULL: no memory. */
struct eg_payload *eg_payload_create(struct eg_job *job, u64 bytes);
void eg_payload_release(struct eg_job *job, struct eg_payload *payload);
/* When the next try to connect is due, in jiffies from now; MAX_SCHEDULE_TIMEOUT: none is. */
unsigned long eg_tx_next_retry(struct eg_job *job);
/* Forget what is queued, and close all connections. */
void eg_tx_close(struct eg_job *job);

/* ---- espgoal_rx.c -------------------------------------------------------------------------- */

/* A listening socket at our address of a network. */
int eg_rx_listen(struct eg_job *job, unsigned int network);
/* Take connections, in process context; receive what there is. True: there may be more. */
bool eg_rx_accept(struct eg_job *job);
bool eg_rx_progress(struct eg_job *job);
/* Close all connections, and those that listen. */
void eg_rx_close(struct eg_job *job);

/* ---- espgoal_liveness.c ------------------------------------------------------------------------- */

/* Have all its connections ended? GOAL_ANY is nobody's rank. */
static inline bool eg_peer_is_closed(const struct eg_job *job, u32 rank)
{
	return rank < job->nprocs && job->peers[rank].nclosed >= job->networks;
}

/* A connection from a peer has ended. */
void eg_peer_conn_closed(struct eg_job *job, u32 rank);
/* Something has come of it: it is not silent. */
void eg_peer_active(struct eg_job *job, u32 rank);
/* Look who has hung up, if somebody has. */
void eg_peers_check_shutdown(struct eg_job *job);
/* A flight is under way: see to it that who does not come is asked for. */
void eg_liveness_start(struct eg_job *job);
/* Work: see to those that are silent, or waited for. */
void eg_liveness_work(struct work_struct *w);
/* Before a job ends, by who does not own it: wait until nobody needs anything of us any more, but not if we are killed. */
void eg_linger(struct eg_job *job);

/* ---- espgoal_multicast.c: see there for contexts ---------------------------------------------- */

/* Hear @group, and send to it; addrlen 0: there is none. */
int eg_mcast_open(struct eg_job *job, const struct sockaddr_en *group);
void eg_mcast_close(struct eg_job *job);
/* May a multicast leave as one frame? Then it does, with @copy, of which a reference is taken. */
bool eg_mcast_is_possible(const struct eg_run *r, const struct goal_op *op);
void eg_mcast_send(struct eg_run *r, const struct goal_op *op, struct eg_payload *payload);
/* Receive what there is. True: there may be more. */
bool eg_mcast_receive(struct eg_job *job);
/* An EG_RETRANSMIT comes over a connection: 1 if it is new; 0: it was here; or what is wrong. Then, that it is dealt with. */
int eg_mcast_check_retransmit(struct eg_job *job, u32 from, u32 number);
void eg_mcast_accept(struct eg_job *job, u32 from, u32 number);
/* EG_STATUS_REQUEST, EG_STATUS, or what an EG_MESSAGE tells: 1, or what is wrong. */
int eg_mcast_on_control(struct eg_job *job, u32 from, const struct eg_wire *head);
/* What to tell @to with a message. */
u32 eg_mcast_ack(struct eg_job *job, u32 to);
/* A peer has left. */
void eg_mcast_peer_closed(struct eg_job *job, u32 rank);
/* Ask who is to be asked, if it is time; and when it is, in jiffies from now. */
void eg_mcast_request_status(struct eg_job *job);
unsigned long eg_mcast_next_request(const struct eg_job *job);
/* We leave: tell who has not been told what we have, and ask who has not told. */
void eg_mcast_settle(struct eg_job *job);

/* ---- espgoal_order.c ------------------------------------------------------------------------ */

/* Look at a schedule that is loaded. */
int eg_order_analyse(struct eg_schedule *s);
/* Has nothing else that its process sends the tag of this multicast? */
bool eg_order_tag_is_unique(const struct eg_schedule *s, const struct goal_op *op);
/* By which network a message goes. */
u32 eg_order_network(const struct eg_job *job, const struct eg_schedule *s, const struct goal_op *op);

/* ---- espgoal_match.c ---------------------------------------------------------------------- */

/* Does anything wait for a message of @rank, which sends no more? */
bool eg_match_waits_for(const struct eg_job *job, u32 rank);
/* Does anything wait for one that may be of @rank? */
bool eg_match_may_wait_for(const struct eg_job *job, u32 rank);
/* Can its flight still take a message? Else it is over. */
bool eg_match_may_arrive(const struct eg_job *job, const struct eg_msg_id *id);
/* Messages that wait for this flight of a schedule, or for any, will not be taken. */
void eg_match_drop(struct eg_job *job, const struct eg_schedule *s, const u32 *run);
/* Is a message as long as its receive? One without a place takes any. If not, the page tells. */
bool eg_match_length(const struct eg_run *r, const struct goal_op *op, u32 from, u64 bytes);
/* What a message that nobody waits for counts. */
static inline u64 eg_unexpected_cost(u64 bytes)
{
	return bytes + EG_UNEXPECTED_COST;
}
/* Nothing waits for a message, nor any for a receive, as the job has failed. */
void eg_match_clear(struct eg_job *job);
/* The receive that waits for @id, taken out of its list; or NULL. */
struct eg_posted *eg_match_posted(struct eg_job *job, const struct eg_msg_id *id);
/* A place for a message that nobody waits for: 1, and NULL if nobody will; 0: there is no room now; or what is wrong. */
int eg_unexpected_create(struct eg_job *job, const struct eg_msg_id *id, u64 bytes, struct eg_unexpected **u);
/* A message is complete that nobody waited for when it began: somebody may do so now. */
int eg_unexpected_complete(struct eg_job *job, struct eg_unexpected *u);
/* A receive begins: true if its message was here and has been copied. *error: 0, EMSGSIZE for one of another length, ECONNRESET: its sender is gone. */
bool eg_receive_start(struct eg_run *r, const struct goal_op *op, int *error);
/*
 * The memory of an operation from @at on, at most @left bytes, EG_PIECES pieces, EG_PIECES_BYTES bytes. Of bytes that mean nothing: @drain, a page.
 * Returns how many pieces.
 */
unsigned int eg_op_pieces(const struct goal_run *run, const struct goal_op *op, struct eg_cursor at,
		       u64 left, void *drain, struct kvec *pieces);
void eg_op_advance(const struct goal_op *op, struct eg_cursor *at, size_t len);

/* ---- espgoal_schedule.c ---------------------------------------------------------------------- */

int eg_schedule_load(struct eg_job *job, struct espgoal_load *load);
int eg_schedule_unload(struct eg_job *job, u32 id);
/* When no flight is left. */
void eg_schedule_unload_all(struct eg_job *job);
/* NULL: there is none of that number. */
struct eg_schedule *eg_schedule_find(struct eg_job *job, u32 id);

/* ---- espgoal_send.c -------------------------------------------------------------------------- */

/* Queue the message of an operation to its peer. */
void eg_send(struct eg_run *r, const struct goal_op *op);
/* Multicast it, or queue copies of it to all others. False: that is left to the worker. */
bool eg_send_multicast(struct eg_run *r, const struct goal_op *op);
/* Multicasts that had to wait for the worker. */
void eg_send_deferred(struct eg_job *job);

/* ---- espgoal_run.c --------------------------------------------------------------------------- */

int eg_run_start(struct eg_job *job, struct espgoal_start *start);
int eg_run_finish(struct eg_job *job, const struct espgoal_finish *finish);
/* Start what is ready, see what is over. True: there is more to do. */
bool eg_run_step_all(struct eg_job *job);
/* End all, whatever they do. */
void eg_run_end_all(struct eg_job *job);

/* ---- espgoal_progress.c ---------------------------------------------------------------------- */

void eg_progress_init(struct eg_job *job);
/* After eg_job_end(): neither tasklet nor worker runs any more. */
void eg_progress_stop(struct eg_job *job);
/* It is our turn: do what can be done, up to @units. True: there is more. */
bool eg_progress(struct eg_job *job, unsigned int units);
/* What is left of a job that has failed, or was not joined, but its flights. */
void eg_job_disconnect(struct eg_job *job);

/* ---- espgoal_join.c -------------------------------------------------------------------------- */

struct eg_job *eg_job_open(void);
/* The process that has opened the file ends, though others may have the file: nothing runs or is pinned any more. */
void eg_job_end(struct eg_job *job);
void eg_job_close(struct eg_job *job);
int eg_job_join(struct eg_job *job, const struct espgoal_join *join);

/* ---- espgoal_memory.c -------------------------------------------------------------------------- */

/* Pin @bytes at @at of the calling process, which has opened the file. */
int eg_pin(struct eg_job *job, u64 at, u64 bytes, bool written, struct eg_pinned *pinned);
void eg_unpin(struct eg_job *job, struct eg_pinned *pinned);

#endif
