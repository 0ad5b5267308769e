// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_tx.c - send connections, and the messages queued for them. */

#include "espgoal_job.h"

#include "../enet/esp_kernel.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <net/sock.h>
#include <net/tcp_states.h>

/* ---- Callbacks ----- */

/*
 * A send connection is established, or has ended. A peer sends no data on it.
 *
 * If data that were sent are lost, their operation may have ended, so note the error here. If none
 * were sent, it depends on what is queued and awaited: see eg_tx_check_connected() for a connection
 * that is being made, else eg_peers_check_shutdown(). A connection that the peer has closed is no
 * error: the peer may need nothing more.
 */
static void eg_tx_state_change(struct sock *sk)
{
	struct eg_tx_conn *conn;
	int err;

	read_lock_bh(&sk->sk_callback_lock);
	conn = sk->sk_user_data;
	if (!conn)
		goto unlock;
	clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	err = READ_ONCE(sk->sk_err);
	if (err == ETIMEDOUT || err == ENODEV) {
		if (READ_ONCE(conn->has_data))
			WRITE_ONCE(conn->job->send_error, err);
		else if (READ_ONCE(conn->ready))
			WRITE_ONCE(conn->error, err);
	}
	if ((sk->sk_shutdown & RCV_SHUTDOWN) || READ_ONCE(conn->error)) {
		WRITE_ONCE(conn->job->shutdown_pending, true);
		eg_wake_worker(conn->job);
	}
	eg_wake(conn->job);

unlock:
	read_unlock_bh(&sk->sk_callback_lock);
}

/*
 * Each acknowledgement makes room: wake only if the connection waits for it, and if there is enough
 * to be worth it.
 */
static void eg_tx_write_space(struct sock *sk)
{
	struct eg_tx_conn *conn;

	read_lock_bh(&sk->sk_callback_lock);
	conn = sk->sk_user_data;
	if (conn && sock_writeable(sk) && test_and_clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags))
		eg_wake(conn->job);
	read_unlock_bh(&sk->sk_callback_lock);
}

/* ---- Queues ----- */

void eg_payload_release(struct eg_job *job, struct eg_payload *payload)
{
	if (!payload || --payload->users)
		return;
	job->workspace -= payload->cost;
	kvfree(payload);
}

static void eg_tx_msg_free(struct eg_job *job, struct eg_tx_msg *msg)
{
	list_del(&msg->list);
	if (msg->run)		/* embedded in the state of its operation */
		return;
	eg_payload_release(job, msg->payload);
	job->workspace -= sizeof(*msg);
	WRITE_ONCE(job->ndetached, job->ndetached - 1);
	if (!job->ndetached)
		wake_up(&job->over);
	kfree(msg);
}

struct eg_payload *eg_payload_create(struct eg_job *job, u64 bytes)
{
	u64 cost = sizeof(struct eg_payload) + bytes;
	struct eg_payload *payload;

	if (!eg_charge(job, cost))
		return NULL;
	payload = kvmalloc(cost, eg_gfp(job));
	if (!payload) {
		job->workspace -= cost;
		return NULL;
	}
	payload->cost = cost;
	payload->users = 1;
	return payload;
}

void eg_tx_enqueue(struct eg_job *job, u32 to, u32 network, struct eg_tx_msg *msg)
{
	struct eg_peer *peer = &job->peers[to];

	list_add_tail(&msg->list, &peer->tx[network].queue);
	/*
	 * Connect to the peer over all networks, as it has disconnected only when all connections
	 * have ended.
	 */
	for (u32 i = 0; i < job->networks; i++)
		if (list_empty(&peer->tx[i].ready_link) &&
		    (i == network || !peer->tx[i].hello_sent))
			list_add_tail(&peer->tx[i].ready_link, &job->tx_ready);
}

