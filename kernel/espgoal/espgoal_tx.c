// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_tx.c - connections to each peer that we send to, and what waits to be sent. */

#include "espgoal_job.h"

#include "../enet/esp_kernel.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <net/sock.h>
#include <net/tcp_states.h>

/* ---- Sockets that tell of news --------------------------------------------------------- */

/*
 * What was given to a connection does not arrive, and its operation may have ended, so nobody would ask for it. That its
 * peer has closed it is none of that: nothing more may be for it.
 */
static void note_loss(struct eg_job *job, const struct sock *sk)
{
	int err = READ_ONCE(sk->sk_err);

	if (err == ETIMEDOUT || err == ENODEV)
		WRITE_ONCE(job->lost, err);
}

static void note_end(struct eg_job *job, const struct sock *sk)
{
	if (!(sk->sk_shutdown & RCV_SHUTDOWN))
		return;
	WRITE_ONCE(job->hung_up, true);
	eg_wake_worker(job);
}

/* A connection of ours: it is there, or gone. Frames that come there bring nothing. */
static void tell_way(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job) {
		clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		note_loss(job, sk);
		note_end(job, sk);
		eg_wake(job);
	}
	read_unlock_bh(&sk->sk_callback_lock);
}

/* Every acknowledgement makes room: only who waits for it is told, when there is some worth a turn. */
static void tell_room(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job && sock_writeable(sk) && test_and_clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags))
		eg_wake(job);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void tell_of_room(struct sock *sk)
{
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_write_space = tell_room;
	write_unlock_bh(&sk->sk_callback_lock);
}

/* ---- Out ---------------------------------------------------------------------------------- */

void eg_put_copy(struct eg_job *job, struct eg_copy *copy)
{
	if (!copy || --copy->users)
		return;
	job->workspace -= copy->cost;
	kvfree(copy);
}

static void free_out(struct eg_job *job, struct eg_out *out)
{
	list_del(&out->list);
	if (out->flight)		/* its own item */
		return;
	eg_put_copy(job, out->copy);
	job->workspace -= sizeof(*out);
	WRITE_ONCE(job->nloose, job->nloose - 1);
	if (!job->nloose)
		wake_up(&job->over);
	kfree(out);
}

struct eg_copy *eg_new_copy(struct eg_job *job, u64 bytes)
{
	u64 cost = sizeof(struct eg_copy) + bytes;
	struct eg_copy *copy;

	if (!eg_charge(job, cost))
		return NULL;
	copy = kvmalloc(cost, GFP_KERNEL_ACCOUNT);
	if (!copy) {
		job->workspace -= cost;
		return NULL;
	}
	copy->cost = cost;
	copy->users = 1;
	return copy;
}

/* Whoever sends to a peer connects to it over all networks, so that it is gone when all of them are closed. */
static void make_busy(struct eg_job *job, struct eg_peer *peer, u32 network)
{
	for (u32 i = 0; i < job->networks; i++)
		if (list_empty(&peer->way[i].busy) && (i == network || !peer->way[i].hello_sent))
			list_add_tail(&peer->way[i].busy, &job->busy);
}

/* @out has head and bytes. */
void eg_enqueue(struct eg_job *job, u32 to, u32 network, struct eg_out *out)
{
	struct eg_peer *peer = &job->peers[to];

	list_add_tail(&out->list, &peer->way[network].queue);
	make_busy(job, peer, network);
}

bool eg_queue_loose(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head, u64 bytes,
		    struct eg_copy *copy)
{
	struct eg_out *out;

	if (!eg_charge(job, sizeof(*out)))
		return false;
	out = kmalloc(sizeof(*out), GFP_KERNEL_ACCOUNT);
	if (!out) {
		job->workspace -= sizeof(*out);
		return false;
	}
	*out = (struct eg_out){ .head = *head, .bytes = bytes, .copy = copy };
	WRITE_ONCE(job->nloose, job->nloose + 1);
	if (copy)
		copy->users++;
	eg_enqueue(job, to, network, out);
	return true;
}

static void hang_up(struct eg_job *job, struct eg_way *way)
{
	eg_release(job, way->sock);
	way->sock = NULL;
	way->ready = false;
	way->hello_sent = false;
	way->deaf = false;
}

static void forget_queue(struct eg_job *job, struct eg_way *way)
{
	struct eg_out *out, *next;

	list_for_each_entry_safe(out, next, &way->queue, list)
		free_out(job, out);
	list_del_init(&way->busy);
}

