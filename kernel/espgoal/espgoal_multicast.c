// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_multicast.c - multicasts as one frame to a group, and retransmission of lost frames. */

/*
 * A job with a group receives from it by an EDP socket, and sends to it. Each process numbers its
 * multicasts, from EG_FIRST_NUMBER on: the colours of Iwasaki and others (section 2.3), of which a
 * barrier needs two, generalised to as many as are under way. A frame has the rank and number; a
 * duplicate, or a frame of no process of the job, is dropped and counted. A lost frame is
 * retransmitted over the connection to the peer that lacks it:
 *
 *	sender		keeps its last MCAST_WINDOW multicasts until all peers have them; while
 *			it keeps that many, others are sent as copies, over connections. So no
 *			number is MCAST_WINDOW or more beyond the first that a peer lacks.
 *	receiver	acknowledges: in each message that it sends to that process anyway; by
 *			EG_STATUS after MCAST_WINDOW / 4 new ones; at once when it sees a gap,
 *			and then it also requests the missing ones.
 *	last multicast	leaves no gap when it is lost. So a sender that has multicast nothing
 *			for a few milliseconds sends EG_STATUS_REQUEST to peers that have not
 *			acknowledged all: they answer with EG_STATUS, and request what they lack.
 *
 * Connections lose nothing, so nothing is requested twice: what is missing before peer.requested is
 * under way as EG_RETRANSMIT, and a peer that has not answered is not asked again. But its answer
 * may be behind a message for which the sender has no room before a run is over that waits for the
 * multicast. So when the answer is late the sender repeats, once, what the peer may lack. Once all
 * peers have all, nothing is sent. A process that closes its job sends its status and waits for
 * that of its peers: see eg_linger().
 *
 * Processes of the sender's host that the group's interface does not reach are sent EG_RETRANSMIT
 * at once.
 *
 * A multicast may overtake other messages or be overtaken: see espgoal_order.c.
 *
 * Context: the holder of the job, or the tasklet (job->in_softirq), which sends and receives
 * multicasts and acknowledgements. Left to the worker, which may sleep:
 *
 *	- repeating multicasts, and asking for status: both are milliseconds late anyway;
 *	- a frame of more than EG_SOFTIRQ_BYTES, and one for which there is no memory or room: it
 *	  goes back to the head of the socket's queue;
 *	- a multicast for which there is no memory, or that is sent as copies: see espgoal_send.c;
 *	- an EG_STATUS for which there is no memory: peer.owed_first and owed_end.
 *
 * The tasklet is bounded: each frame costs its bytes of job->budget, and a refused one
 * MCAST_REFUSED_BYTES, so that a flood of them is left to the worker after EG_SOFTIRQ_BUDGET / 17
 * frames; a multicast that is sent costs its bytes, at most EG_SOFTIRQ_BYTES, as a schedule with
 * more is heavy.
 *
 * Locks. All in struct eg_mcast is used by the context that has the job, one at a time; the next
 * sees what it wrote, as both take job->run_lock. The socket's lock is never taken after it has
 * been bound: it is this module's alone, sending to it needs the lock only to choose a port, and
 * frames are taken from sk_receive_queue under the lock of that queue, by which the handler of
 * frames adds them. The tasklet takes, under job->run_lock, that lock and those of the interface,
 * which transmits under them; holders of these wake a job at most (tasklet_schedule()), so no one
 * waits for job->run_lock meanwhile. Interfaces that return frames to this host do so by its
 * backlog, in a softirq of its own, as for ESP.
 *
 * Wake-ups. The handler adds a frame to the queue before it calls eg_mcast_data_ready(), which
 * schedules the tasklet. Scheduling it tests and sets a bit that the tasklet clears before it runs,
 * and both are full barriers: a tasklet that was scheduled already runs later and sees the frame.
 * If the job has a holder, the tasklet leaves job->missed_wakeup and runs again. So a context that
 * looks at the queue without its lock, and misses a frame, is followed by one that sees it.
 */

#include "espgoal_job.h"

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/sock.h>

