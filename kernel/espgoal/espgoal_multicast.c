// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_multicast.c - multicasts as one frame to a group, and what makes up for frames that get lost. */

/*
 * A job that has joined with a group hears it by an EDP socket, and sends to it. Each process numbers its multicasts,
 * from 0: the colours of Iwasaki and others (section 2.3), of which a barrier needs two, generalised to as many as are
 * under way. A frame says whose it is and its number; what has come before, or is not of the job, is
 * dropped and counted. A lost one is sent again, over the connection to who misses it:
 *
 *	who sends	keeps its last KEPT multicasts until all have them; while it keeps KEPT, others go as copies to
 *			each, over connections. So no number is KEPT or more beyond the first that somebody misses.
 *	who receives	tells the sender what it has: with every message that goes there anyway, for nothing; after
 *			KEPT / 4 that it has not told of (EG_TELL); when it sees a gap, at once, and then asks for what is missing.
 *	the last one	leaves no gap when it is lost. So a sender that has multicast nothing for a few milliseconds asks
 *			those who have not told that they have all (EG_ASK): they tell, and ask for what they miss.
 *
 * Connections lose nothing, so nothing is asked for twice: what is missing before source.asked is under way as EG_REPAIR,
 * nor is who has not answered asked again. Once all have all nothing is sent. Who leaves first tells, and waits for
 * those who have not told: see espgoal_liveness.c.
 *
 * A multicast may overtake other messages or be overtaken: see espgoal_order.c.
 *
 * Context. All is called by who owns the job, in process context, but tell(), which is called in softirq and wakes the worker; and
 * eg_cast_colour() and what an EG_MESSAGE tells, also by the tasklet.
 */

#include "espgoal_job.h"

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/sock.h>

enum {
	KEPT = 64,			/* as many as a word has bits */
	TELL_AFTER = KEPT / 4,
	ASK_AFTER_MS = 4,		/* and one more for each ... */
	ASK_PEERS = 8,			/* ... so many peers, as answers cost the sender time */
	HEAR_AT_ONCE = 256,
	ROOM = 4 << 20,			/* bytes of frames that wait to be heard, as the kernel counts them */
};

/* In front of the bytes of a multicast, after the header of EDP. */
struct frame {
	__le64 key;			/*  0: of the job */
	__le32 from;			/*  8: rank */
	struct eg_wire head;		/* 12: EG_CAST; as the EG_REPAIR of it, but for the kind */
} __packed;				/* 40 */

/* EG_TELL, in the place of a head. */
struct tale {
	__le32 kind;			/*  0 */
	__le32 have;			/*  4: all before this one have come */
	__le64 beyond;			/*  8: bit i: have + i has come */
	__le32 first, end;		/* 16: those of them that have not are to be sent again; none if these are the same */
	__le32 zero;			/* 24 */
} __packed;				/* 28 */

static_assert(sizeof(struct frame) == 40, "as written above");
static_assert(sizeof(struct tale) == sizeof(struct eg_wire), "it is sent as one");

/* A peer: as one that multicasts to us, and as one that hears what we multicast. */
struct cast_peer {
	u32 have;			/* all before this one have come */
	u64 beyond;			/* bit i: have + i has come; not the first */
	u32 told;			/* what it knows of have */
	u32 asked;			/* it has been asked for all that was missing before this one */
	u32 acked;			/* it has all of ours before this one */
	bool asking;			/* we have asked, and it has not answered */
	bool gone;			/* it hears nothing any more */
};

/* One of ours that not all have. */
struct kept {
	struct eg_wire head;
	struct eg_copy *copy;
};

struct eg_cast {
	struct socket *sock;
	void (*usual)(struct sock *sk);	/* its sk_data_ready, for when nobody is attached */
	struct sockaddr_en group;
	u32 next;			/* number of our next one */
	u32 floor;			/* all have those before this one */
	u32 nlowest;			/* peers that have acknowledged just these */
	struct kept kept[KEPT];		/* from floor to next - 1, by number modulo KEPT */
	unsigned long ask_at;		/* jiffies; 0: not */
	struct cast_peer peers[];
};

/* ---- The socket ------------------------------------------------------------------------- */

