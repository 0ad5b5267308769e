// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_rx.c - receive connections: listen, accept, receive messages. */

#include "espgoal_job.h"

#include "../enet/esp_kernel.h"

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <net/sock.h>

/* ---- Notification ----- */

static void eg_rx_on_connect(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job) {
		WRITE_ONCE(job->accept_pending, true);
		eg_wake_worker(job);
	}
	read_unlock_bh(&sk->sk_callback_lock);
}

void eg_rx_unreserve(struct eg_job *job)
{
	if (job->reserved)
		sock_release(job->reserved);
	job->reserved = NULL;
}

/* On all interfaces, as it is not known yet which the job will use. */
static int eg_rx_bind_reserved(struct eg_job *job)
{
	struct sockaddr_en any = { .sen_family = enet_family };
	int err = sock_create_kern(job->net, enet_family, SOCK_STREAM, 0, &job->reserved);

	if (err)
		return err;
	err = kernel_bind(job->reserved, (struct sockaddr_unsized *)&any, sizeof(any));
	if (err)
		eg_rx_unreserve(job);
	return err;
}

int eg_rx_reserve(struct eg_job *job, u16 *port)
{
	struct sockaddr_storage here;
	int err = job->reserved ? 0 : eg_rx_bind_reserved(job);

	if (!err)
		err = kernel_getsockname(job->reserved, (struct sockaddr *)&here);
	*port = ((struct sockaddr_en *)&here)->sen_port;
	return min(err, 0);
}

/* Only from hosts of the job, from ports of their kernels. */
static bool eg_rx_may_connect(const struct sock *sk, const u8 *addr, u16 port)
{
	const struct eg_job *job = sk->sk_user_data;
	bool may = false;

	for (u32 rank = 0; job && rank < job->nprocs && !may; rank++)
		for (u32 network = 0; network < job->networks && !may; network++)
			may = ether_addr_equal(addr, job->peers[rank].addr[network].sen_addr);
	return may && port >= ENET_PORT_FIRST_KERNEL;
}

int eg_rx_listen(struct eg_job *job, unsigned int network)
{
	struct sockaddr_en here = job->peers[job->rank].addr[network];
	struct socket *sock;
	int err = eg_socket_create(job, eg_rx_on_connect, job, &sock);

	if (err)
		return err;
	esp_kernel_invite(sock, eg_rx_may_connect);
	err = kernel_bind(sock, (struct sockaddr_unsized *)&here, sizeof(here));
	if (!err)
		err = kernel_listen(sock, min(job->nprocs + 16, 1024u));
	if (err)
		eg_socket_release(job, sock);
	else
		job->listener[network] = sock;
	return err;
}

/*
 * A message of it is whole, or its bytes must be read before the sender can go on: the paper's two
 * triggers (section 3.3), which esp_kernel_read_transfers() and eg_near_send() see to. A frame in
 * the middle of a message comes here in no other case.
 *
 * If the bit is set the connection is still to be read, and this event is seen then:
 * eg_rx_take_notified() clears the bit before.
 */
static void eg_rx_notify(struct eg_rx_conn *conn)
{
	atomic64_inc(&conn->job->receive_events);
	if (test_and_set_bit(0, &conn->is_notified))
		return;
	llist_add(&conn->notified_link, &conn->job->notified);
	eg_wake(conn->job);
}

static void eg_rx_data_ready(struct sock *sk)
{
	struct eg_rx_conn *conn;

	read_lock_bh(&sk->sk_callback_lock);
	conn = sk->sk_user_data;
	if (conn)
		eg_rx_notify(conn);
	read_unlock_bh(&sk->sk_callback_lock);
}

/* Clear the bit before the connection is read: what arrives from then on notifies again. */
static void eg_rx_take_notified(struct eg_job *job)
{
	struct eg_rx_conn *conn, *next;

	llist_for_each_entry_safe(conn, next, llist_del_all(&job->notified), notified_link) {
		if (list_empty(&conn->ready_link))
			list_add_tail(&conn->ready_link, &job->rx_ready);
		clear_bit(0, &conn->is_notified);
		smp_mb__after_atomic();	/* pairs with test_and_set_bit() in eg_rx_notify() */
	}
}