enum {
	MCAST_WINDOW = 64,		/* bits of a word */
	MCAST_STATUS_AFTER = MCAST_WINDOW / 4,
	MCAST_REQUEST_MS = 4,		/* and one more for each ... */
	MCAST_REQUEST_PEERS = 8,	/* ... this many peers, as answers take the sender time */
	MCAST_ANSWER_MS = 100,		/* after which an answer is late */
	MCAST_RECEIVE_MOST = 256,
	MCAST_REFUSED_BYTES = 16 << 10, /* cost of a frame of no process of the job, as bytes */
	MCAST_RCVBUF = 4 << 20,		/* receive buffer, as the kernel counts it */
};

/* EG_STATUS, in the place of a struct eg_wire. */
struct eg_mcast_status {
	__le32 kind;			/*  0 */
	__le32 have;			/*  4: all before this one have arrived */
	__le64 mask;			/*  8: bit i: have + i has arrived */
	__le32 first, end; /* 16: the missing ones of these are to be retransmitted; equal: none */
	__le32 zero;			/* 24 */
} __packed;				/* 28 */

static_assert(sizeof(struct eg_mcast_status) == sizeof(struct eg_wire), "it is sent as one");

/* A peer, as sender and as receiver of multicasts. */
struct eg_mcast_peer {
	u32 have;			/* all before this one have arrived */
	u64 mask;			/* bit i: have + i has arrived; not the first */
	u32 reported;			/* @have as it was last sent to the peer */
	u32 requested; /* all that was missing before this one has been requested */
	u32 acked;			/* it has received all of this process before this one */
	u32 repeated;			/* all before this one were sent again without a request */
	unsigned long asked_at;		/* jiffies of EG_STATUS_REQUEST */
	bool status_owed;		/* EG_STATUS could not be sent in softirq, ... */
	u32 owed_first, owed_end;	/* ... and was to request the missing ones of these */
	bool status_pending;		/* EG_STATUS_REQUEST was sent, and not answered */
	bool closed;			/* it has disconnected */
};

/* A multicast that a peer lacks: kept for retransmission. */
struct eg_mcast_sent {
	struct eg_wire head;
	struct eg_payload *payload;
};

struct eg_mcast {
	struct socket *sock;
	void (*callback)(struct sock *sk);	/* its own sk_data_ready */
	struct sockaddr_en group;
	u32 next;			/* number of the next multicast */
	u32 una;			/* all peers have those before this one */
	u32 nlowest;			/* peers that have acknowledged @una and no more */
	bool status_owed;		/* to a peer */
	/* from una to next - 1, by number modulo MCAST_WINDOW */
	struct eg_mcast_sent sent[MCAST_WINDOW];
	unsigned long request_at;	/* jiffies; 0: not */
	struct eg_mcast_peer peers[];
};

/* ---- The socket ------------------------------------------------------------------------- */

static void eg_mcast_data_ready(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job)
		eg_wake(job);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void eg_mcast_attach(struct eg_job *job, struct eg_mcast *mcast)
{
	struct sock *sk = mcast->sock->sk;

	sk->sk_allocation = GFP_ATOMIC;
	sk->sk_rcvbuf = max(sk->sk_rcvbuf, (int)MCAST_RCVBUF);
	write_lock_bh(&sk->sk_callback_lock);
	mcast->callback = sk->sk_data_ready;
	sk->sk_user_data = job;
	sk->sk_data_ready = eg_mcast_data_ready;
	write_unlock_bh(&sk->sk_callback_lock);
}

/* Several processes of a job may be on this host, and receive from the same group and port. */
static int eg_mcast_bind(struct eg_job *job, struct eg_mcast *mcast)
{
	struct sockaddr_en here = mcast->group;
	int err = sock_create_kern(job->net, enet_family, SOCK_DGRAM, 0, &mcast->sock);

	if (err)
		return err;
	here.sen_addrlen = 0;
	sock_set_reuseaddr(mcast->sock->sk);
	eg_mcast_attach(job, mcast);
	err = kernel_bind(mcast->sock, (struct sockaddr_unsized *)&here, sizeof(here));
	if (err)
		return err;
	return mcast->sock->ops->setsockopt(mcast->sock, SOL_ENET, EDP_SO_JOIN,
					    KERNEL_SOCKPTR(&mcast->group), sizeof(mcast->group));
}