bool eg_tx_enqueue_detached(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head,
			    u64 bytes, struct eg_payload *payload)
{
	struct eg_tx_msg *msg;

	if (!eg_charge(job, sizeof(*msg)))
		return false;
	msg = kmalloc(sizeof(*msg), eg_gfp(job));
	if (!msg) {
		job->workspace -= sizeof(*msg);
		return false;
	}
	*msg = (struct eg_tx_msg){ .head = *head, .bytes = bytes, .payload = payload };
	WRITE_ONCE(job->ndetached, job->ndetached + 1);
	if (payload)
		payload->users++;
	eg_tx_enqueue(job, to, network, msg);
	return true;
}

static void eg_tx_disconnect(struct eg_job *job, struct eg_tx_conn *conn)
{
	eg_socket_release(job, conn->sock);
	conn->sock = NULL;
	if (conn->near)
		eg_near_close_sender(conn->near);
	conn->near = NULL;
	conn->ready = false;
	conn->hello_sent = false;
	conn->peer_shutdown = false;
	conn->has_data = false;
	conn->error = 0;
}

static void eg_tx_drop_queue(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct eg_tx_msg *msg, *next;

	list_for_each_entry_safe(msg, next, &conn->queue, list)
		eg_tx_msg_free(job, msg);
	list_del_init(&conn->ready_link);
}

/*
 * Does the job need the connection, which has failed by @err? A peer to which only keepalive probes
 * are queued may have disconnected, unless a receive waits for it; and one that has disconnected
 * needs no multicast status. A peer that has ended resets the connections on which something
 * arrives: a receive that waits for that peer learns of it by the connection that it receives from,
 * after what the peer had sent before.
 */
static bool eg_tx_is_needed(const struct eg_job *job, const struct eg_tx_conn *conn, int err)
{
	bool reset = err == -ECONNRESET, ended = reset || eg_peer_is_leaving(job, conn->rank);
	const struct eg_tx_msg *msg;

	list_for_each_entry(msg, &conn->queue, list)
		if (msg->head.kind == cpu_to_le32(EG_MESSAGE) ||
		    (!ended && msg->head.kind != cpu_to_le32(EG_KEEPALIVE)))
			return true;
	return !reset && eg_peer_is_awaited(job, conn->rank);
}

/* The peer does not listen yet: try again later, unless it is given up. */
static void eg_tx_retry_later(struct eg_job *job, struct eg_tx_conn *conn, int err)
{
	eg_tx_disconnect(job, conn);
	if (err != -ECONNREFUSED || time_after(jiffies, conn->give_up_at) ||
	    (eg_peer_is_leaving(job, conn->rank) && !eg_tx_is_needed(job, conn, err))) {
		conn->give_up_at = 0;
		if (eg_tx_is_needed(job, conn, err))
			eg_job_fail(job, -err);
		else
			eg_tx_drop_queue(job, conn);
		return;
	}
	conn->retry_at = (jiffies + msecs_to_jiffies(EG_RETRY_MS)) | 1;
}

/* The table of jobs has checked what EG_HELLO proves. */
static void eg_tx_connect_near(struct eg_job *job, struct eg_tx_conn *conn)
{
	int err = eg_near_connect(job, conn);

	if (err)
		return eg_tx_retry_later(job, conn, err);
	conn->ready = true;
	conn->hello_sent = true;
	conn->give_up_at = 0;
}

static void eg_tx_connect(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct sockaddr_en to = job->peers[conn->rank].addr[conn->network];
	struct sock *sk;
	int err;

	if (conn->retry_at && time_before(jiffies, conn->retry_at))
		return;
	if (!conn->give_up_at)
		conn->give_up_at = (jiffies + eg_timeout(job)) | 1;
	conn->retry_at = 0;
	if (!to.sen_ifindex)
		to.sen_ifindex = job->peers[job->rank].addr[conn->network].sen_ifindex;
	if (eg_near_is_chosen(job, &to))
		return eg_tx_connect_near(job, conn);
	err = eg_socket_create(job, eg_tx_state_change, conn, &conn->sock);
	if (err) {
		conn->sock = NULL;
		return eg_job_fail(job, -err);
	}
	sk = conn->sock->sk;
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_write_space = eg_tx_write_space;
	write_unlock_bh(&sk->sk_callback_lock);
	err = kernel_connect(conn->sock, (struct sockaddr_unsized *)&to, sizeof(to), O_NONBLOCK);
	if (err && err != -EINPROGRESS)
		eg_tx_retry_later(job, conn, err);
}

