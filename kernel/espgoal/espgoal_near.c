// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_near.c - connections between jobs of the same host, without sockets and frames. */

/*
 * A peer whose address names the loopback interface is near: its job is in the same network
 * namespace, so in this module. A send connection to it is no socket but a struct eg_near, a queue
 * of bytes in memory: the sender copies a message into it, the receiver copies it to where it
 * belongs. Order, matching, the limit of unexpected messages and the liveness of peers are those of
 * other connections.
 *
 * A table has the jobs that have joined. A sender finds its receiver there by network namespace,
 * user, key, number of processes, rank and port; if the receiver is not there (yet), the connection
 * is refused, as by a host without a listener. So jobs are connected only if one user has opened
 * the device for both, and both have the key. No EG_HELLO is sent.
 *
 * Ends. Each end closes for itself. When the sender has, the receiver reads what is queued and then
 * finds the end, as of a socket. When the receiver has, the queue is freed and the sender is
 * notified; the first bytes that are sent afterwards are lost, as if they had been under way, and
 * the next fail with ECONNRESET. Both happen whenever a job fails or is closed, also by the death
 * of its process. The last end that closes frees the connection.
 *
 * Memory. The queue has at most EG_NEAR_MOST bytes, as a socket's buffer has a limit, in
 * allocations that are charged to the sender's memory cgroup. Beyond that the sender waits.
 *
 * Locks and memory ordering. near->lock protects the queue and both pointers to the ends. It is a
 * leaf but for what eg_wake() takes, so that each end may take it with its job acquired or with its
 * run_lock; never does a context have two jobs. Data are copied without it: those of a chunk are
 * written before the sender adds it under the lock, and read after the receiver has seen it under
 * the lock. The receiver alone removes chunks, so the first one stays while it reads.
 *
 *   A receiver that found the queue empty did so under the lock. A sender that adds the end of a
 *   message after that, or what makes the queue half full, notifies under the same lock, so the
 *   receiver reads again; while it does neither, it has room, and goes on or closes. The same holds
 *   for a sender that found the queue full: it set near->full under the lock, the receiver clears
 *   it under the lock, and wakes it. near->full and near->receiver_closed are read without the
 *   lock, too, by the sender. It may see an old value, but not for long: the write comes before
 *   the wake-up, and eg_wake() is a full barrier, be it by the tasklet's state or the work item's.
 *
 *   An end is woken under the lock, and clears its pointer under the lock before its job is freed:
 *   so no freed job is woken. The table's mutex does the same for a connection that is being made:
 *   a job is removed from the table before it closes its pending connections.
 *
 * Softirqs. Two jobs that answer each other at once run in turn by tasklets, each within its
 * budget; the kernel limits how long softirqs do that before it leaves them to ksoftirqd.
 */

#include "espgoal_job.h"

#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include <net/net_namespace.h>

/* An allocation of them, with its header, is two to the power of something. */
enum { EG_NEAR_CHUNK = 16384 };

/* Bytes of a queue. */
struct eg_chunk {
	struct list_head list;
	u32 bytes, got;			/* got: by the receiver alone */
	unsigned char data[];
};

/* A connection. */
struct eg_near {
	refcount_t users;		/* the ends that have not closed */
	struct llist_node pending;	/* in near_pending of its receiver, until that accepts it */
	u32 from, network;
	bool lost;			/* by the sender alone: bytes were lost */
	spinlock_t lock;		/* softirqs off; of the following: */
	struct list_head chunks;
	u32 queued;			/* their size in memory */
	bool full;			/* the sender waits for room */
	bool receiver_closed;
	struct eg_job *sender;		/* NULL: it has closed */
	struct eg_rx_conn *receiver;	/* NULL: it has not accepted yet, or has closed */
	void (*notify)(struct eg_rx_conn *receiver);
};

static bool eg_near_allowed = true;
module_param_named(near, eg_near_allowed, bool, 0644);
MODULE_PARM_DESC(near,
		 "processes reach others by lo without frames (Y), or as by other interfaces (N)");

static DEFINE_MUTEX(eg_near_lock);	/* after job->lock */
static DEFINE_HASHTABLE(eg_near_jobs, 8);

/* ---- The table ----- */

static u64 eg_near_hash(const struct eg_job *job, u32 rank)
{
	return job->key.key[0] + rank;
}

void eg_near_publish(struct eg_job *job)
{
	mutex_lock(&eg_near_lock);
	hash_add(eg_near_jobs, &job->near_link, eg_near_hash(job, job->rank));
	mutex_unlock(&eg_near_lock);
}