static bool eg_mcast_is_group(const struct sockaddr_en *sen)
{
	return sen->sen_family == enet_family && sen->sen_addrlen == ETH_ALEN && sen->sen_port &&
	       is_multicast_ether_addr(sen->sen_addr) && !is_broadcast_ether_addr(sen->sen_addr);
}

/* All have received all before the first one. */
static void eg_mcast_number(const struct eg_job *job, struct eg_mcast *mcast)
{
	mcast->next = mcast->una = EG_FIRST_NUMBER;
	mcast->nlowest = job->nprocs - 1;
	for (u32 q = 0; q < job->nprocs; q++) {
		struct eg_mcast_peer *p = &mcast->peers[q];

		p->have = p->reported = p->requested = EG_FIRST_NUMBER;
		p->acked = p->repeated = EG_FIRST_NUMBER;
	}
}

int eg_mcast_open(struct eg_job *job, const struct sockaddr_en *group)
{
	struct eg_mcast *mcast;
	int err;

	if (!group->sen_addrlen)
		return 0;
	if (!eg_mcast_is_group(group))
		return -EINVAL;
	mcast = kvzalloc(struct_size(mcast, peers, job->nprocs), GFP_KERNEL_ACCOUNT);
	if (!mcast)
		return -ENOMEM;
	mcast->group = *group;
	if (!mcast->group.sen_ifindex)
		mcast->group.sen_ifindex = job->peers[job->rank].addr[0].sen_ifindex;
	eg_mcast_number(job, mcast);
	job->mcast = mcast;
	err = eg_mcast_bind(job, mcast);
	if (err)
		eg_mcast_close(job);
	return err;
}

static void eg_mcast_free_sent(struct eg_job *job, struct eg_mcast_sent *k)
{
	eg_payload_release(job, k->payload);
	k->payload = NULL;
}

/* After this no callback reaches the job: callbacks hold the lock that is taken here. */
void eg_mcast_close(struct eg_job *job)
{
	struct eg_mcast *mcast = job->mcast;

	if (!mcast)
		return;
	job->mcast = NULL;
	WRITE_ONCE(job->mcast_unacked, false);
	if (mcast->sock) {
		write_lock_bh(&mcast->sock->sk->sk_callback_lock);
		mcast->sock->sk->sk_user_data = NULL;
		if (mcast->callback)
			mcast->sock->sk->sk_data_ready = mcast->callback;
		write_unlock_bh(&mcast->sock->sk->sk_callback_lock);
		sock_release(mcast->sock);
	}
	for (int i = 0; i < MCAST_WINDOW; i++)
		eg_mcast_free_sent(job, &mcast->sent[i]);
	kvfree(mcast);
}

/* ---- Acknowledgements ----- */

/* eg_linger() reads this without the job. */
static void eg_mcast_show_unacked(struct eg_job *job)
{
	bool mcast_unacked = job->mcast->una != job->mcast->next;

	if (mcast_unacked == READ_ONCE(job->mcast_unacked))
		return;
	WRITE_ONCE(job->mcast_unacked, mcast_unacked);
	if (!mcast_unacked)
		wake_up(&job->over);
}

static void eg_mcast_free_acked(struct eg_job *job)
{
	struct eg_mcast *mcast = job->mcast;
	u32 most = 0;

	eg_budget_spend(job, (u64)job->nprocs * EG_EDGE_BYTES);
	mcast->nlowest = 0;
	for (u32 q = 0; q < job->nprocs; q++) {
		u32 behind = mcast->next - mcast->peers[q].acked;

		if (q == job->rank || mcast->peers[q].closed || behind < most)
			continue;
		mcast->nlowest = behind == most ? mcast->nlowest + 1 : 1;
		most = behind;
	}
	for (; mcast->una != mcast->next - most; mcast->una++)
		eg_mcast_free_sent(job, &mcast->sent[mcast->una % MCAST_WINDOW]);
	eg_mcast_show_unacked(job);
}

