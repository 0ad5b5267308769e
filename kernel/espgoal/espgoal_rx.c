// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_rx.c - connections from each peer that sends to us, and what comes there. */

#include "espgoal_job.h"

#include "../enet/esp_kernel.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <net/sock.h>

/* ---- Listening, and news --------------------------------------------------------------- */

static void tell_listener(struct sock *sk)
{
	struct eg_job *job;

	read_lock_bh(&sk->sk_callback_lock);
	job = sk->sk_user_data;
	if (job) {
		WRITE_ONCE(job->knocked, true);
		eg_wake_worker(job);
	}
	read_unlock_bh(&sk->sk_callback_lock);
}

int eg_listen(struct eg_job *job, unsigned int network)
{
	struct sockaddr_en here = job->peers[job->rank].addr[network];
	struct socket *sock;
	int err = eg_new_socket(job, tell_listener, &sock);

	if (err)
		return err;
	err = kernel_bind(sock, (struct sockaddr *)&here, sizeof(here));
	if (!err)
		err = kernel_listen(sock, min(job->nprocs + 16, 1024u));
	if (err)
		eg_release(job, sock);
	else
		job->listener[network] = sock;
	return err;
}

/* If the bit was set somebody has still to look, and will see this as well: the bit is cleared before (take_news()). */
static void note_news(struct eg_ear *ear)
{
	if (test_and_set_bit(0, &ear->has_news))
		return;
	llist_add(&ear->news, &ear->job->news);
	eg_wake(ear->job);
}

static void tell_ear(struct sock *sk)
{
	struct eg_ear *ear;

	read_lock_bh(&sk->sk_callback_lock);
	ear = sk->sk_user_data;
	if (ear)
		note_news(ear);
	read_unlock_bh(&sk->sk_callback_lock);
}

/* Before an ear is read its bit is cleared: what comes from then on is news again. */
static void take_news(struct eg_job *job)
{
	struct eg_ear *ear, *next;

	llist_for_each_entry_safe(ear, next, llist_del_all(&job->news), news) {
		if (list_empty(&ear->told))
			list_add_tail(&ear->told, &job->told);
		clear_bit(0, &ear->has_news);
		smp_mb__after_atomic();	/* pairs with that of test_and_set_bit() in note_news() */
	}
}

/* After release() no callback has it, and after take_news() no list but that of the told. */
static void free_ear(struct eg_job *job, struct eg_ear *ear)
{
	list_del(&ear->list);
	job->nstrangers -= ear->from < 0;
	eg_release(job, ear->sock);
	take_news(job);
	list_del(&ear->told);
	kvfree(ear->copy);
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
	ear->job = job;
	ear->sock = sock;
	ear->from = -1;
	job->nstrangers++;
	list_add_tail(&ear->list, &job->ears);
	list_add_tail(&ear->told, &job->told);	/* something may have come before */
	eg_attach(job, sock, tell_ear, ear);
	return true;
}

/* An empty call costs an inode, so only if somebody has knocked, which is cleared before we look. */
bool eg_accept(struct eg_job *job)
{
	bool more = false;

	if (!xchg(&job->knocked, false))
		return false;
	for (u32 network = 0; network < job->networks; network++) {
		int left = EG_ACCEPTS;

		while (left && accept_one(job, job->listener[network]))
			left--;
		more |= !left;
	}
	if (more)
		WRITE_ONCE(job->knocked, true);
	return more;
}

