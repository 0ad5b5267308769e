// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_peer.c - connections: one to each peer that we send to, one from each that sends to us. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <net/sock.h>
#include <net/tcp_states.h>

/* ---- Sockets that tell the worker ------------------------------------------------------- */

static void tell(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job)
		eg_wake(job);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void attach(struct eg_job *job, struct socket *sock)
{
	struct sock *sk = sock->sk;

	write_lock_bh(&sk->sk_callback_lock);
	job->usual = (struct eg_callbacks){ sk->sk_data_ready, sk->sk_write_space,
					    sk->sk_state_change, sk->sk_error_report };
	sk->sk_user_data = job;
	sk->sk_data_ready = tell;
	sk->sk_write_space = tell;
	sk->sk_state_change = tell;
	sk->sk_error_report = tell;
	write_unlock_bh(&sk->sk_callback_lock);
}

/*
 * After this no callback reaches the job: those under way hold the lock that is taken here. Nor does any reach this
 * module, which the connection may outlive until all it has to send has arrived.
 */
static void release(struct eg_job *job, struct socket *sock)
{
	struct sock *sk;

	if (!sock)
		return;
	sk = sock->sk;
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_data_ready = job->usual.data_ready;
	sk->sk_write_space = job->usual.write_space;
	sk->sk_state_change = job->usual.state_change;
	sk->sk_error_report = job->usual.error_report;
	write_unlock_bh(&sk->sk_callback_lock);
	sock_release(sock);
}

/* Those that are accepted have it from their listener. */
static int set_timeout(const struct eg_job *job, struct socket *sock)
{
	unsigned int ms = job->timeout_ms;

	return ms ? sock->ops->setsockopt(sock, SOL_ENET, ESP_SO_TIMEOUT, KERNEL_SOCKPTR(&ms), sizeof(ms)) : 0;
}

static int new_socket(struct eg_job *job, struct socket **sock)
{
	int err = sock_create_kern(job->net, enet_family, SOCK_STREAM, 0, sock);

	if (err)
		return err;
	attach(job, *sock);
	err = set_timeout(job, *sock);
	if (err)
		release(job, *sock);
	return err;
}

int eg_listen(struct eg_job *job, unsigned int network)
{
	struct sockaddr_en here = job->peers[job->rank].addr[network];
	struct socket *sock;
	int err = new_socket(job, &sock);

	if (err)
		return err;
	err = kernel_bind(sock, (struct sockaddr *)&here, sizeof(here));
	if (!err)
		err = kernel_listen(sock, min(job->nprocs + 16, 1024u));
	if (err)
		release(job, sock);
	else
		job->listener[network] = sock;
	return err;
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
	eg_put_copy(job, out->copy);
	if (!out->flight) {
		job->workspace -= sizeof(*out);
		WRITE_ONCE(job->nloose, job->nloose - 1);
		if (!job->nloose)
			wake_up(&job->over);
	}
	kfree(out);
}

static struct eg_copy *new_copy(struct eg_job *job, u64 bytes)
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

/* The bytes of all parts, one after the other. */
static struct eg_copy *gather(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_copy *copy = new_copy(f->job, op->bytes);
	struct eg_cursor at = { 0 };
	u64 done = 0;
	size_t len;

	while (copy && done < op->bytes) {
		const unsigned char *from = eg_piece(&f->run, op, &at, op->bytes - done, &len);

		if (from)
			memcpy(copy->data + done, from, len);
		else
			memset(copy->data + done, 0, len);
		eg_advance(op, &at, len);
		done += len;
	}
	return copy;
}

static struct eg_wire head_of(const struct eg_flight *f, const struct goal_op *op)
{
	return (struct eg_wire){
		.kind = cpu_to_le32(EG_MESSAGE), .schedule = cpu_to_le32(f->schedule->number),
		.flight = cpu_to_le32(f->number), .tag = cpu_to_le32(op->tag),
		.bytes = cpu_to_le64(op->bytes),
	};
}

static struct eg_out *queue_out(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head,
				u64 bytes)
{
	struct eg_out *out = kzalloc(sizeof(*out), GFP_KERNEL_ACCOUNT);

	if (!out)
		return NULL;
	out->head = *head;
	out->bytes = bytes;
	if (out->head.kind == cpu_to_le32(EG_MESSAGE))
		out->head.number = cpu_to_le32(eg_cast_colour(job, to));
	list_add_tail(&out->list, &job->peers[to].way[network].queue);
	return out;
}