/* After the release no callback has it, and after eg_rx_take_notified() only rx_ready. */
static void eg_rx_conn_free(struct eg_job *job, struct eg_rx_conn *conn)
{
	list_del(&conn->list);
	job->nunauthenticated -= conn->from < 0;
	eg_socket_release(job, conn->sock);
	if (conn->near)
		eg_near_close_receiver(conn->near);
	eg_rx_take_notified(job);
	list_del(&conn->ready_link);
	kvfree(conn->unexpected);
	kfree(conn);
}

/* It is read at once, as data may have arrived before. NULL: no memory. */
static struct eg_rx_conn *eg_rx_conn_create(struct eg_job *job, u32 network)
{
	struct eg_rx_conn *conn = kzalloc(sizeof(*conn), GFP_KERNEL_ACCOUNT);

	if (!conn)
		return NULL;
	conn->job = job;
	conn->network = network;
	list_add_tail(&conn->list, &job->rx_conns);
	list_add_tail(&conn->ready_link, &job->rx_ready);
	return conn;
}

/*
 * Without memory the job fails: nothing would call for another attempt to accept, and what a peer
 * has sent over a connection that is closed counts as received.
 */
static bool eg_rx_accept_one(struct eg_job *job, u32 network)
{
	struct socket *sock;
	struct eg_rx_conn *conn;
	int err = kernel_accept(job->listener[network], &sock, O_NONBLOCK);

	if (err == -ENOMEM)
		eg_job_fail(job, ENOMEM);
	if (err)
		return false;
	if (job->nunauthenticated >= EG_UNAUTHENTICATED_MOST + job->nprocs * job->networks) {
		list_for_each_entry(conn, &job->rx_conns, list)
			if (conn->from < 0) {		/* the oldest */
				eg_rx_conn_free(job, conn);
				break;
			}
	}
	conn = eg_rx_conn_create(job, network);
	if (!conn) {
		sock_release(sock);
		eg_job_fail(job, ENOMEM);
		return false;
	}
	conn->sock = sock;
	conn->from = -1;
	job->nunauthenticated++;
	esp_kernel_read_transfers(sock);
	eg_socket_attach(job, sock, eg_rx_data_ready, conn);
	return true;
}

/* At most one from each process of the host and network. Without memory the job fails. */
static void eg_rx_accept_near(struct eg_job *job)
{
	struct eg_near *near;

	while ((near = eg_near_next_pending(job))) {
		struct eg_rx_conn *conn = eg_rx_conn_create(job, eg_near_network(near));

		if (!conn) {
			eg_near_close_receiver(near);
			eg_job_fail(job, ENOMEM);
			continue;
		}
		conn->near = near;
		conn->from = eg_near_accept(near, conn, eg_rx_notify);
	}
}

/*
 * An accept() that finds nothing allocates an inode, so look only if a callback says so; clear that
 * first.
 */
bool eg_rx_accept(struct eg_job *job)
{
	bool more = false;

	if (!xchg(&job->accept_pending, false))
		return false;
	eg_rx_accept_near(job);
	for (u32 network = 0; network < job->networks; network++) {
		int left = EG_ACCEPTS_MOST;

		while (left && eg_rx_accept_one(job, network))
			left--;
		more |= !left;
	}
	if (more)
		WRITE_ONCE(job->accept_pending, true);
	return more;
}

static int eg_rx_receive(struct eg_job *job, struct eg_rx_conn *conn, struct kvec *pieces,
			 unsigned int n)
{
	int got = conn->near ? eg_near_receive(conn->near, pieces, n) :
			       esp_kernel_receive(conn->sock, pieces, n);

	eg_budget_spend(job, max(got, 0));
	if (got != -EBUSY)
		return got;
	job->need_worker = true;
	return -EAGAIN;
}

/* Sent by the kernel of that process's host, and by one who has the key? */
static bool eg_rx_is_authentic(const struct eg_job *job, const struct eg_rx_conn *conn, u32 from)
{
	const struct eg_wire *h = &conn->head;
	struct esp_kernel_peer peer;
	struct eg_hello_id id;

	esp_kernel_peer(conn->sock, &peer);
	id = (struct eg_hello_id){
		.from = from, .to = job->rank, .network = conn->network,
		.tag_from = peer.tags.there, .tag_to = peer.tags.here, .grouped = job->mcast,
	};
	return peer.port >= ENET_PORT_FIRST_KERNEL &&
	       ether_addr_equal(peer.addr, job->peers[from].addr[conn->network].sen_addr) &&
	       eg_auth_hello(job, &id) ==
		       ((u64)le32_to_cpu(h->run) << 32 | le32_to_cpu(h->schedule));
}