static int receive_some(struct eg_job *job, struct eg_ear *ear, struct kvec *pieces, unsigned int n)
{
	int got = esp_kernel_receive(ear->sock, pieces, n);

	eg_spend(job, max(got, 0));
	if (got != -EBUSY)
		return got;
	job->for_worker = true;
	return -EAGAIN;
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

/* Multicasts are the worker's. */
static int hear_of_casts(struct eg_job *job, struct eg_ear *ear)
{
	if (job->soft) {
		job->for_worker = true;
		return 0;
	}
	if (ear->head.kind == cpu_to_le32(EG_REPAIR))
		return hear_repair(job, ear);
	ear->have = 0;
	return eg_cast_control(job, ear->from, &ear->head);
}

/* The header is here. 0: what follows has no place yet. */
static int hear_header(struct eg_job *job, struct eg_ear *ear)
{
	int n;

	switch (le32_to_cpu(ear->head.kind)) {
	case EG_MESSAGE:
		n = eg_cast_control(job, ear->from, &ear->head);
		n = n > 0 ? place(job, ear) : n;
		return n > 0 ? begin_message(ear) : n;
	case EG_KNOCK:
		ear->have = 0;
		return 1;
	case EG_REPAIR:
	case EG_ASK:
	case EG_TELL:
		return hear_of_casts(job, ear);
	default:
		return -EBADMSG;
	}
}

static int end_message(struct eg_job *job, struct eg_ear *ear)
{
	int err = 0;

	if (ear->to)
		goal_run_done(&ear->to->flight->run, ear->to->op);
	else if (ear->copy)
		err = eg_arrived(job, ear->copy);
	job->stats.messages_received += ear->to || ear->copy;
	ear->to = NULL;
	ear->copy = NULL;
	ear->in_message = false;
	ear->have = 0;
	return err ? err : 1;
}

/* Where the next bytes of a message go. */
static unsigned int places(struct eg_job *job, struct eg_ear *ear, u64 left, struct kvec *pieces)
{
	if (ear->to)
		return eg_pieces(&ear->to->flight->run, ear->to->op, ear->at, left, job->drain, pieces);
	if (ear->copy)
		pieces[0] = (struct kvec){ ear->copy->data + ear->got, min_t(u64, left, EG_AT_ONCE) };
	else
		pieces[0] = (struct kvec){ job->drain, min_t(u64, left, PAGE_SIZE) };
	return 1;
}

static int hear_data(struct eg_job *job, struct eg_ear *ear)
{
	u64 left = le64_to_cpu(ear->head.bytes) - ear->got;
	struct kvec pieces[EG_PIECES];
	int got = receive_some(job, ear, pieces, places(job, ear, left, pieces));

	if (got > 0 && ear->to)
		eg_advance(ear->to->op, &ear->at, got);
	ear->got += max(got, 0);
	return got;
}

static int hear_head(struct eg_job *job, struct eg_ear *ear)
{
	struct kvec piece = { (char *)&ear->head + ear->have, EG_HEADER - ear->have };
	int got = receive_some(job, ear, &piece, 1);

	ear->have += max(got, 0);
	return got == 0 && ear->have ? -ECONNRESET : got;
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
		n = hear_head(job, ear);
		if (n <= 0 || ear->have < EG_HEADER)
			return n;
	}
	n = ear->from < 0 ? hear_hello(job, ear) : hear_header(job, ear);
	return n == 0 ? -EAGAIN : n;
}

/* ---- Hearing ---------------------------------------------------------------------------------- */

static void hear_end(struct eg_job *job, struct eg_ear *ear)
{
	int from = ear->from;

	free_ear(job, ear);
	if (from >= 0)
		eg_ended(job, from);
}

/* Nothing more has come. A message that waits for room or memory is tried again with each turn. */
static void heard(struct eg_ear *ear)
{
	if (ear->in_message || ear->have < EG_HEADER)
		list_del_init(&ear->told);
}

/* Strangers are hung up on; a peer that speaks wrongly, or breaks off, ends the job. */
static bool hear(struct eg_job *job, struct eg_ear *ear)
{
	int n = 1, left = EG_HEARD;

	while (left && eg_may_go_on(job) && (n = hear_step(job, ear)) > 0)
		left--;
	if (left < EG_HEARD && ear->from >= 0)
		eg_heard_of(job, ear->from);
	if (n > 0)
		return true;
	if (n == -EAGAIN) {
		heard(ear);
		return left < EG_HEARD;
	}
	if (n < 0 && ear->from >= 0)
		eg_fail(job, -n);
	else if (job->soft)
		job->for_worker = true;
	else
		hear_end(job, ear);
	return !job->soft;
}

bool eg_hear(struct eg_job *job)
{
	struct eg_ear *ear, *next;
	bool some = false;

	take_news(job);
	list_for_each_entry_safe(ear, next, &job->told, told) {
		if (!eg_may_go_on(job))
			return true;
		some |= hear(job, ear);
	}
	return some;
}

void eg_rx_close(struct eg_job *job)
{
	struct eg_ear *ear, *next;

	list_for_each_entry_safe(ear, next, &job->ears, list)
		free_ear(job, ear);
	for (u32 network = 0; network < job->networks; network++) {
		eg_release(job, job->listener[network]);
		job->listener[network] = NULL;
	}
}