static void eg_mcast_schedule_request(struct eg_job *job)
{
	unsigned int ms = MCAST_REQUEST_MS + job->nprocs / MCAST_REQUEST_PEERS;
	unsigned long delay = msecs_to_jiffies(ms) + 1;
	bool new = !job->mcast->request_at;

	job->mcast->request_at = (jiffies + delay) | 1;
	if (new)
		eg_wake_worker_in(job, delay);
}

/* An acknowledgement may be overtaken by a later one over another connection. */
static int eg_mcast_on_ack(struct eg_job *job, u32 from, u32 have)
{
	struct eg_mcast *mcast = job->mcast;
	struct eg_mcast_peer *p = &mcast->peers[from];
	bool lowest = p->acked == mcast->una;

	if ((s32)(have - p->acked) <= 0)
		return 1;
	if (have - p->acked > mcast->next - p->acked)
		return -EBADMSG;
	p->acked = have;
	if ((s32)(p->repeated - have) < 0)
		p->repeated = have;
	if (lowest && !p->closed && !--mcast->nlowest)
		eg_mcast_free_acked(job);
	return 1;
}

void eg_mcast_peer_closed(struct eg_job *job, u32 rank)
{
	if (!job->mcast || job->mcast->peers[rank].closed)
		return;
	job->mcast->peers[rank].closed = true;
	eg_mcast_free_acked(job);
}

static void eg_mcast_retransmit(struct eg_job *job, u32 to, u32 number)
{
	struct eg_mcast_sent *k = &job->mcast->sent[number % MCAST_WINDOW];

	eg_budget_spend(job, 0);
	k->head.kind = cpu_to_le32(EG_RETRANSMIT);
	job->stats.multicasts_repaired++;
	if (!eg_tx_enqueue_detached(job, to, 0, &k->head, le64_to_cpu(k->head.bytes), k->payload))
		eg_job_fail(job, ENOMEM);
}

static int eg_mcast_on_status(struct eg_job *job, u32 from, const struct eg_mcast_status *status)
{
	struct eg_mcast *mcast = job->mcast;
	u32 have = le32_to_cpu(status->have), first = le32_to_cpu(status->first);
	u32 end = le32_to_cpu(status->end);
	u64 mask = le64_to_cpu(status->mask);

	if (eg_mcast_on_ack(job, from, have) < 0 || end - first > MCAST_WINDOW ||
	    first - have > MCAST_WINDOW)
		return -EBADMSG;
	mcast->peers[from].status_pending = false;
	for (u32 n = first; n != end; n++)
		if (n - mcast->una < mcast->next - mcast->una && n - have < MCAST_WINDOW &&
		    !(mask >> (n - have) & 1))
			eg_mcast_retransmit(job, from, n);
	if (mcast->peers[from].acked != mcast->next && !mcast->request_at)
		eg_mcast_schedule_request(job);
	return 1;
}

/* Ask a peer that lacks some. If its answer is late, repeat them. */
static void eg_mcast_settle_peer(struct eg_job *job, u32 q)
{
	struct eg_wire ask = { .kind = cpu_to_le32(EG_STATUS_REQUEST),
			       .number = cpu_to_le32(job->mcast->next) };
	struct eg_mcast_peer *p = &job->mcast->peers[q];

	if (p->status_pending) {
		if (time_before(jiffies, p->asked_at + msecs_to_jiffies(MCAST_ANSWER_MS)))
			return;
		for (; p->repeated != job->mcast->next; p->repeated++)
			eg_mcast_retransmit(job, q, p->repeated);
		return;
	}
	p->status_pending = true;
	p->asked_at = jiffies;
	if (!eg_tx_enqueue_detached(job, q, 0, &ask, 0, NULL))
		eg_job_fail(job, ENOMEM);
}