static void tell(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job)
		eg_wake_worker(job);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void attach(struct eg_job *job, struct eg_cast *cast)
{
	struct sock *sk = cast->sock->sk;

	sk->sk_allocation = GFP_ATOMIC;
	sk->sk_rcvbuf = max(sk->sk_rcvbuf, (int)ROOM);
	write_lock_bh(&sk->sk_callback_lock);
	cast->usual = sk->sk_data_ready;
	sk->sk_user_data = job;
	sk->sk_data_ready = tell;
	write_unlock_bh(&sk->sk_callback_lock);
}

/* Several processes of a job may be on this host, and hear the same group at the same port. */
static int listen_to(struct eg_job *job, struct eg_cast *cast)
{
	struct sockaddr_en here = cast->group;
	int err = sock_create_kern(job->net, enet_family, SOCK_DGRAM, 0, &cast->sock);

	if (err)
		return err;
	here.sen_addrlen = 0;
	sock_set_reuseaddr(cast->sock->sk);
	attach(job, cast);
	err = kernel_bind(cast->sock, (struct sockaddr *)&here, sizeof(here));
	if (err)
		return err;
	return cast->sock->ops->setsockopt(cast->sock, SOL_ENET, EDP_SO_JOIN,
					   KERNEL_SOCKPTR(&cast->group), sizeof(cast->group));
}

static bool is_group(const struct sockaddr_en *sen)
{
	return sen->sen_family == enet_family && sen->sen_addrlen == ETH_ALEN && sen->sen_port &&
	       is_multicast_ether_addr(sen->sen_addr) && !is_broadcast_ether_addr(sen->sen_addr);
}

int eg_cast_open(struct eg_job *job, const struct sockaddr_en *group)
{
	struct eg_cast *cast;
	int err;

	if (!group->sen_addrlen)
		return 0;
	if (!is_group(group))
		return -EINVAL;
	cast = kvzalloc(struct_size(cast, peers, job->nprocs), GFP_KERNEL_ACCOUNT);
	if (!cast)
		return -ENOMEM;
	cast->group = *group;
	if (!cast->group.sen_ifindex)
		cast->group.sen_ifindex = job->peers[job->rank].addr[0].sen_ifindex;
	cast->nlowest = job->nprocs - 1;
	job->cast = cast;
	err = listen_to(job, cast);
	if (err)
		eg_cast_close(job);
	return err;
}

static void drop_kept(struct eg_job *job, struct kept *k)
{
	eg_put_copy(job, k->copy);
	k->copy = NULL;
}

/* After this no callback reaches the job: one that is under way holds the lock that is taken here. */
void eg_cast_close(struct eg_job *job)
{
	struct eg_cast *cast = job->cast;

	if (!cast)
		return;
	job->cast = NULL;
	WRITE_ONCE(job->owed, false);
	if (cast->sock) {
		write_lock_bh(&cast->sock->sk->sk_callback_lock);
		cast->sock->sk->sk_user_data = NULL;
		if (cast->usual)
			cast->sock->sk->sk_data_ready = cast->usual;
		write_unlock_bh(&cast->sock->sk->sk_callback_lock);
		sock_release(cast->sock);
	}
	for (int i = 0; i < KEPT; i++)
		drop_kept(job, &cast->kept[i]);
	kvfree(cast);
}

/* ---- What others have of ours --------------------------------------------------------------- */

/* So that eg_linger() sees it without the job. */
static void show(struct eg_job *job)
{
	bool owed = job->cast->floor != job->cast->next;

	if (owed == READ_ONCE(job->owed))
		return;
	WRITE_ONCE(job->owed, owed);
	if (!owed)
		wake_up(&job->over);
}

static void raise_floor(struct eg_job *job)
{
	struct eg_cast *cast = job->cast;
	u32 most = 0;

	cast->nlowest = 0;
	for (u32 q = 0; q < job->nprocs; q++) {
		u32 behind = cast->next - cast->peers[q].acked;

		if (q == job->rank || cast->peers[q].gone || behind < most)
			continue;
		cast->nlowest = behind == most ? cast->nlowest + 1 : 1;
		most = behind;
	}
	for (; cast->floor != cast->next - most; cast->floor++)
		drop_kept(job, &cast->kept[cast->floor % KEPT]);
	show(job);
}

static void ask_later(struct eg_job *job)
{
	unsigned long delay = msecs_to_jiffies(ASK_AFTER_MS + job->nprocs / ASK_PEERS) + 1;
	bool new = !job->cast->ask_at;

	job->cast->ask_at = (jiffies + delay) | 1;
	if (new)
		eg_wake_in(job, delay);
}