/*
 * A peer at which we have only knocked may have left in peace, if it was not in vain that we waited; and one that is gone
 * need not be told, or asked, about multicasts.
 */
static bool is_needed(const struct eg_job *job, const struct eg_way *way)
{
	bool gone = eg_is_gone(job, way->rank);
	const struct eg_out *out;

	list_for_each_entry(out, &way->queue, list)
		if (out->head.kind == cpu_to_le32(EG_MESSAGE) ||
		    (!gone && out->head.kind != cpu_to_le32(EG_KNOCK)))
			return true;
	return eg_waits_for(job, way->rank);
}

static void give_up(struct eg_job *job, struct eg_way *way, int err)
{
	way->give_up_at = 0;
	if (is_needed(job, way))
		eg_fail(job, -err);
	else
		forget_queue(job, way);
}

/* Nobody listens there yet: again in a while. */
static void try_later(struct eg_job *job, struct eg_way *way, int err)
{
	hang_up(job, way);
	if (err != -ECONNREFUSED || time_after(jiffies, way->give_up_at) ||
	    (eg_is_gone(job, way->rank) && !is_needed(job, way)))
		return give_up(job, way, err);
	way->retry_at = (jiffies + msecs_to_jiffies(EG_RETRY_MS)) | 1;
}

static void begin(struct eg_job *job, struct eg_way *way)
{
	struct sockaddr_en to = job->peers[way->rank].addr[way->network];
	int err;

	if (way->retry_at && time_before(jiffies, way->retry_at))
		return;
	if (!way->give_up_at)
		way->give_up_at = (jiffies + eg_patience(job)) | 1;
	way->retry_at = 0;
	err = eg_new_socket(job, tell_way, &way->sock);
	if (err) {
		way->sock = NULL;
		return eg_fail(job, -err);
	}
	to.sen_ifindex = job->peers[job->rank].addr[way->network].sen_ifindex;
	tell_of_room(way->sock->sk);
	err = kernel_connect(way->sock, (struct sockaddr *)&to, sizeof(to), O_NONBLOCK);
	if (err && err != -EINPROGRESS)
		try_later(job, way, err);
}

/* Is the connection there? If it is to be made, again, or ended, that is not for softirq. */
static bool look(struct eg_job *job, struct eg_way *way)
{
	struct sock *sk = way->sock->sk;

	if (way->ready)
		return true;
	if (READ_ONCE(sk->sk_state) == TCP_SYN_SENT)
		return false;
	if (READ_ONCE(sk->sk_state) == TCP_ESTABLISHED) {
		way->ready = true;
		way->give_up_at = 0;
		return true;
	}
	if (job->soft)
		job->for_worker = true;
	else
		try_later(job, way, sk->sk_err ? sock_error(sk) : -ECONNREFUSED);
	return false;
}

static bool is_there(struct eg_job *job, struct eg_way *way)
{
	if (!way->sock && job->soft) {
		job->for_worker |= !way->retry_at;	/* else it will come by itself */
		return false;
	}
	if (!way->sock)
		begin(job, way);
	return way->sock && look(job, way);
}

/* Some bytes; 0: none now; or what is wrong. */
static int send_some(struct eg_job *job, struct eg_way *way, struct kvec *pieces, unsigned int n, bool more)
{
	int sent = esp_kernel_send(way->sock, pieces, n, more, eg_gfp(job));

	if (sent == -EBUSY || (sent == -ENOBUFS && job->soft)) {
		job->for_worker = true;
		return 0;
	}
	eg_spend(job, max(sent, 0));
	if (sent == -ENOBUFS)
		return -ENOMEM;
	return sent == -EAGAIN ? 0 : sent;
}

/* The hello is as short as a frame: it goes whole or not at all. */
static int greet(struct eg_job *job, struct eg_way *way)
{
	struct eg_wire hello = {
		.kind = cpu_to_le32(EG_HELLO), .number = cpu_to_le32(job->rank),
		.schedule = cpu_to_le32(lower_32_bits(job->key)),
		.flight = cpu_to_le32(upper_32_bits(job->key)),
		.tag = cpu_to_le32(job->cast != NULL),
	};
	struct kvec piece = { &hello, sizeof(hello) };
	int n = send_some(job, way, &piece, 1, false);

	way->hello_sent = n == sizeof(hello);
	if (READ_ONCE(way->sock->sk->sk_shutdown) & RCV_SHUTDOWN) {
		WRITE_ONCE(job->hung_up, true);		/* before hello: nobody has looked at this one */
		job->for_worker = true;
	}
	return n > 0 && !way->hello_sent ? -EMSGSIZE : n;
}