void eg_mcast_request_status(struct eg_job *job)
{
	struct eg_mcast *mcast = job->mcast;
	bool again = false;

	if (!mcast || !mcast->request_at || time_before(jiffies, mcast->request_at))
		return;
	mcast->request_at = 0;
	for (u32 q = 0; q < job->nprocs && !job->error; q++) {
		struct eg_mcast_peer *p = &mcast->peers[q];

		if (q == job->rank || p->acked == mcast->next || p->closed)
			continue;
		eg_mcast_settle_peer(job, q);
		again |= p->repeated != mcast->next;
	}
	if (again)
		mcast->request_at = (jiffies + msecs_to_jiffies(MCAST_ANSWER_MS)) | 1;
}

unsigned long eg_mcast_next_request(const struct eg_job *job)
{
	if (!job->mcast || !job->mcast->request_at)
		return MAX_SCHEDULE_TIMEOUT;
	return time_before(jiffies, job->mcast->request_at) ? job->mcast->request_at - jiffies : 0;
}

/* ---- Sending ----- */

/* Bytes of the longest multicast that fits a frame. */
static u32 eg_mcast_max_bytes(const struct eg_job *job)
{
	const u32 heads = EDP_HEADER + sizeof(struct eg_mcast_frame);
	struct net_device *dev;
	u32 mtu = 0;

	rcu_read_lock();
	dev = dev_get_by_index_rcu(job->net, job->mcast->group.sen_ifindex);
	if (dev)
		mtu = min_t(u32, READ_ONCE(dev->mtu), U16_MAX);
	rcu_read_unlock();
	return mtu > heads ? mtu - heads : 0;
}

bool eg_mcast_is_possible(const struct eg_run *r, const struct goal_op *op)
{
	const struct eg_mcast *mcast = r->job->mcast;

	return mcast && mcast->next - mcast->una < MCAST_WINDOW &&
	       eg_order_tag_is_unique(r->schedule, op) &&
	       op->bytes <= eg_mcast_max_bytes(r->job);
}

/*
 * A frame that the interface refuses is lost, like others. Not by kernel_sendmsg(), which asks
 * security modules about current: in softirq that is any process.
 */
static void eg_mcast_transmit(struct eg_job *job, const struct eg_mcast_sent *k, u64 bytes)
{
	struct eg_mcast *mcast = job->mcast;
	struct eg_mcast_frame frame = { .from = cpu_to_le32(job->rank), .head = k->head };
	struct kvec parts[] = { { &frame, sizeof(frame) }, { k->payload->data, bytes } };
	struct msghdr msg = { .msg_name = &mcast->group, .msg_namelen = sizeof(mcast->group),
			      .msg_flags = MSG_DONTWAIT };

	frame.proof = cpu_to_le64(eg_auth_frame(job, &frame, k->payload->data, bytes));
	iov_iter_kvec(&msg.msg_iter, ITER_SOURCE, parts, 2, sizeof(frame) + bytes);
	mcast->sock->ops->sendmsg(mcast->sock, &msg, sizeof(frame) + bytes);
}

/*
 * The group's interface does not bring frames to processes of this host, if they are reached by
 * another one: a copy to each, over connections. Without memory it is lost, as a frame may be.
 */
static void eg_mcast_send_near(struct eg_job *job, const struct eg_mcast_sent *k, u64 bytes)
{
	const struct eg_mcast *mcast = job->mcast;
	struct eg_wire head = k->head;

	head.kind = cpu_to_le32(EG_RETRANSMIT);
	for (u32 q = 0; q < job->nprocs; q++) {
		int ifindex = job->peers[q].addr[0].sen_ifindex;

		if (q == job->rank || !ifindex || ifindex == mcast->group.sen_ifindex ||
		    mcast->peers[q].closed)
			continue;
		eg_budget_spend(job, bytes);
		eg_tx_enqueue_detached(job, q, 0, &head, bytes, k->payload);
	}
}