bool eg_send(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_wire head = head_of(f, op);
	struct eg_out *out = queue_out(f->job, op->peer, eg_network(f->job, f->schedule, op), &head,
				       op->bytes);

	if (!out)
		return false;
	out->flight = f;
	out->op = op;
	return true;
}

bool eg_queue_loose(struct eg_job *job, u32 to, u32 network, const struct eg_wire *head, u64 bytes,
		    struct eg_copy *copy)
{
	struct eg_out *out;

	if (!eg_charge(job, sizeof(*out)))
		return false;
	out = queue_out(job, to, network, head, bytes);
	if (!out) {
		job->workspace -= sizeof(*out);
		return false;
	}
	WRITE_ONCE(job->nloose, job->nloose + 1);
	out->copy = copy;
	if (copy)
		copy->users++;
	return true;
}

/* To one after the other: what is always right. */
static bool send_copies(struct eg_flight *f, const struct goal_op *op, struct eg_copy *copy)
{
	u32 network = eg_network(f->job, f->schedule, op);
	struct eg_wire head = head_of(f, op);
	struct eg_job *job = f->job;
	bool good = true;

	for (u32 rank = 0; rank < job->nprocs && good; rank++)
		good = rank == job->rank || eg_queue_loose(job, rank, network, &head, op->bytes, copy);
	job->stats.multicasts_copied++;
	return good;
}

/* It has ended when this returns, so nothing in a queue may look at the flight. */
bool eg_multicast(struct eg_flight *f, const struct goal_op *op)
{
	bool at_once = eg_cast_takes(f, op), good = true;
	struct eg_copy *copy = at_once || op->nparts ? gather(f, op) : NULL;
	struct eg_wire head = head_of(f, op);

	if (!copy && (at_once || op->nparts))
		return false;
	if (at_once)
		eg_cast_send(f->job, &head, copy);
	else
		good = send_copies(f, op, copy);
	eg_put_copy(f->job, copy);
	return good;
}

static void hang_up(struct eg_job *job, struct eg_way *way)
{
	release(job, way->sock);
	way->sock = NULL;
	way->ready = false;
	way->hello_sent = false;
}

/* Nobody listens there yet: again in a while. */
static void try_later(struct eg_job *job, struct eg_way *way, int err)
{
	hang_up(job, way);
	if (err != -ECONNREFUSED || time_after(jiffies, way->give_up_at))
		eg_fail(job, -err);
	way->retry_at = (jiffies + msecs_to_jiffies(EG_RETRY_MS)) | 1;
}

static void begin(struct eg_job *job, struct eg_peer *peer, unsigned int network)
{
	struct eg_way *way = &peer->way[network];
	unsigned int patience = job->timeout_ms ? job->timeout_ms : EG_PATIENCE_MS;
	struct sockaddr_en to = peer->addr[network];
	int err;

	if (way->retry_at && time_before(jiffies, way->retry_at))
		return;
	if (!way->give_up_at)
		way->give_up_at = (jiffies + msecs_to_jiffies(patience)) | 1;
	way->retry_at = 0;
	err = new_socket(job, &way->sock);
	if (err) {
		way->sock = NULL;
		return eg_fail(job, -err);
	}
	to.sen_ifindex = job->peers[job->rank].addr[network].sen_ifindex;
	err = kernel_connect(way->sock, (struct sockaddr *)&to, sizeof(to), O_NONBLOCK);
	if (err && err != -EINPROGRESS)
		try_later(job, way, err);
}

/* Is the connection there? */
static bool look(struct eg_job *job, struct eg_way *way)
{
	struct sock *sk = way->sock->sk;
	int err;

	if (way->ready)
		return true;
	if (READ_ONCE(sk->sk_state) == TCP_SYN_SENT)
		return false;
	err = sock_error(sk);
	if (err || READ_ONCE(sk->sk_state) != TCP_ESTABLISHED) {
		try_later(job, way, err ? err : -ECONNREFUSED);
		return false;
	}
	way->ready = true;
	way->give_up_at = 0;
	return true;
}

/* Some bytes; 0: none now; or what is wrong. */
static int send_some(struct socket *sock, void *from, size_t len, bool more)
{
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0) };
	struct kvec vec = { .iov_base = from, .iov_len = len };
	int n = kernel_sendmsg(sock, &msg, &vec, 1, len);

	return n == -EAGAIN ? 0 : n;
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
	int n = send_some(way->sock, &hello, sizeof(hello), false);

	way->hello_sent = n == sizeof(hello);
	return n > 0 && !way->hello_sent ? -EMSGSIZE : n;
}

