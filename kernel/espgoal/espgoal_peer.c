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

static void free_copy(struct eg_job *job, struct eg_copy *copy)
{
	if (!copy || --copy->users)
		return;
	job->workspace -= copy->cost;
	kvfree(copy);
}

static void free_out(struct eg_job *job, struct eg_out *out)
{
	list_del(&out->list);
	free_copy(job, out->copy);
	if (!out->flight)
		job->workspace -= sizeof(*out);
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

		memcpy(copy->data + done, from, len);
		eg_advance(op, &at, len);
		done += len;
	}
	return copy;
}

static struct eg_out *queue_message(struct eg_flight *f, const struct goal_op *op, u32 to)
{
	struct eg_job *job = f->job;
	struct eg_out *out = kmalloc(sizeof(*out), GFP_KERNEL_ACCOUNT);

	if (!out)
		return NULL;
	*out = (struct eg_out){
		.flight = f, .op = op, .bytes = op->bytes,
		.head = { .kind = cpu_to_le32(EG_MESSAGE), .from = cpu_to_le32(job->rank),
			  .schedule = cpu_to_le32(f->schedule->number), .flight = cpu_to_le32(f->number),
			  .tag = cpu_to_le32(op->tag), .bytes = cpu_to_le64(op->bytes) },
	};
	list_add_tail(&out->list, &job->peers[to].way[op->nic % job->networks].queue);
	return out;
}

bool eg_send(struct eg_flight *f, const struct goal_op *op)
{
	return queue_message(f, op, op->peer);
}

/* It has ended when this returns, so nothing in a queue may look at the flight. */
static bool queue_copy(struct eg_flight *f, const struct goal_op *op, u32 to, struct eg_copy *copy)
{
	struct eg_out *out;

	if (!eg_charge(f->job, sizeof(*out)))
		return false;
	out = queue_message(f, op, to);
	if (!out) {
		f->job->workspace -= sizeof(*out);
		return false;
	}
	out->flight = NULL;
	out->op = NULL;
	out->copy = copy;
	if (copy)
		copy->users++;
	return true;
}

bool eg_multicast(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_copy *copy = op->nparts ? gather(f, op) : NULL;
	struct eg_job *job = f->job;
	bool good = copy || !op->nparts;

	for (u32 rank = 0; rank < job->nprocs && good; rank++)
		good = rank == job->rank || queue_copy(f, op, rank, copy);
	free_copy(job, copy);
	job->stats.multicasts++;
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
		.kind = cpu_to_le32(EG_HELLO), .from = cpu_to_le32(job->rank),
		.schedule = cpu_to_le32(lower_32_bits(job->key)),
		.flight = cpu_to_le32(upper_32_bits(job->key)),
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

static bool flush(struct eg_job *job, struct eg_peer *peer, unsigned int network)
{
	struct eg_way *way = &peer->way[network];
	bool some = false;
	int n = 1;

	if (list_empty(&way->queue))
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
	u32 from = le32_to_cpu(h->from);

	if (le32_to_cpu(h->kind) != EG_HELLO || key != job->key || from >= job->nprocs ||
	    from == job->rank)
		return -EBADMSG;
	ear->from = from;
	job->nstrangers--;
	ear->have = 0;
	return 1;
}

/*
 * Whoever is ahead waits, unless it is he whom something waits for: what that needs may come behind.
 * 1: there is room; 0: not now; or what is wrong.
 */
static int has_room(const struct eg_job *job, const struct eg_ear *ear, u64 bytes)
{
	u64 all = job->unexpected_bytes + eg_cost(bytes);

	if (bytes <= EG_UNEXPECTED_MOST && (all <= EG_UNEXPECTED_MOST || !job->unexpected_bytes))
		return 1;
	if (!eg_may_wait_for(job, ear->from))
		return 0;
	return all <= EG_AHEAD_MOST ? 1 : -ENOBUFS;
}

/* A message that nobody waits for is kept, if there is room; the bytes of one that nobody will wait for are not. */
static int keep(struct eg_job *job, struct eg_ear *ear, const struct eg_id *id, u64 bytes)
{
	bool wanted = eg_may_come(job, id);
	int n = wanted ? has_room(job, ear, bytes) : 1;
	struct eg_unexpected *u;

	ear->copy = NULL;
	if (n <= 0 || !wanted)
		return n;
	u = kzalloc(sizeof(*u), GFP_KERNEL);
	if (!u)
		return -ENOMEM;
	u->data = kvmalloc(max(bytes, 1ull), GFP_KERNEL_ACCOUNT);
	if (!u->data) {
		kfree(u);
		return -ENOMEM;
	}
	u->id = *id;
	u->bytes = bytes;
	job->unexpected_bytes += eg_cost(bytes);
	job->stats.unexpected++;
	ear->copy = u;
	return 1;
}

/* The header is here: where do the data go? 0: nowhere yet. */
static int hear_header(struct eg_job *job, struct eg_ear *ear)
{
	const struct eg_wire *h = &ear->head;
	struct eg_id id = { le32_to_cpu(h->schedule), le32_to_cpu(h->flight), ear->from,
			    le32_to_cpu(h->tag) };
	u64 bytes = le64_to_cpu(h->bytes);
	int n = 1;

	if (le32_to_cpu(h->kind) != EG_MESSAGE || bytes > GOAL_BYTES_MOST)
		return -EBADMSG;
	ear->to = eg_find_posted(job, &id);
	if (ear->to && !eg_is_fit(ear->to->flight, ear->to->op, id.from, bytes))
		return -EMSGSIZE;
	if (!ear->to)
		n = keep(job, ear, &id, bytes);
	if (n <= 0)
		return n;
	ear->in_message = true;
	ear->got = 0;
	ear->at = (struct eg_cursor){ 0 };
	return 1;
}

static int end_message(struct eg_job *job, struct eg_ear *ear)
{
	int err = 0;

	job->stats.messages_received++;
	if (ear->to) {
		eg_moved(ear->to->flight, ear->to->op);
		kfree(ear->to);
		ear->to = NULL;
	} else if (ear->copy) {
		err = eg_arrived(job, ear->copy);
		ear->copy = NULL;
	}
	ear->in_message = false;
	ear->have = 0;
	return err ? err : 1;
}

static int hear_data(struct eg_job *job, struct eg_ear *ear)
{
	u64 left = le64_to_cpu(ear->head.bytes) - ear->got;
	size_t len = min_t(u64, left, SZ_1M);
	unsigned char *to = NULL;
	int n;

	if (ear->to)
		to = eg_piece(&ear->to->flight->run, ear->to->op, &ear->at, left, &len);
	else if (ear->copy)
		to = ear->copy->data + ear->got;
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
	if (from < 0)
		return;
	if (++job->peers[from].gone >= job->networks && eg_waits_for(job, from))
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
	for (u32 network = 0; network < job->networks; network++) {
		release(job, job->listener[network]);
		job->listener[network] = NULL;
		for (u32 rank = 0; rank < job->nprocs; rank++)
			hang_up(job, &job->peers[rank].way[network]);
	}
}