/* A reset before EG_HELLO, when nothing has been sent, is a refusal: the peer does not listen. */
static void eg_tx_on_refusal(struct eg_job *job, struct eg_tx_conn *conn, int err)
{
	if (!conn->give_up_at)
		conn->give_up_at = (jiffies + eg_timeout(job)) | 1;
	eg_tx_retry_later(job, conn, err == -ECONNRESET ? -ECONNREFUSED : err);
}

/* Is it established? Connecting, retrying and closing are left to the worker. */
static bool eg_tx_check_connected(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct sock *sk = conn->sock->sk;

	if (conn->ready)
		return true;
	if (READ_ONCE(sk->sk_state) == TCP_SYN_SENT)
		return false;
	if (READ_ONCE(sk->sk_state) == TCP_ESTABLISHED) {
		conn->ready = true;
		conn->give_up_at = 0;
		return true;
	}
	if (job->in_softirq)
		job->need_worker = true;
	else
		eg_tx_on_refusal(job, conn, sk->sk_err ? sock_error(sk) : -ECONNREFUSED);
	return false;
}

static bool eg_tx_is_connected(struct eg_job *job, struct eg_tx_conn *conn)
{
	if (conn->near)
		return true;
	if (!conn->sock && job->in_softirq) {
		job->need_worker |= !conn->retry_at;	/* else the worker retries by itself */
		return false;
	}
	if (!conn->sock)
		eg_tx_connect(job, conn);
	return conn->near || (conn->sock && eg_tx_check_connected(job, conn));
}

static bool eg_tx_waits_for_room(const struct eg_tx_conn *conn)
{
	return conn->near ? eg_near_waits_for_room(conn->near) :
			    test_bit(SOCK_NOSPACE, &conn->sock->flags);
}

bool eg_tx_is_shut(const struct eg_tx_conn *conn)
{
	return conn->near ? eg_near_is_shut(conn->near) :
			    READ_ONCE(conn->sock->sk->sk_shutdown) & RCV_SHUTDOWN;
}

/* Bytes sent; 0: no room now; or a negative errno. */
static int eg_tx_send(struct eg_job *job, struct eg_tx_conn *conn, struct kvec *pieces,
		      unsigned int n, bool more)
{
	int sent = conn->near ? eg_near_send(conn->near, pieces, n, more, eg_gfp(job)) :
				esp_kernel_send(conn->sock, pieces, n, more, eg_gfp(job));

	/*
	 * Sockets of all users share net.enet.mem, so it may be others' that leave none for this
	 * one: the worker tries again until the timeout of a peer.
	 */
	if (sent == -ENOBUFS) {
		if (!conn->no_memory_at)
			conn->no_memory_at = jiffies | 1;
		if (!job->in_softirq && time_after(jiffies, conn->no_memory_at + eg_timeout(job)))
			return -ENOMEM;
		job->need_worker = true;
		return 0;
	}
	conn->no_memory_at = 0;
	if (sent == -EBUSY) {
		job->need_worker = true;
		return 0;
	}
	eg_budget_spend(job, max(sent, 0));
	return sent == -EAGAIN ? 0 : sent;
}