/* What is told may have been overtaken by what was told later over another connection. */
static int acknowledged(struct eg_job *job, u32 from, u32 have)
{
	struct eg_cast *cast = job->cast;
	struct cast_peer *p = &cast->peers[from];
	bool lowest = p->acked == cast->floor;

	if ((s32)(have - p->acked) <= 0)
		return 1;
	if (have - p->acked > cast->next - p->acked)
		return -EBADMSG;
	p->acked = have;
	if (lowest && !p->gone && !--cast->nlowest)
		raise_floor(job);
	return 1;
}

void eg_cast_gone(struct eg_job *job, u32 rank)
{
	if (!job->cast || job->cast->peers[rank].gone)
		return;
	job->cast->peers[rank].gone = true;
	raise_floor(job);
}

static void repair(struct eg_job *job, u32 to, u32 number)
{
	struct kept *k = &job->cast->kept[number % KEPT];

	k->head.kind = cpu_to_le32(EG_REPAIR);
	job->stats.multicasts_repaired++;
	if (!eg_queue_loose(job, to, 0, &k->head, le64_to_cpu(k->head.bytes), k->copy))
		eg_fail(job, ENOMEM);
}

static int hear_tale(struct eg_job *job, u32 from, const struct tale *tale)
{
	struct eg_cast *cast = job->cast;
	u32 have = le32_to_cpu(tale->have), first = le32_to_cpu(tale->first);
	u32 end = le32_to_cpu(tale->end);
	u64 beyond = le64_to_cpu(tale->beyond);

	if (acknowledged(job, from, have) < 0 || end - first > KEPT || first - have > KEPT)
		return -EBADMSG;
	cast->peers[from].asking = false;
	for (u32 n = first; n != end; n++)
		if (n - cast->floor < cast->next - cast->floor && n - have < KEPT &&
		    !(beyond >> (n - have) & 1))
			repair(job, from, n);
	if (cast->peers[from].acked != cast->next && !cast->ask_at)
		ask_later(job);
	return 1;
}

void eg_cast_tick(struct eg_job *job)
{
	struct eg_wire ask = { .kind = cpu_to_le32(EG_ASK) };
	struct eg_cast *cast = job->cast;

	if (!cast || !cast->ask_at || time_before(jiffies, cast->ask_at))
		return;
	cast->ask_at = 0;
	ask.number = cpu_to_le32(cast->next);
	for (u32 q = 0; q < job->nprocs; q++) {
		struct cast_peer *p = &cast->peers[q];

		if (q == job->rank || p->acked == cast->next || p->asking || p->gone)
			continue;
		p->asking = true;
		if (!eg_queue_loose(job, q, 0, &ask, 0, NULL))
			return eg_fail(job, ENOMEM);
	}
}

unsigned long eg_cast_next(const struct eg_job *job)
{
	if (!job->cast || !job->cast->ask_at)
		return MAX_SCHEDULE_TIMEOUT;
	return time_before(jiffies, job->cast->ask_at) ? job->cast->ask_at - jiffies : 0;
}

/* ---- Out ---------------------------------------------------------------------------------------- */

/* Bytes of the longest multicast that is one frame. */
static u32 room(const struct eg_job *job)
{
	const u32 heads = EDP_HEADER + sizeof(struct frame);
	struct net_device *dev;
	u32 mtu = 0;

	rcu_read_lock();
	dev = dev_get_by_index_rcu(job->net, job->cast->group.sen_ifindex);
	if (dev)
		mtu = min_t(u32, READ_ONCE(dev->mtu), U16_MAX);
	rcu_read_unlock();
	return mtu > heads ? mtu - heads : 0;
}

bool eg_cast_takes(const struct eg_flight *f, const struct goal_op *op)
{
	const struct eg_cast *cast = f->job->cast;

	return cast && cast->next - cast->floor < KEPT && eg_is_alone(f->schedule, op) &&
	       op->bytes <= room(f->job);
}

/* One that the interface does not take is lost, as others get lost. */
static void transmit(struct eg_job *job, const struct kept *k, u64 bytes)
{
	struct eg_cast *cast = job->cast;
	struct frame frame = { .key = cpu_to_le64(job->key), .from = cpu_to_le32(job->rank),
			       .head = k->head };
	struct kvec parts[] = { { &frame, sizeof(frame) }, { k->copy->data, bytes } };
	struct msghdr msg = { .msg_name = &cast->group, .msg_namelen = sizeof(cast->group),
			      .msg_flags = MSG_DONTWAIT };

	kernel_sendmsg(cast->sock, &msg, parts, 2, sizeof(frame) + bytes);
}