/* Where the next bytes of its data are, of which @done have been sent. Those that mean nothing are zeros. */
static unsigned int data_of(const struct eg_out *out, u64 done, struct kvec *pieces)
{
	u64 left = out->bytes - done;

	if (out->flight)
		return eg_pieces(&out->flight->run, out->op, out->at, left, page_address(ZERO_PAGE(0)), pieces);
	pieces[0] = (struct kvec){ out->copy ? out->copy->data + done : page_address(ZERO_PAGE(0)),
				   min_t(u64, left, out->copy ? EG_AT_ONCE : PAGE_SIZE) };
	return left ? 1 : 0;
}

/* The next bytes of a message: its header and data leave together, in one frame if they fit. */
static int send_pieces(struct eg_job *job, struct eg_way *way, struct eg_out *out)
{
	struct kvec pieces[EG_PIECES + 1];
	u32 head = out->sent < EG_HEADER ? EG_HEADER - out->sent : 0;
	u64 done = out->sent + head - EG_HEADER, all = head;
	unsigned int n = !!head;
	int sent;

	pieces[0] = (struct kvec){ (char *)&out->head + EG_HEADER - head, head };
	n += data_of(out, done, pieces + n);
	for (unsigned int i = !!head; i < n; i++)
		all += pieces[i].iov_len;
	sent = send_some(job, way, pieces, n, out->sent + all < EG_HEADER + out->bytes);
	if (sent <= 0)
		return sent;
	out->sent += sent;
	if (out->flight && sent > head)
		eg_advance(out->op, &out->at, sent - head);
	return sent;
}

/* One message, as far as it goes: 1 when all of it has left. */
static int send_one(struct eg_job *job, struct eg_way *way, struct eg_out *out)
{
	int n = 1;

	while (n > 0 && out->sent < EG_HEADER + out->bytes) {
		if (!eg_may_go_on(job))
			return 0;
		n = send_pieces(job, way, out);
	}
	if (n <= 0)
		return n;
	job->stats.messages_sent++;
	if (out->flight)
		goal_run_done(&out->flight->run, out->op);
	free_out(job, out);
	return 1;
}

/*
 * Nothing more can be sent there. A peer may have left in peace before all connections to it were made, of which one over each
 * network is, though a message goes by one of them.
 */
static void break_off(struct eg_job *job, struct eg_way *way, int err)
{
	if (is_needed(job, way)) {
		eg_fail(job, -err);
	} else if (job->soft) {
		job->for_worker = true;		/* which finds the same */
	} else {
		hang_up(job, way);
		forget_queue(job, way);
	}
}

/* What is queued for one peer. Who waits for room is not tried before he has it. */
static bool flush(struct eg_job *job, struct eg_way *way)
{
	bool some = false;
	int n = 1;

	if (!is_there(job, way) || test_bit(SOCK_NOSPACE, &way->sock->flags))
		return false;
	if (!way->hello_sent)
		n = greet(job, way);
	while (n > 0 && !list_empty(&way->queue)) {
		n = send_one(job, way, list_first_entry(&way->queue, struct eg_out, list));
		some |= n > 0;
	}
	if (n < 0) {
		break_off(job, way, n);
		return false;
	}
	if (list_empty(&way->queue) && way->hello_sent)
		list_del_init(&way->busy);
	return some || !job->left;
}

bool eg_flush(struct eg_job *job)
{
	struct eg_way *way, *next;
	bool some = false;

	if (READ_ONCE(job->lost))
		eg_fail(job, job->lost);
	list_for_each_entry_safe(way, next, &job->busy, busy) {
		if (job->error)
			break;
		some |= flush(job, way);
	}
	return some;
}

unsigned long eg_next_try(struct eg_job *job)
{
	unsigned long soonest = MAX_SCHEDULE_TIMEOUT;
	const struct eg_way *way;

	list_for_each_entry(way, &job->busy, busy)
		if (way->retry_at && !way->sock)
			soonest = min(soonest, time_before(jiffies, way->retry_at) ?
						       way->retry_at - jiffies : 1);
	return soonest;
}

/* ---- The end ---------------------------------------------------------------------------------- */

void eg_tx_close(struct eg_job *job)
{
	struct eg_way *way, *next;

	list_for_each_entry_safe(way, next, &job->busy, busy)
		forget_queue(job, way);
	for (u32 network = 0; network < job->networks; network++)
		for (u32 rank = 0; rank < job->nprocs; rank++)
			hang_up(job, &job->peers[rank].way[network]);
}