void eg_mcast_send(struct eg_run *r, const struct goal_op *op, struct eg_payload *payload)
{
	struct eg_job *job = r->job;
	struct eg_mcast *mcast = job->mcast;
	struct eg_mcast_sent *k = &mcast->sent[mcast->next % MCAST_WINDOW];

	k->head = (struct eg_wire){
		.kind = cpu_to_le32(EG_MCAST), .number = cpu_to_le32(mcast->next),
		.schedule = cpu_to_le32(r->schedule->number), .run = cpu_to_le32(r->number),
		.tag = cpu_to_le32(op->tag), .bytes = cpu_to_le64(op->bytes),
	};
	k->payload = payload;
	payload->users++;
	eg_mcast_transmit(job, k, op->bytes);
	eg_mcast_send_near(job, k, op->bytes);
	mcast->next++;
	job->stats.multicasts++;
	if (!mcast->nlowest)
		eg_mcast_free_acked(job);	/* all peers have disconnected */
	else
		eg_mcast_schedule_request(job);
	eg_mcast_show_unacked(job);
}

/* ---- Receiving ----- */

enum eg_mcast_class { MCAST_NEW, MCAST_DUPLICATE, MCAST_INVALID };

static enum eg_mcast_class eg_mcast_classify(const struct eg_mcast_peer *p, u32 number)
{
	u32 ahead = number - p->have;

	if ((s32)ahead < 0)
		return MCAST_DUPLICATE;
	if (ahead >= MCAST_WINDOW)
		return MCAST_INVALID;
	return p->mask >> ahead & 1 ? MCAST_DUPLICATE : MCAST_NEW;
}

/* No memory in softirq: the worker will send it. Frames to be requested follow those that were. */
static void eg_mcast_owe_status(struct eg_job *job, u32 to, u32 first, u32 end)
{
	struct eg_mcast_peer *p = &job->mcast->peers[to];

	if (!p->status_owed || p->owed_first == p->owed_end)
		p->owed_first = first;
	p->owed_end = end;
	p->status_owed = true;
	job->mcast->status_owed = true;
	job->need_worker = true;
}

static void eg_mcast_send_status(struct eg_job *job, u32 to, u32 first, u32 end)
{
	struct eg_mcast_peer *p = &job->mcast->peers[to];
	struct eg_mcast_status status = {
		.kind = cpu_to_le32(EG_STATUS), .have = cpu_to_le32(p->have),
		.mask = cpu_to_le64(p->mask), .first = cpu_to_le32(first), .end = cpu_to_le32(end),
	};
	struct eg_wire head;

	memcpy(&head, &status, sizeof(head));
	if (eg_tx_enqueue_detached(job, to, 0, &head, 0, NULL))
		p->reported = p->have;
	else if (job->in_softirq)
		eg_mcast_owe_status(job, to, first, end);
	else
		eg_job_fail(job, ENOMEM);
}

/* Reports that softirqs could not send. Frames that have arrived meanwhile are not requested. */
static void eg_mcast_send_owed(struct eg_job *job)
{
	struct eg_mcast *mcast = job->mcast;

	if (!mcast->status_owed || job->in_softirq)
		return;
	mcast->status_owed = false;
	for (u32 q = 0; q < job->nprocs; q++) {
		struct eg_mcast_peer *p = &mcast->peers[q];
		u32 first = p->owed_first, end = p->owed_end;

		if (!p->status_owed)
			continue;
		p->status_owed = false;
		first = (s32)(first - p->have) > 0 ? first : p->have;
		end = (s32)(end - first) > 0 ? end : first;
		eg_mcast_send_status(job, q, first, end);
	}
}

/* Is a multicast between the two missing? */
static bool eg_mcast_is_missing(const struct eg_mcast_peer *p, u32 first, u32 end)
{
	for (u32 n = first; n != end; n++)
		if (eg_mcast_classify(p, n) == MCAST_NEW)
			return true;
	return false;
}

/*
 * All before @end have been sent: request the missing ones, unless requested; else send the status
 * if @always.
 */
static void eg_mcast_request_missing(struct eg_job *job, u32 from, u32 end, bool always)
{
	struct eg_mcast_peer *p = &job->mcast->peers[from];
	u32 first = p->requested;

	if ((s32)(end - first) > 0 && eg_mcast_is_missing(p, first, end)) {
		p->requested = end;
		eg_mcast_send_status(job, from, first, end);
	} else if (always) {
		eg_mcast_send_status(job, from, p->have, p->have);
	}
}