static int eg_rx_on_hello(struct eg_job *job, struct eg_rx_conn *conn)
{
	const struct eg_wire *h = &conn->head;
	u32 from = le32_to_cpu(h->number);

	if (le32_to_cpu(h->kind) != EG_HELLO || from >= job->nprocs || from == job->rank ||
	    le32_to_cpu(h->tag) != (job->mcast != NULL) || !eg_rx_is_authentic(job, conn, from))
		return -EBADMSG;
	conn->from = from;
	job->nunauthenticated--;
	conn->have = 0;
	return 1;
}

/* Find where the data of a message go. 0: there is no room yet. */
static int eg_rx_find_destination(struct eg_job *job, struct eg_rx_conn *conn)
{
	const struct eg_wire *h = &conn->head;
	struct eg_msg_id id = { le32_to_cpu(h->schedule), le32_to_cpu(h->run), conn->from,
			    le32_to_cpu(h->tag) };
	u64 bytes = le64_to_cpu(h->bytes);

	if (bytes > GOAL_BYTES_MOST)
		return -EBADMSG;
	conn->posted = eg_match_posted(job, &id);
	if (conn->posted && !eg_match_length(conn->posted->run, conn->posted->op, id.from, bytes))
		return -EMSGSIZE;
	if (!conn->posted)
		return eg_unexpected_create(job, &id, bytes, &conn->unexpected);
	job->peers[conn->from].nreceiving++;
	return 1;
}

static int eg_rx_begin_message(struct eg_rx_conn *conn)
{
	conn->in_message = true;
	conn->got = 0;
	conn->at = (struct eg_cursor){ 0 };
	return 1;
}

static int eg_rx_on_mcast(struct eg_job *job, struct eg_rx_conn *conn)
{
	u32 number = le32_to_cpu(conn->head.number);
	int n;

	if (job->in_softirq && eg_mcast_needs_worker(&conn->head)) {
		job->need_worker = true;
		return 0;
	}
	if (conn->head.kind != cpu_to_le32(EG_RETRANSMIT)) {
		conn->have = 0;
		return eg_mcast_on_control(job, conn->from, &conn->head);
	}
	n = eg_mcast_check_retransmit(job, conn->from, number);
	if (n == 0)		/* the data of a duplicate go to the drain */
		return eg_rx_begin_message(conn);
	if (n > 0)
		n = eg_rx_find_destination(job, conn);
	if (n <= 0)
		return n;
	eg_mcast_accept(job, conn->from, number);
	return eg_rx_begin_message(conn);
}

/* The header is complete. 0: there is no room for the data yet. */
static int eg_rx_on_header(struct eg_job *job, struct eg_rx_conn *conn)
{
	int n;

	switch (le32_to_cpu(conn->head.kind)) {
	case EG_MESSAGE:
		n = eg_mcast_on_control(job, conn->from, &conn->head);
		n = n > 0 ? eg_rx_find_destination(job, conn) : n;
		return n > 0 ? eg_rx_begin_message(conn) : n;
	case EG_KEEPALIVE:
		conn->have = 0;
		return 1;
	case EG_RETRANSMIT:
	case EG_STATUS_REQUEST:
	case EG_STATUS:
		return eg_rx_on_mcast(job, conn);
	default:
		return -EBADMSG;
	}
}

static int eg_rx_end_message(struct eg_job *job, struct eg_rx_conn *conn)
{
	int err = 0;

	if (conn->posted) {
		job->peers[conn->from].nreceiving--;
		goal_run_done(&conn->posted->run->goal, conn->posted->op);
	} else if (conn->unexpected) {
		err = eg_unexpected_complete(job, conn->unexpected);
	}
	job->stats.messages_received += conn->posted || conn->unexpected;
	conn->posted = NULL;
	conn->unexpected = NULL;
	conn->in_message = false;
	conn->have = 0;
	return err ? err : 1;
}