void eg_cast_send(struct eg_flight *f, const struct goal_op *op, struct eg_copy *copy)
{
	struct eg_job *job = f->job;
	struct eg_cast *cast = job->cast;
	struct kept *k = &cast->kept[cast->next % KEPT];

	k->head = (struct eg_wire){
		.kind = cpu_to_le32(EG_CAST), .number = cpu_to_le32(cast->next),
		.schedule = cpu_to_le32(f->schedule->number), .flight = cpu_to_le32(f->number),
		.tag = cpu_to_le32(op->tag), .bytes = cpu_to_le64(op->bytes),
	};
	k->copy = copy;
	copy->users++;
	transmit(job, k, op->bytes);
	cast->next++;
	job->stats.multicasts++;
	if (!cast->nlowest)
		raise_floor(job);	/* all others are gone */
	else
		ask_later(job);
	show(job);
}

/* ---- In ------------------------------------------------------------------------------------------ */

enum verdict { NEW, DOUBLE, WRONG };

static enum verdict judge(const struct cast_peer *p, u32 number)
{
	u32 ahead = number - p->have;

	if ((s32)ahead < 0)
		return DOUBLE;
	if (ahead >= KEPT)
		return WRONG;
	return p->beyond >> ahead & 1 ? DOUBLE : NEW;
}

static u32 later(u32 a, u32 b)
{
	return (s32)(a - b) > 0 ? a : b;
}

static void tell_tale(struct eg_job *job, u32 to, u32 first, u32 end)
{
	struct cast_peer *p = &job->cast->peers[to];
	struct tale tale = {
		.kind = cpu_to_le32(EG_TELL), .have = cpu_to_le32(p->have),
		.beyond = cpu_to_le64(p->beyond), .first = cpu_to_le32(first), .end = cpu_to_le32(end),
	};
	struct eg_wire head;

	memcpy(&head, &tale, sizeof(head));
	p->told = p->have;
	if (!eg_queue_loose(job, to, 0, &head, 0, NULL))
		eg_fail(job, ENOMEM);
}

/* Does anything miss between the two? */
static bool is_missing(const struct cast_peer *p, u32 first, u32 end)
{
	for (u32 n = first; n != end; n++)
		if (judge(p, n) == NEW)
			return true;
	return false;
}

/* All before @end have been sent: what has not come is asked for, if it has not been, or @always is told what has. */
static void ask_for_missing(struct eg_job *job, u32 from, u32 end, bool always)
{
	struct cast_peer *p = &job->cast->peers[from];
	u32 first = later(p->asked, p->have);

	if ((s32)(end - first) > 0 && is_missing(p, first, end)) {
		p->asked = end;
		tell_tale(job, from, first, end);
	} else if (always) {
		tell_tale(job, from, p->have, p->have);
	}
}

static void take(struct eg_job *job, u32 from, u32 number)
{
	struct cast_peer *p = &job->cast->peers[from];

	p->beyond |= 1ull << (number - p->have);
	for (; p->beyond & 1; p->beyond >>= 1)
		p->have++;
	ask_for_missing(job, from, number, p->have - p->told >= TELL_AFTER);
}

int eg_cast_repaired(struct eg_job *job, u32 from, u32 number)
{
	enum verdict v = job->cast ? judge(&job->cast->peers[from], number) : WRONG;

	job->stats.multicasts_doubled += v == DOUBLE;
	return v == NEW ? 1 : v == DOUBLE ? 0 : -EBADMSG;
}

void eg_cast_took(struct eg_job *job, u32 from, u32 number)
{
	take(job, from, number);
}

u32 eg_cast_colour(struct eg_job *job, u32 to)
{
	struct cast_peer *p;

	if (!job->cast)
		return 0;
	p = &job->cast->peers[to];
	p->told = p->have;
	return p->have;
}