/* Is @to of the same job, the process of @conn? */
static bool eg_near_matches(const struct eg_job *job, const struct eg_tx_conn *conn,
			    const struct eg_job *to)
{
	const struct eg_peer *peer = &job->peers[conn->rank];

	return to->rank == conn->rank && net_eq(to->net, job->net) && uid_eq(to->user, job->user) &&
	       to->key.key[0] == job->key.key[0] && to->nprocs == job->nprocs &&
	       conn->network < to->networks && !to->mcast == !job->mcast &&
	       to->peers[to->rank].addr[conn->network].sen_port ==
		       peer->addr[conn->network].sen_port;
}

static struct eg_job *eg_near_find(const struct eg_job *job, const struct eg_tx_conn *conn)
{
	struct eg_job *to;

	hash_for_each_possible(eg_near_jobs, to, near_link, eg_near_hash(job, conn->rank))
		if (eg_near_matches(job, conn, to))
			return to;
	return NULL;
}

bool eg_near_is_chosen(const struct eg_job *job, const struct sockaddr_en *to)
{
	return READ_ONCE(eg_near_allowed) && to->sen_ifindex == job->net->loopback_dev->ifindex;
}

static struct eg_near *eg_near_create(struct eg_job *job, const struct eg_tx_conn *conn)
{
	struct eg_near *near = kzalloc(sizeof(*near), GFP_KERNEL_ACCOUNT);

	if (!near)
		return NULL;
	refcount_set(&near->users, 2);
	spin_lock_init(&near->lock);
	INIT_LIST_HEAD(&near->chunks);
	near->from = job->rank;
	near->network = conn->network;
	near->sender = job;
	return near;
}

int eg_near_connect(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct eg_near *near = eg_near_create(job, conn);
	struct eg_job *to;

	if (!near)
		return -ENOMEM;
	mutex_lock(&eg_near_lock);
	to = eg_near_find(job, conn);
	if (to) {
		llist_add(&near->pending, &to->near_pending);
		WRITE_ONCE(to->accept_pending, true);
		eg_wake_worker(to);
	}
	mutex_unlock(&eg_near_lock);
	if (!to) {
		kfree(near);
		return -ECONNREFUSED;
	}
	conn->near = near;
	return 0;
}

/* ---- Both ends ----- */

static void eg_near_put(struct eg_near *near)
{
	struct eg_chunk *chunk, *next;

	if (!refcount_dec_and_test(&near->users))
		return;
	list_for_each_entry_safe(chunk, next, &near->chunks, list)
		kfree(chunk);
	kfree(near);
}

/* ---- The sender ----- */

static struct eg_chunk *eg_near_fill(struct iov_iter *from, gfp_t gfp)
{
	size_t len = min_t(size_t, iov_iter_count(from), EG_NEAR_CHUNK - sizeof(struct eg_chunk));
	struct eg_chunk *chunk = kmalloc(sizeof(*chunk) + len, gfp);

	if (!chunk)
		return NULL;
	chunk->bytes = len;
	chunk->got = 0;
	if (copy_from_iter(chunk->data, len, from) == len)
		return chunk;
	kfree(chunk);
	return NULL;
}

static u32 eg_near_cost(const struct eg_chunk *chunk)
{
	return sizeof(*chunk) + chunk->bytes;
}

/*
 * Under the lock. @more: the message does not end with the chunk. Its receiver is woken when it
 * does, and when the queue becomes half full, as the sender cannot go on when it is full. It then
 * reads until the queue is empty.
 */
static void eg_near_add(struct eg_near *near, struct eg_chunk *chunk, bool more)
{
	bool was_less = near->queued < EG_NEAR_MOST / 2;

	list_add_tail(&chunk->list, &near->chunks);
	near->queued += eg_near_cost(chunk);
	if (near->receiver && (!more || (was_less && near->queued >= EG_NEAR_MOST / 2)))
		near->notify(near->receiver);
}

/* True: no more now. */
static bool eg_near_check_full(struct eg_near *near)
{
	bool full;

	spin_lock_bh(&near->lock);
	full = !near->receiver_closed && near->queued >= EG_NEAR_MOST;
	WRITE_ONCE(near->full, full);
	spin_unlock_bh(&near->lock);
	return full;
}

/* Bytes sent, or a negative errno. */
static int eg_near_send_chunk(struct eg_near *near, struct iov_iter *from, bool more, gfp_t gfp)
{
	struct eg_chunk *chunk;
	bool closed;
	int len;

	if (eg_near_check_full(near))
		return -EAGAIN;
	if (near->lost)
		return -ECONNRESET;
	chunk = eg_near_fill(from, gfp);
	if (!chunk)
		return -ENOBUFS;
	len = chunk->bytes;
	spin_lock_bh(&near->lock);
	closed = near->receiver_closed;
	if (!closed)
		eg_near_add(near, chunk, more || iov_iter_count(from));
	spin_unlock_bh(&near->lock);
	if (!closed)
		return len;
	kfree(chunk);
	near->lost = true;
	return len;
}