static int eg_rx_data(struct eg_job *job, struct eg_rx_conn *conn)
{
	u64 left = le64_to_cpu(conn->head.bytes) - conn->got;
	struct kvec pieces[EG_PIECES];
	unsigned int n = 1;
	int got;

	if (conn->posted)
		n = eg_op_pieces(&conn->posted->run->goal, conn->posted->op, conn->at, left,
				 job->drain, pieces);
	else if (conn->unexpected)
		pieces[0] = (struct kvec){ conn->unexpected->data + conn->got,
					   min_t(u64, left, EG_PIECES_BYTES) };
	else
		pieces[0] = (struct kvec){ job->drain, min_t(u64, left, PAGE_SIZE) };
	got = eg_rx_receive(job, conn, pieces, n);
	if (got > 0 && conn->posted)
		eg_op_advance(conn->posted->op, &conn->at, got);
	conn->got += max(got, 0);
	return got;
}

/*
 * Returns more than 0 if something was received; 0 at the end of the connection; -EAGAIN: nothing
 * now.
 */
static int eg_rx_step(struct eg_job *job, struct eg_rx_conn *conn)
{
	int n;

	if (conn->in_message) {
		n = conn->got < le64_to_cpu(conn->head.bytes) ? eg_rx_data(job, conn) : 1;
		if (n > 0 && conn->got == le64_to_cpu(conn->head.bytes))
			n = eg_rx_end_message(job, conn);
		return n == 0 ? -ECONNRESET : n;
	}
	if (conn->have < EG_HEADER) {
		struct kvec piece = { (char *)&conn->head + conn->have, EG_HEADER - conn->have };

		n = eg_rx_receive(job, conn, &piece, 1);
		conn->have += max(n, 0);
		if (n == 0 && conn->have)
			return -ECONNRESET;
		if (n <= 0 || conn->have < EG_HEADER)
			return n;
	}
	n = conn->from < 0 ? eg_rx_on_hello(job, conn) : eg_rx_on_header(job, conn);
	return n == 0 ? -EAGAIN : n;
}

/* ---- Connections ----- */

/*
 * An unauthenticated connection that fails is closed; a peer that violates the protocol, or resets,
 * fails the job.
 */
static bool eg_rx_conn_progress(struct eg_job *job, struct eg_rx_conn *conn)
{
	int n = 1, left = EG_RX_STEPS, from;

	while (left && eg_may_continue(job) && (n = eg_rx_step(job, conn)) > 0)
		left--;
	from = conn->from;
	if (left < EG_RX_STEPS && from >= 0)
		eg_peer_active(job, from);
	if (n > 0)
		return true;
	if (n == -EAGAIN) {
		/* A message that waits for room or memory is tried again in each step. */
		if (conn->in_message || conn->have < EG_HEADER)
			list_del_init(&conn->ready_link);
		return left < EG_RX_STEPS;
	}
	if (n < 0 && from >= 0) {
		eg_job_fail(job, -n);
	} else if (job->in_softirq) {
		job->need_worker = true;
	} else {
		eg_rx_conn_free(job, conn);
		if (from >= 0)
			eg_peer_conn_closed(job, from);
	}
	return !job->in_softirq;
}

/* Connections that the budget did not reach are the first next time. */
bool eg_rx_progress(struct eg_job *job)
{
	struct eg_rx_conn *conn;
	bool some = false;
	LIST_HEAD(left);

	eg_rx_take_notified(job);
	list_splice_init(&job->rx_ready, &left);
	while (!list_empty(&left) && eg_may_continue(job)) {
		conn = list_first_entry(&left, struct eg_rx_conn, ready_link);
		list_move_tail(&conn->ready_link, &job->rx_ready);
		eg_budget_spend(job, 0);
		some |= eg_rx_conn_progress(job, conn);
	}
	some |= !list_empty(&left);
	list_splice(&left, &job->rx_ready);
	return some;
}

void eg_rx_close(struct eg_job *job)
{
	struct eg_rx_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &job->rx_conns, list)
		eg_rx_conn_free(job, conn);
	for (u32 network = 0; network < job->networks; network++) {
		eg_socket_release(job, job->listener[network]);
		job->listener[network] = NULL;
	}
}