int eg_cast_control(struct eg_job *job, u32 from, const struct eg_wire *head)
{
	struct tale tale;
	u32 number = le32_to_cpu(head->number);

	if (!job->cast)
		return le32_to_cpu(head->kind) == EG_MESSAGE ? 1 : -EBADMSG;
	if (le32_to_cpu(head->kind) == EG_MESSAGE)
		return acknowledged(job, from, number);
	if (le32_to_cpu(head->kind) == EG_TELL) {
		memcpy(&tale, head, sizeof(tale));
		return hear_tale(job, from, &tale);
	}
	if ((s32)(number - job->cast->peers[from].have) > KEPT)
		return -EBADMSG;
	ask_for_missing(job, from, number, true);
	return 1;
}

/* ---- Frames -------------------------------------------------------------------------------------- */

/* It is of our job, and of who it says it is, as far as one can see. */
static bool is_ours(const struct eg_job *job, const struct sk_buff *skb, struct frame *frame)
{
	const struct sockaddr_en *sender = (const struct sockaddr_en *)skb->cb;
	u32 from;

	if (skb->len < sizeof(*frame) || skb_copy_bits(skb, 0, frame, sizeof(*frame)))
		return false;
	from = le32_to_cpu(frame->from);
	return le64_to_cpu(frame->key) == job->key && le32_to_cpu(frame->head.kind) == EG_CAST &&
	       from < job->nprocs && le64_to_cpu(frame->head.bytes) == skb->len - sizeof(*frame) &&
	       ether_addr_equal(sender->sen_addr, job->peers[from].addr[0].sen_addr);
}

static void copy_bytes(const struct sk_buff *skb, const struct eg_posted *p)
{
	const struct goal_part *part = goal_parts(p->op);
	u64 done = sizeof(struct frame);

	for (u32 i = 0; i < p->op->nparts; done += part[i++].bytes)
		skb_copy_bits(skb, done, goal_run_at(&p->flight->run, &part[i]), part[i].bytes);
}

/* To its receive, or to those that wait for theirs. False: there is no room, and it is as though it had been lost. */
static bool place(struct eg_job *job, const struct sk_buff *skb, const struct eg_id *id, u64 bytes)
{
	struct eg_posted *p = eg_find_posted(job, id);
	struct eg_unexpected *u;

	if (!p) {
		if (eg_keep(job, id, bytes, &u) <= 0)
			return false;
		if (u)
			skb_copy_bits(skb, sizeof(struct frame), u->data, bytes);
		return !u || !eg_arrived(job, u);
	}
	if (eg_is_fit(p->flight, p->op, id->from, bytes)) {
		copy_bytes(skb, p);
		goal_run_done(&p->flight->run, p->op);
	} else {
		eg_fail(job, EMSGSIZE);
	}
	return true;
}

static void hear_frame(struct eg_job *job, const struct sk_buff *skb)
{
	enum verdict v = WRONG;
	struct frame frame;
	u32 from, number;

	if (is_ours(job, skb, &frame)) {
		from = le32_to_cpu(frame.from);
		number = le32_to_cpu(frame.head.number);
		if (from == job->rank)
			return;		/* on the loopback interface one hears oneself */
		v = judge(&job->cast->peers[from], number);
	}
	job->stats.multicasts_doubled += v == DOUBLE;
	job->stats.multicasts_refused += v == WRONG;
	if (v == NEW && place(job, skb, &(struct eg_id){ le32_to_cpu(frame.head.schedule),
			le32_to_cpu(frame.head.flight), from, le32_to_cpu(frame.head.tag) },
			skb->len - sizeof(frame))) {
		job->stats.messages_received++;
		take(job, from, number);
	}
}

bool eg_cast_hear(struct eg_job *job)
{
	struct sk_buff *skb;
	int err, left = HEAR_AT_ONCE;

	while (job->cast && !job->error && left--) {
		skb = skb_recv_datagram(job->cast->sock->sk, MSG_DONTWAIT, &err);
		if (!skb)
			return left < HEAR_AT_ONCE - 1;
		hear_frame(job, skb);
		skb_free_datagram(job->cast->sock->sk, skb);
	}
	return left < 0;
}

/* ---- Leaving --------------------------------------------------------------------------------------- */

void eg_cast_settle(struct eg_job *job)
{
	struct eg_cast *cast = job->cast;

	for (u32 q = 0; cast && q < job->nprocs; q++)
		if (q != job->rank && !cast->peers[q].gone && cast->peers[q].told != cast->peers[q].have)
			tell_tale(job, q, cast->peers[q].have, cast->peers[q].have);
	if (cast && cast->floor != cast->next)
		cast->ask_at = jiffies | 1;
}