int eg_near_send(struct eg_near *near, const struct kvec *pieces, unsigned int npieces, bool more,
		 gfp_t gfp)
{
	struct iov_iter from;
	size_t bytes = 0;
	int sent = 0, n = 1;

	for (unsigned int i = 0; i < npieces; i++)
		bytes += pieces[i].iov_len;
	iov_iter_kvec(&from, ITER_SOURCE, pieces, npieces, bytes);
	while (n > 0 && iov_iter_count(&from)) {
		n = eg_near_send_chunk(near, &from, more, gfp);
		sent += max(n, 0);
	}
	return sent ? sent : n;
}

bool eg_near_waits_for_room(const struct eg_near *near)
{
	return READ_ONCE(near->full);
}

bool eg_near_is_shut(const struct eg_near *near)
{
	return READ_ONCE(near->receiver_closed);
}

void eg_near_close_sender(struct eg_near *near)
{
	spin_lock_bh(&near->lock);
	near->sender = NULL;
	if (near->receiver)
		near->notify(near->receiver);
	spin_unlock_bh(&near->lock);
	eg_near_put(near);
}

/* ---- The receiver ----- */

u32 eg_near_accept(struct eg_near *near, struct eg_rx_conn *conn,
		   void (*notify)(struct eg_rx_conn *conn))
{
	spin_lock_bh(&near->lock);
	near->receiver = conn;
	near->notify = notify;
	spin_unlock_bh(&near->lock);
	return near->from;
}

u32 eg_near_network(const struct eg_near *near)
{
	return near->network;
}

struct eg_near *eg_near_next_pending(struct eg_job *job)
{
	struct llist_node *first = llist_del_first(&job->near_pending);

	return first ? llist_entry(first, struct eg_near, pending) : NULL;
}

/* NULL: none is queued; *ended: none will be. */
static struct eg_chunk *eg_near_first(struct eg_near *near, bool *ended)
{
	struct eg_chunk *chunk;

	spin_lock_bh(&near->lock);
	chunk = list_first_entry_or_null(&near->chunks, struct eg_chunk, list);
	*ended = !chunk && !near->sender;
	spin_unlock_bh(&near->lock);
	return chunk;
}

static void eg_near_remove(struct eg_near *near, struct eg_chunk *chunk)
{
	spin_lock_bh(&near->lock);
	list_del(&chunk->list);
	near->queued -= eg_near_cost(chunk);
	if (near->full && near->queued <= EG_NEAR_MOST / 2) {
		WRITE_ONCE(near->full, false);
		if (near->sender)
			eg_wake(near->sender);
	}
	spin_unlock_bh(&near->lock);
	kfree(chunk);
}

int eg_near_receive(struct eg_near *near, const struct kvec *pieces, unsigned int npieces)
{
	struct eg_chunk *chunk;
	struct iov_iter to;
	size_t room = 0;
	int got = 0;
	bool ended;

	for (unsigned int i = 0; i < npieces; i++)
		room += pieces[i].iov_len;
	iov_iter_kvec(&to, ITER_DEST, pieces, npieces, room);
	while (got < room) {
		size_t len;

		chunk = eg_near_first(near, &ended);
		if (!chunk)
			return got || ended ? got : -EAGAIN;
		len = min_t(size_t, room - got, chunk->bytes - chunk->got);
		if (copy_to_iter(chunk->data + chunk->got, len, &to) != len)
			return -EFAULT;
		got += len;
		chunk->got += len;
		if (chunk->got == chunk->bytes)
			eg_near_remove(near, chunk);
	}
	return got;
}

void eg_near_close_receiver(struct eg_near *near)
{
	struct eg_chunk *chunk, *next;
	LIST_HEAD(chunks);

	spin_lock_bh(&near->lock);
	near->receiver = NULL;
	WRITE_ONCE(near->receiver_closed, true);
	WRITE_ONCE(near->full, false);
	list_splice_init(&near->chunks, &chunks);
	near->queued = 0;
	if (near->sender) {
		WRITE_ONCE(near->sender->shutdown_pending, true);
		eg_wake_worker(near->sender);
	}
	spin_unlock_bh(&near->lock);
	list_for_each_entry_safe(chunk, next, &chunks, list)
		kfree(chunk);
	eg_near_put(near);
}

/* After this no other job finds this one. */
void eg_near_close(struct eg_job *job)
{
	struct eg_near *near;

	mutex_lock(&eg_near_lock);
	if (hash_hashed(&job->near_link))
		hash_del(&job->near_link);
	mutex_unlock(&eg_near_lock);
	while ((near = eg_near_next_pending(job)))
		eg_near_close_receiver(near);
}