/* EG_HELLO fits a frame: it is sent whole or not at all. */
static int eg_tx_send_hello(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct esp_kernel_peer peer;
	struct eg_hello_id id = {
		.from = job->rank, .to = conn->rank, .network = conn->network,
		.grouped = job->mcast,
	};
	struct eg_wire hello = {
		.kind = cpu_to_le32(EG_HELLO), .number = cpu_to_le32(job->rank),
		.tag = cpu_to_le32(id.grouped),
	};
	struct kvec piece = { &hello, sizeof(hello) };
	u64 proof;
	int n;

	esp_kernel_peer(conn->sock, &peer);
	id.tag_from = peer.tags.here;
	id.tag_to = peer.tags.there;
	proof = eg_auth_hello(job, &id);
	hello.schedule = cpu_to_le32(lower_32_bits(proof));
	hello.run = cpu_to_le32(upper_32_bits(proof));
	n = eg_tx_send(job, conn, &piece, 1, false);
	conn->hello_sent = n == sizeof(hello);
	if (eg_tx_is_shut(conn)) {
		/* before EG_HELLO eg_peers_check_shutdown() ignored it */
		WRITE_ONCE(job->shutdown_pending, true);
		job->need_worker = true;
	}
	return n > 0 && !conn->hello_sent ? -EMSGSIZE : n;
}

/*
 * Memory of the next bytes of its data, of which @done have been sent; zeros for an operation
 * without parts.
 */
static unsigned int eg_tx_data(const struct eg_tx_msg *msg, u64 done, struct kvec *pieces)
{
	u64 left = msg->bytes - done;

	if (msg->run)
		return eg_op_pieces(&msg->run->goal, msg->op, msg->at, left,
				    page_address(ZERO_PAGE(0)), pieces);
	if (msg->payload)
		pieces[0] = (struct kvec){ msg->payload->data + done,
					   min_t(u64, left, EG_PIECES_BYTES) };
	else
		pieces[0] = (struct kvec){ page_address(ZERO_PAGE(0)),
					   min_t(u64, left, PAGE_SIZE) };
	return left ? 1 : 0;
}

/* Send the next bytes of a message. Header and data share a frame if they fit. */
static int eg_tx_send_pieces(struct eg_job *job, struct eg_tx_conn *conn, struct eg_tx_msg *msg)
{
	struct kvec pieces[EG_PIECES + 1];
	u32 head = msg->sent < EG_HEADER ? EG_HEADER - msg->sent : 0;
	u64 done = msg->sent + head - EG_HEADER, all = head;
	unsigned int n = !!head;
	int sent;

	pieces[0] = (struct kvec){ (char *)&msg->head + EG_HEADER - head, head };
	n += eg_tx_data(msg, done, pieces + n);
	for (unsigned int i = !!head; i < n; i++)
		all += pieces[i].iov_len;
	/*
	 * Before the socket has them, as it may fail at any time: are data lost then? Not if all
	 * that it had has been acknowledged, and is charged to it no more, and it gets a probe.
	 */
	if (msg->head.kind != cpu_to_le32(EG_KEEPALIVE))
		WRITE_ONCE(conn->has_data, true);
	else if (!msg->sent && conn->sock && !sk_wmem_alloc_get(conn->sock->sk))
		WRITE_ONCE(conn->has_data, false);
	sent = eg_tx_send(job, conn, pieces, n, msg->sent + all < EG_HEADER + msg->bytes);
	if (sent <= 0)
		return sent;
	msg->sent += sent;
	if (msg->run && sent > head)
		eg_op_advance(msg->op, &msg->at, sent - head);
	return sent;
}

/* Send a message as far as possible: 1 when all of it is sent. */
static int eg_tx_send_msg(struct eg_job *job, struct eg_tx_conn *conn, struct eg_tx_msg *msg)
{
	int n = 1;

	while (n > 0 && msg->sent < EG_HEADER + msg->bytes) {
		if (!eg_may_continue(job))
			return 0;
		n = eg_tx_send_pieces(job, conn, msg);
	}
	if (n <= 0)
		return n;
	job->stats.messages_sent++;
	if (msg->run)
		goal_run_done(&msg->run->goal, msg->op);
	eg_tx_msg_free(job, msg);
	return 1;
}