/* Where they are, at most @left; NULL: they mean nothing. */
static unsigned char *next_bytes(const struct eg_out *out, u64 left, size_t *len)
{
	if (out->flight)
		return eg_piece(&out->flight->run, out->op, (struct eg_cursor *)&out->at, left, len);
	*len = min_t(u64, left, SZ_1M);
	return out->copy ? out->copy->data + out->bytes - left : NULL;
}

/* The next bytes of a message. */
static int send_piece(struct eg_job *job, struct eg_way *way, struct eg_out *out)
{
	unsigned char *from;
	size_t len;
	u64 left;
	int n;

	if (out->sent < EG_HEADER) {
		n = send_some(way->sock, (char *)&out->head + out->sent, EG_HEADER - out->sent,
			      out->bytes);
		out->sent += max(n, 0);
		return n;
	}
	left = out->bytes + EG_HEADER - out->sent;
	from = next_bytes(out, left, &len);
	if (!from) {
		from = job->drain;
		len = min_t(size_t, len, PAGE_SIZE);
		memset(from, 0, len);
	}
	n = send_some(way->sock, from, len, len < left);
	if (n > 0) {
		out->sent += n;
		if (out->flight)
			eg_advance(out->op, &out->at, n);
	}
	return n;
}

/* One message, as far as it goes: 1 when all of it has left. */
static int send_one(struct eg_job *job, struct eg_way *way, struct eg_out *out)
{
	int n = 1;

	while (n > 0 && out->sent < EG_HEADER + out->bytes)
		n = send_piece(job, way, out);
	if (n <= 0)
		return n;
	job->stats.messages_sent++;
	if (out->flight)
		eg_moved(out->flight, out->op);
	free_out(job, out);
	return 1;
}

/* Whoever sends to a peer connects to it over all networks, so that it is gone when all of them are closed. */
static bool is_called(const struct eg_job *job, const struct eg_peer *peer)
{
	for (u32 network = 0; network < job->networks; network++)
		if (peer->way[network].sock)
			return true;
	return false;
}

static bool flush(struct eg_job *job, struct eg_peer *peer, unsigned int network)
{
	struct eg_way *way = &peer->way[network];
	bool some = false;
	int n = 1;

	if (list_empty(&way->queue) && (way->hello_sent || !is_called(job, peer)))
		return false;
	if (!way->sock)
		begin(job, peer, network);
	if (!way->sock || !look(job, way))
		return false;
	if (!way->hello_sent)
		n = greet(job, way);
	while (n > 0 && !list_empty(&way->queue)) {
		n = send_one(job, way, list_first_entry(&way->queue, struct eg_out, list));
		some |= n > 0;
	}
	if (n < 0)
		eg_fail(job, -n);
	return some;
}

bool eg_flush(struct eg_job *job)
{
	bool some = false;

	for (u32 rank = 0; rank < job->nprocs && !job->error; rank++)
		for (u32 network = 0; network < job->networks && !job->error; network++)
			some |= flush(job, &job->peers[rank], network);
	return some;
}

unsigned long eg_next_try(struct eg_job *job)
{
	unsigned long soonest = MAX_SCHEDULE_TIMEOUT;

	for (u32 rank = 0; rank < job->nprocs; rank++)
		for (u32 network = 0; network < job->networks; network++) {
			const struct eg_way *way = &job->peers[rank].way[network];

			if (way->retry_at && !way->sock)
				soonest = min(soonest, time_before(jiffies, way->retry_at) ?
							       way->retry_at - jiffies : 1);
		}
	return soonest;
}

/* ---- In ------------------------------------------------------------------------------------- */

static void free_ear(struct eg_job *job, struct eg_ear *ear)
{
	list_del(&ear->list);
	job->nstrangers -= ear->from < 0;
	release(job, ear->sock);
	kfree(ear->to);
	if (ear->copy)
		kvfree(ear->copy->data);
	kfree(ear->copy);
	kfree(ear);
}

/* Too many do not say who they are: the one that has had the most time for it goes. */
static void drop_stranger(struct eg_job *job)
{
	struct eg_ear *ear;

	list_for_each_entry(ear, &job->ears, list)
		if (ear->from < 0)
			return free_ear(job, ear);
}