void eg_mcast_accept(struct eg_job *job, u32 from, u32 number)
{
	struct eg_mcast_peer *p = &job->mcast->peers[from];

	p->mask |= 1ull << (number - p->have);
	for (; p->mask & 1; p->mask >>= 1)
		p->have++;
	if ((s32)(p->requested - p->have) < 0)
		p->requested = p->have;
	eg_mcast_request_missing(job, from, number, p->have - p->reported >= MCAST_STATUS_AFTER);
}

int eg_mcast_check_retransmit(struct eg_job *job, u32 from, u32 number)
{
	enum eg_mcast_class v = MCAST_INVALID;

	if (job->mcast)
		v = eg_mcast_classify(&job->mcast->peers[from], number);
	job->stats.multicasts_doubled += v == MCAST_DUPLICATE;
	return v == MCAST_NEW ? 1 : v == MCAST_DUPLICATE ? 0 : -EBADMSG;
}

u32 eg_mcast_ack(struct eg_job *job, u32 to)
{
	struct eg_mcast_peer *p;

	if (!job->mcast)
		return 0;
	p = &job->mcast->peers[to];
	p->reported = p->have;
	return p->have;
}

bool eg_mcast_needs_worker(const struct eg_wire *head)
{
	struct eg_mcast_status status;

	memcpy(&status, head, sizeof(status));
	return le32_to_cpu(head->kind) == EG_STATUS && status.first != status.end;
}

int eg_mcast_on_control(struct eg_job *job, u32 from, const struct eg_wire *head)
{
	struct eg_mcast_status status;
	u32 number = le32_to_cpu(head->number);

	if (!job->mcast)
		return le32_to_cpu(head->kind) == EG_MESSAGE ? 1 : -EBADMSG;
	if (le32_to_cpu(head->kind) == EG_MESSAGE)
		return eg_mcast_on_ack(job, from, number);
	if (le32_to_cpu(head->kind) == EG_STATUS) {
		memcpy(&status, head, sizeof(status));
		return eg_mcast_on_status(job, from, &status);
	}
	if ((s32)(number - job->mcast->peers[from].have) > MCAST_WINDOW)
		return -EBADMSG;
	eg_mcast_request_missing(job, from, number, true);
	return 1;
}

/* ---- Frames ----- */

/*
 * Is it a frame of this job, and, as far as can be seen, of the rank that it names? Copies the
 * frame's head; the whole of the frame is then at skb->data.
 */
static bool eg_mcast_frame_is_valid(const struct eg_job *job, struct sk_buff *skb,
				    struct eg_mcast_frame *frame)
{
	const struct sockaddr_en *sender = (const struct sockaddr_en *)skb->cb;
	u32 from;

	if (skb->len < sizeof(*frame) || skb_linearize(skb))
		return false;
	memcpy(frame, skb->data, sizeof(*frame));
	from = le32_to_cpu(frame->from);
	return le32_to_cpu(frame->head.kind) == EG_MCAST && from < job->nprocs &&
	       le64_to_cpu(frame->head.bytes) == skb->len - sizeof(*frame) &&
	       ether_addr_equal(sender->sen_addr, job->peers[from].addr[0].sen_addr) &&
	       sender->sen_port == job->mcast->group.sen_port &&
	       le64_to_cpu(frame->proof) == eg_auth_frame(job, frame, skb->data + sizeof(*frame),
							  skb->len - sizeof(*frame));
}

/*
 * To its receive, or to the unexpected messages. False: there is no room, and the frame counts as
 * lost.
 */