/* Has it been reset by its peer, and eg_peers_check_shutdown() not seen that yet? */
static bool eg_tx_end_is_unseen(const struct eg_tx_conn *conn, int err)
{
	return err == -ECONNRESET && conn->hello_sent && !conn->peer_shutdown &&
	       eg_tx_is_shut(conn);
}

/*
 * The connection has failed. A peer that needs nothing more may have disconnected before all
 * connections to it were made: one is made over each network, though messages use only one.
 *
 * A connection whose end has not been seen stays until it has: the next attempt to send finds the
 * same error.
 */
void eg_tx_on_error(struct eg_job *job, struct eg_tx_conn *conn, int err)
{
	bool refused = err == -ECONNRESET && !conn->hello_sent;

	if (!refused && eg_tx_is_needed(job, conn, err)) {
		eg_job_fail(job, -err);
	} else if (job->in_softirq) {
		job->need_worker = true;		/* which finds the same error */
	} else if (refused) {
		eg_tx_on_refusal(job, conn, err);
	} else if (eg_tx_end_is_unseen(conn, err)) {
		WRITE_ONCE(job->shutdown_pending, true);
		job->need_worker = true;
	} else {
		eg_tx_disconnect(job, conn);
		eg_tx_drop_queue(job, conn);
	}
}

/* Send the queue of a connection. A connection that waits for room is skipped until it has some. */
static bool eg_tx_conn_progress(struct eg_job *job, struct eg_tx_conn *conn)
{
	bool some = false;
	int n = 1;

	eg_budget_spend(job, 0);
	if (!eg_tx_is_connected(job, conn) || eg_tx_waits_for_room(conn))
		return false;
	if (!conn->hello_sent)
		n = eg_tx_send_hello(job, conn);
	while (n > 0 && !list_empty(&conn->queue)) {
		n = eg_tx_send_msg(job, conn,
				   list_first_entry(&conn->queue, struct eg_tx_msg, list));
		some |= n > 0;
	}
	if (n < 0) {
		eg_tx_on_error(job, conn, n);
		return false;
	}
	if (list_empty(&conn->queue) && conn->hello_sent)
		list_del_init(&conn->ready_link);
	return some || !job->budget;
}

/* Connections that the budget did not reach are the first next time. */
bool eg_tx_progress(struct eg_job *job)
{
	struct eg_tx_conn *conn;
	bool some = false;
	LIST_HEAD(left);

	if (READ_ONCE(job->send_error))
		eg_job_fail(job, job->send_error);
	list_splice_init(&job->tx_ready, &left);
	while (!list_empty(&left) && eg_may_continue(job)) {
		conn = list_first_entry(&left, struct eg_tx_conn, ready_link);
		list_move_tail(&conn->ready_link, &job->tx_ready);
		some |= eg_tx_conn_progress(job, conn);
	}
	some |= !list_empty(&left);
	list_splice(&left, &job->tx_ready);
	return some;
}

unsigned long eg_tx_next_retry(struct eg_job *job)
{
	unsigned long soonest = MAX_SCHEDULE_TIMEOUT;
	const struct eg_tx_conn *conn;

	list_for_each_entry(conn, &job->tx_ready, ready_link)
		if (conn->retry_at && !conn->sock && !conn->near)
			soonest = min(soonest, time_before(jiffies, conn->retry_at) ?
				      conn->retry_at - jiffies : 1);
	return soonest;
}

/* ---- The end ----- */

void eg_tx_close(struct eg_job *job)
{
	struct eg_tx_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &job->tx_ready, ready_link)
		eg_tx_drop_queue(job, conn);
	for (u32 network = 0; network < job->networks; network++)
		for (u32 rank = 0; rank < job->nprocs; rank++)
			eg_tx_disconnect(job, &job->peers[rank].tx[network]);
}