static bool accept_one(struct eg_job *job, struct socket *listener)
{
	struct socket *sock;
	struct eg_ear *ear;

	if (kernel_accept(listener, &sock, O_NONBLOCK))
		return false;
	if (job->nstrangers >= EG_STRANGERS + job->nprocs * job->networks)
		drop_stranger(job);
	ear = kzalloc(sizeof(*ear), GFP_KERNEL_ACCOUNT);
	if (!ear) {
		sock_release(sock);
		return false;
	}
	ear->sock = sock;
	ear->from = -1;
	job->nstrangers++;
	list_add_tail(&ear->list, &job->ears);
	attach(job, sock);
	return true;
}

bool eg_accept(struct eg_job *job)
{
	bool some = false;

	for (u32 network = 0; network < job->networks; network++)
		for (int i = 0; i < EG_ACCEPTS && accept_one(job, job->listener[network]); i++)
			some = true;
	return some;
}

static int receive_some(struct socket *sock, void *to, size_t len)
{
	struct msghdr msg = { 0 };
	struct kvec vec = { .iov_base = to, .iov_len = len };

	return kernel_recvmsg(sock, &msg, &vec, 1, len, MSG_DONTWAIT);
}

static int hear_hello(struct eg_job *job, struct eg_ear *ear)
{
	const struct eg_wire *h = &ear->head;
	u64 key = (u64)le32_to_cpu(h->flight) << 32 | le32_to_cpu(h->schedule);
	u32 from = le32_to_cpu(h->number);

	if (le32_to_cpu(h->kind) != EG_HELLO || key != job->key || from >= job->nprocs ||
	    from == job->rank || le32_to_cpu(h->tag) != (job->cast != NULL))
		return -EBADMSG;
	ear->from = from;
	job->nstrangers--;
	ear->have = 0;
	return 1;
}

/* Where do the data of a message go? 0: nowhere yet. */
static int place(struct eg_job *job, struct eg_ear *ear)
{
	const struct eg_wire *h = &ear->head;
	struct eg_id id = { le32_to_cpu(h->schedule), le32_to_cpu(h->flight), ear->from,
			    le32_to_cpu(h->tag) };
	u64 bytes = le64_to_cpu(h->bytes);

	if (bytes > GOAL_BYTES_MOST)
		return -EBADMSG;
	ear->to = eg_find_posted(job, &id);
	if (ear->to && !eg_is_fit(ear->to->flight, ear->to->op, id.from, bytes))
		return -EMSGSIZE;
	if (!ear->to)
		return eg_keep(job, &id, bytes, &ear->copy);
	return 1;
}

static int begin_message(struct eg_ear *ear)
{
	ear->in_message = true;
	ear->got = 0;
	ear->at = (struct eg_cursor){ 0 };
	return 1;
}

/* A multicast that has come meanwhile comes to nothing: it goes to the drain. */
static int hear_repair(struct eg_job *job, struct eg_ear *ear)
{
	u32 number = le32_to_cpu(ear->head.number);
	int n = eg_cast_repaired(job, ear->from, number);

	if (n == 0)
		return begin_message(ear);
	if (n > 0)
		n = place(job, ear);
	if (n <= 0)
		return n;
	eg_cast_took(job, ear->from, number);
	return begin_message(ear);
}

/* The header is here. 0: what follows has no place yet. */
static int hear_header(struct eg_job *job, struct eg_ear *ear)
{
	int n;

	switch (le32_to_cpu(ear->head.kind)) {
	case EG_REPAIR:
		return hear_repair(job, ear);
	case EG_MESSAGE:
		n = eg_cast_control(job, ear->from, &ear->head);
		n = n > 0 ? place(job, ear) : n;
		return n > 0 ? begin_message(ear) : n;
	case EG_ASK:
	case EG_TELL:
		ear->have = 0;
		return eg_cast_control(job, ear->from, &ear->head);
	default:
		return -EBADMSG;
	}
}

static int end_message(struct eg_job *job, struct eg_ear *ear)
{
	int err = 0;

	if (ear->to) {
		eg_moved(ear->to->flight, ear->to->op);
		kfree(ear->to);
	} else if (ear->copy) {
		err = eg_arrived(job, ear->copy);
	}
	job->stats.messages_received += ear->to || ear->copy;
	ear->to = NULL;
	ear->copy = NULL;
	ear->in_message = false;
	ear->have = 0;
	return err ? err : 1;
}