static bool eg_mcast_deliver(struct eg_job *job, const struct sk_buff *skb,
			     const struct eg_msg_id *id, u64 bytes)
{
	struct eg_posted *p = eg_match_posted(job, id);
	u64 done = sizeof(struct eg_mcast_frame);
	const struct goal_part *part;
	struct eg_unexpected *u;

	if (!p) {
		if (eg_unexpected_create(job, id, bytes, &u) <= 0)
			return false;
		if (u)
			skb_copy_bits(skb, sizeof(struct eg_mcast_frame), u->data, bytes);
		return !u || !eg_unexpected_complete(job, u);
	}
	if (!eg_match_length(p->run, p->op, id->from, bytes)) {
		eg_job_fail(job, EMSGSIZE);
		return true;
	}
	part = goal_parts(p->op);
	for (u32 i = 0; i < p->op->nparts; done += part[i++].bytes)
		skb_copy_bits(skb, done, goal_run_at(&p->run->goal, &part[i]), part[i].bytes);
	goal_run_done(&p->run->goal, p->op);
	return true;
}

/*
 * Any host can send frames that are refused: they cost more, so that a flood of them leaves the job
 * to its calls soon. False: it was not delivered.
 */
static bool eg_mcast_on_frame(struct eg_job *job, struct sk_buff *skb)
{
	enum eg_mcast_class v = MCAST_INVALID;
	struct eg_mcast_frame frame;
	u32 from, number;

	if (eg_mcast_frame_is_valid(job, skb, &frame)) {
		from = le32_to_cpu(frame.from);
		number = le32_to_cpu(frame.head.number);
		if (from == job->rank)
			return true;	/* the loopback interface returns its own frames */
		v = eg_mcast_classify(&job->mcast->peers[from], number);
	}
	if (v == MCAST_INVALID)
		eg_budget_spend(job, MCAST_REFUSED_BYTES);
	job->stats.multicasts_doubled += v == MCAST_DUPLICATE;
	job->stats.multicasts_refused += v == MCAST_INVALID;
	if (v != MCAST_NEW)
		return true;
	if (!eg_mcast_deliver(job, skb, &(struct eg_msg_id){ le32_to_cpu(frame.head.schedule),
			le32_to_cpu(frame.head.run), from, le32_to_cpu(frame.head.tag) },
			      skb->len - sizeof(frame)))
		return false;
	job->stats.messages_received++;
	eg_mcast_accept(job, from, number);
	return true;
}

/*
 * False: there is none, or the worker must do it, as this is a softirq. A frame without room is
 * lost otherwise. skb_recv_datagram() might poll the device.
 */
static bool eg_mcast_receive_one(struct eg_job *job)
{
	struct sk_buff_head *queue = &job->mcast->sock->sk->sk_receive_queue;
	struct sk_buff *skb = skb_queue_empty_lockless(queue) ? NULL : skb_dequeue(queue);

	if (!skb)
		return false;
	eg_budget_spend(job, skb->len);
	if (!job->in_softirq) {
		eg_mcast_on_frame(job, skb);
		cond_resched();
	} else if (skb->len > EG_SOFTIRQ_BYTES || !eg_mcast_on_frame(job, skb)) {
		skb_queue_head(queue, skb);
		job->need_worker = true;
		return false;
	}
	consume_skb(skb);
	return true;
}

bool eg_mcast_receive(struct eg_job *job)
{
	int n = 0;

	if (job->mcast)
		eg_mcast_send_owed(job);
	while (job->mcast && n < MCAST_RECEIVE_MOST) {
		if (!eg_may_continue(job))
			return true;
		if (!eg_mcast_receive_one(job))
			break;
		n++;
	}
	return n > 0;
}

/* Bounded by the receive buffer, though others arrive meanwhile. */
void eg_mcast_receive_all(struct eg_job *job)
{
	u32 left = job->mcast ? skb_queue_len(&job->mcast->sock->sk->sk_receive_queue) : 0;

	while (left-- && !job->error && eg_mcast_receive_one(job))
		;
}

/* ---- Closing ----- */

void eg_mcast_settle(struct eg_job *job)
{
	struct eg_mcast *mcast = job->mcast;

	for (u32 q = 0; mcast && q < job->nprocs; q++)
		if (q != job->rank && !mcast->peers[q].closed &&
		    mcast->peers[q].reported != mcast->peers[q].have)
			eg_mcast_send_status(job, q, mcast->peers[q].have, mcast->peers[q].have);
	if (mcast && mcast->una != mcast->next)
		mcast->request_at = jiffies | 1;
}