/* Where the next bytes of a message go; NULL: nowhere, *@len of them. */
static unsigned char *next_place(struct eg_ear *ear, u64 left, size_t *len)
{
	if (ear->to)
		return eg_piece(&ear->to->flight->run, ear->to->op, &ear->at, left, len);
	*len = min_t(u64, left, SZ_1M);
	return ear->copy ? ear->copy->data + ear->got : NULL;
}

static int hear_data(struct eg_job *job, struct eg_ear *ear)
{
	u64 left = le64_to_cpu(ear->head.bytes) - ear->got;
	size_t len;
	unsigned char *to = next_place(ear, left, &len);
	int n;

	if (!to)
		len = min_t(size_t, len, PAGE_SIZE);
	n = receive_some(ear->sock, to ? to : job->drain, len);
	if (n > 0 && ear->to)
		eg_advance(ear->to->op, &ear->at, n);
	ear->got += max(n, 0);
	return n;
}

/* One step: more than 0 if there was something; 0: the connection is at its end; -EAGAIN: nothing now. */
static int hear_step(struct eg_job *job, struct eg_ear *ear)
{
	int n;

	if (ear->in_message) {
		n = ear->got < le64_to_cpu(ear->head.bytes) ? hear_data(job, ear) : 1;
		if (n > 0 && ear->got == le64_to_cpu(ear->head.bytes))
			n = end_message(job, ear);
		return n == 0 ? -ECONNRESET : n;
	}
	if (ear->have < EG_HEADER) {
		n = receive_some(ear->sock, (char *)&ear->head + ear->have, EG_HEADER - ear->have);
		if (n <= 0)
			return n == 0 && ear->have ? -ECONNRESET : n;
		ear->have += n;
		if (ear->have < EG_HEADER)
			return n;
	}
	n = ear->from < 0 ? hear_hello(job, ear) : hear_header(job, ear);
	return n == 0 ? -EAGAIN : n;
}

/* The end of a connection. What its peer owes us will not come. */
static void hear_end(struct eg_job *job, struct eg_ear *ear)
{
	int from = ear->from;

	free_ear(job, ear);
	if (from < 0 || ++job->peers[from].gone < job->networks)
		return;
	for (int i = 0; i < 4 && eg_cast_hear(job); i++)
		;			/* what it has multicast before; a flood of strangers is no reason to stay */
	eg_cast_gone(job, from);
	if (eg_waits_for(job, from))
		eg_fail(job, ECONNRESET);
}

/* Strangers are hung up on; a peer that speaks wrongly, or breaks off, ends the job. */
static bool hear(struct eg_job *job, struct eg_ear *ear)
{
	int n = 1, left = EG_HEARD;

	while (left && (n = hear_step(job, ear)) > 0)
		left--;
	if (n > 0 || n == -EAGAIN)
		return left < EG_HEARD;
	if (n < 0 && ear->from >= 0)
		eg_fail(job, -n);
	else
		hear_end(job, ear);
	return true;
}

bool eg_hear(struct eg_job *job)
{
	struct eg_ear *ear, *next;
	bool some = false;

	list_for_each_entry_safe(ear, next, &job->ears, list) {
		if (job->error)
			break;
		some |= hear(job, ear);
	}
	return some;
}

/* ---- The end ---------------------------------------------------------------------------------- */

void eg_forget(struct eg_job *job)
{
	struct eg_unexpected *u, *next_u;
	struct eg_posted *p, *next_p;
	struct eg_ear *ear, *next_ear;
	struct eg_out *out, *next_out;

	list_for_each_entry_safe(p, next_p, &job->posted, list)
		kfree(p);
	INIT_LIST_HEAD(&job->posted);
	list_for_each_entry_safe(u, next_u, &job->unexpected, list) {
		kvfree(u->data);
		kfree(u);
	}
	INIT_LIST_HEAD(&job->unexpected);
	job->unexpected_bytes = 0;
	list_for_each_entry_safe(ear, next_ear, &job->ears, list)
		free_ear(job, ear);
	for (u32 rank = 0; rank < job->nprocs; rank++)
		for (u32 network = 0; network < job->networks; network++)
			list_for_each_entry_safe(out, next_out, &job->peers[rank].way[network].queue, list)
				free_out(job, out);
}

void eg_hang_up(struct eg_job *job)
{
	eg_cast_close(job);
	for (u32 network = 0; network < job->networks; network++) {
		release(job, job->listener[network]);
		job->listener[network] = NULL;
		for (u32 rank = 0; rank < job->nprocs; rank++)
			hang_up(job, &job->peers[rank].way[network]);
	}
}
