// SPDX-License-Identifier: BSD-3-Clause
/* mpi_move.c - chunks as messages of MPI, and how a process waits for them. */

/*
 * Sending. A chunk is a buffer of ours and a message with one tag. Most are complete as soon as
 * they are sent, since MPI has copied them: then the buffer is used again at once. The requests
 * of the others are kept among the pending ones, with those of receives and of bulk, and poll()
 * tests all of them in one call, as each call that finds nothing complete polls the network. Only
 * some are in flight to one peer at a time, as Open MPI retries all unsent ones whenever it is
 * called; the rest waits in its backlog.
 *
 * Receiving. A matched probe finds messages, so that the length is known before a buffer is
 * needed, and no other part of the program can receive them. MPI matches the messages of one
 * sender in their order, but may complete a large one after a small one that was sent later.
 * Hence:
 *
 *	match -> complete, and nothing before it in the line of its sender -> polled
 *	      -> else into the line -> when all before it is complete -> ready -> polled
 *
 * A line is nearly always empty. The length of lines is bounded (HELD_MOST): beyond, nothing is
 * matched, and stays with its sender or with MPI. A line cannot stay full: its head is being
 * received, and the sender of that moves it on with each of its calls.
 *
 * Waiting. MPI cannot sleep until a message arrives. So spinning is to return at once, and a
 * process whose time to spin and yield is over sleeps between polls, for longer the longer no
 * message arrives.
 */

#include "mpi.h"
#include "transport/poison.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum {
	LOOK_AT_ONCE = 64,	/* requests that one poll() asks about */
	UNDER_WAY_MOST = 64,	/* incomplete sends to one peer */
	SPAN_BLOCK = 1 << 30,
	SLEEP_LEAST_NS = 50000,
	SLEEP_MOST_NS = 1000000,
	SLEEP_PART = 16,		/* of the time waited so far */
};

/* ---- Errors -------------------------------------------------------------------- */

void bspt_mpi_fail(struct bspt_mpi *m, int peer, const char *why)
{
	m->failed = true;
	if (!m->closing)
		m->lost(peer, why);
}

void bspt_mpi_check(struct bspt_mpi *m, int rc, int peer)
{
	char text[MPI_MAX_ERROR_STRING] = "an unknown error of MPI";
	int len;

	if (__builtin_expect(rc == MPI_SUCCESS, 1))
		return;
	MPI_Error_string(rc, text, &len);
	bspt_mpi_fail(m, peer, text);
}

/* ---- Lengths ---------------------------------------------------------------------- */

int bspt_mpi_span(size_t len, MPI_Datatype *type)
{
	MPI_Aint at[] = { 0, (MPI_Aint)(len / SPAN_BLOCK * SPAN_BLOCK) };
	int length[] = { (int)(len / SPAN_BLOCK), (int)(len % SPAN_BLOCK) }, rc;
	MPI_Datatype types[] = { MPI_DATATYPE_NULL, MPI_BYTE };

	*type = MPI_BYTE;
	if (len <= INT_MAX)
		return (int)len;
	if (MPI_Type_contiguous(SPAN_BLOCK, MPI_BYTE, &types[0]) != MPI_SUCCESS)
		return 0;
	rc = MPI_Type_create_struct(2, length, at, types, type);
	MPI_Type_free(&types[0]);
	if (rc == MPI_SUCCESS)
		rc = MPI_Type_commit(type);
	return rc == MPI_SUCCESS ? 1 : 0;
}

static size_t mpi_length_of(const MPI_Status *status)
{
	MPI_Count large;
	int len;

	MPI_Get_count(status, MPI_BYTE, &len);
	if (__builtin_expect(len != MPI_UNDEFINED, 1))
		return len;
	MPI_Get_elements_x(status, MPI_BYTE, &large);
	return large;
}

/* ---- Runs --------------------------------------------------------------------- */

static bool mpi_make_room(struct bspt_mpi_pending *f)
{
	int room = f->room ? 2 * f->room : LOOK_AT_ONCE;
	MPI_Request *request = realloc(f->request, room * sizeof(*request));
	struct bspt_mpi_task *task = NULL;

	if (request) {
		f->request = request;
		task = realloc(f->task, room * sizeof(*task));
	}
	if (!task)
		return false;
	f->task = task;
	f->room = room;
	return true;
}

void bspt_mpi_fly(struct bspt_mpi *m, MPI_Request request, struct bspt_mpi_task task)
{
	struct bspt_mpi_pending *f = &m->pending;

	if (f->n == f->room && !mpi_make_room(f)) {
		bspt_mpi_fail(m, -1, "no memory for another message under way");
		return;
	}
	f->request[f->n] = request;
	f->task[f->n++] = task;
}

/* MPI needs it no more. */
static void mpi_sent(struct bspt_mpi *m, struct bspt_buffer *b)
{
	m->base.unsent--;
	bspt_buffer_give_back(&m->pool, b);
}

/* All of it is here; with it, what has waited behind it is ready. */
static void mpi_received(struct bspt_mpi *m, struct bspt_buffer *b)
{
	struct bspt_queue *line = &m->peer[b->peer].line;

	b->done = true;
	while (line->first && line->first->done) {
		b = bspt_queue_take(line);
		m->held -= b->len;
		bspt_queue_append(&m->ready, b);
	}
}

/* To MPI; behind others that it still has it will not be complete at once. */
static void mpi_move_launch(struct bspt_mpi *m, struct bspt_buffer *b)
{
	struct bspt_mpi_peer *p = &m->peer[b->peer];
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Datatype type;
	int count = bspt_mpi_span(b->len, &type), done = 0, rc = MPI_ERR_NO_MEM;

	if (count)
		rc = MPI_Isend(b + 1, count, type, b->peer, BSPT_MPI_CHUNK, m->chunks, &request);
	bspt_mpi_check(m, rc, b->peer);
	if (__builtin_expect(type != MPI_BYTE, 0))
		MPI_Type_free(&type);
	if (!p->under_way)
		bspt_mpi_check(m, MPI_Test(&request, &done, MPI_STATUS_IGNORE), b->peer);
	if (done) {
		mpi_sent(m, b);
		return;
	}
	p->under_way++;
	bspt_mpi_fly(m, request, (struct bspt_mpi_task){ BSPT_MPI_SEND, b->peer, b });
}

/* There may be room for more to @peer. */
static void move_backlog(struct bspt_mpi *m, int peer)
{
	struct bspt_mpi_peer *p = &m->peer[peer];

	while (p->backlog.first && p->under_way < UNDER_WAY_MOST)
		mpi_move_launch(m, bspt_queue_take(&p->backlog));
}

static void mpi_move_finish(struct bspt_mpi *m, const struct bspt_mpi_task *task)
{
	switch (task->kind) {
	case BSPT_MPI_SEND:
		m->peer[task->peer].under_way--;
		mpi_sent(m, task->what);
		break;
	case BSPT_MPI_RECEIVE:
		mpi_received(m, task->what);
		break;
	case BSPT_MPI_SCRAP:
		bspt_buffer_give_back(&m->pool, task->what);
		break;
	case BSPT_MPI_BULK_SEND:
	case BSPT_MPI_BULK_RECEIVE:
		((struct bspt_bulk *)task->what)->done = true;
		break;
	}
}

/* Requests of the @n from @first on that MPI has completed make room for the last ones. */
static void close_gaps(struct bspt_mpi_pending *f, int first, int n)
{
	for (int i = first + n - 1; i >= first; i--) {
		if (f->request[i] != MPI_REQUEST_NULL)
			continue;
		f->n--;
		f->request[i] = f->request[f->n];
		f->task[i] = f->task[f->n];
	}
}

/* Which requests are complete? A look takes bounded time; what it leaves out comes next. */
static void mpi_look(struct bspt_mpi *m)
{
	struct bspt_mpi_pending *f = &m->pending;
	int first = f->turn < f->n ? f->turn : 0, n = f->n - first, ndone, done[LOOK_AT_ONCE], rc;
	int peer[LOOK_AT_ONCE];
	MPI_Status status[LOOK_AT_ONCE];

	n = n < LOOK_AT_ONCE ? n : LOOK_AT_ONCE;
	f->turn = first + n;
	rc = MPI_Testsome(n, f->request + first, &ndone, done, status);
	if (rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS)
		bspt_mpi_check(m, rc, -1);
	if (ndone == 0 || ndone == MPI_UNDEFINED)
		return;
	m->waiting_since = 0;
	for (int i = 0; i < ndone; i++) {
		const struct bspt_mpi_task *task = &f->task[first + done[i]];

		if (rc != MPI_SUCCESS)
			bspt_mpi_check(m, status[i].MPI_ERROR, task->peer);
		peer[i] = task->peer;
		mpi_move_finish(m, task);
	}
	close_gaps(f, first, n);
	for (int i = 0; i < ndone; i++)
		move_backlog(m, peer[i]);	/* which adds pending requests */
}

/* ---- Sending ------------------------------------------------------------------------ */

void *bspt_mpi_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_buffer *b;

	(void)peer;
	if (want > t->max_chunk)
		want = t->max_chunk;
	b = bspt_buffer_take(&bspt_mpi_of(t)->pool, want);
	if (!b)
		return NULL;
	*room = bspt_buffer_room(b);
	if (*room > t->max_chunk)
		*room = t->max_chunk;
	return b + 1;
}

void bspt_mpi_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_mpi *m = bspt_mpi_of(t);
	struct bspt_buffer *b = bspt_buffer_of(chunk);
	struct bspt_mpi_peer *p = &m->peer[peer];

	b->len = len;
	b->peer = peer;
	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	t->unsent++;
	if (__builtin_expect(p->under_way >= UNDER_WAY_MOST, 0))
		bspt_queue_append(&p->backlog, b);
	else
		mpi_move_launch(m, b);
}

void bspt_mpi_release(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	bspt_buffer_give_back(&bspt_mpi_of(t)->pool, bspt_buffer_of(chunk));
}

/* Memory that MPI itself keeps stays. */
size_t bspt_mpi_trim(struct bspt *t)
{
	return bspt_pool_trim(&bspt_mpi_of(t)->pool);
}

/* ---- Receiving ------------------------------------------------------------------------ */

static MPI_Request mpi_receive(struct bspt_mpi *m, MPI_Message *message, struct bspt_buffer *b)
{
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Datatype type;
	int count = bspt_mpi_span(b->len, &type);

	if (!count)
		bspt_mpi_fail(m, b->peer, "MPI has no memory for a type");
	else
		bspt_mpi_check(m, MPI_Imrecv(b + 1, count, type, message, &request), b->peer);
	if (__builtin_expect(type != MPI_BYTE, 0))
		MPI_Type_free(&type);
	return request;
}

/* The next message that MPI has for us, complete or with its request among the pending; or NULL. */
static struct bspt_buffer *match(struct bspt_mpi *m)
{
	struct bspt_buffer *b;
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;
	int there = 0, done = 0;
	size_t len;

	bspt_mpi_check(m, MPI_Improbe(MPI_ANY_SOURCE, BSPT_MPI_CHUNK, m->chunks, &there, &message,
				      &status), -1);
	if (!there)
		return NULL;
	len = mpi_length_of(&status);
	b = bspt_buffer_take(&m->pool, len);
	if (!b) {
		bspt_mpi_fail(m, status.MPI_SOURCE, "no memory for a chunk that it sent");
		return NULL;
	}
	b->peer = status.MPI_SOURCE;
	b->len = len;
	request = mpi_receive(m, &message, b);
	bspt_mpi_check(m, MPI_Test(&request, &done, MPI_STATUS_IGNORE), b->peer);
	b->done = done;
	if (!done)
		bspt_mpi_fly(m, request, (struct bspt_mpi_task){ BSPT_MPI_RECEIVE, b->peer, b });
	return b;
}

/* Nothing is ready. The first that has come in full, with nothing before it. */
static struct bspt_buffer *next(struct bspt_mpi *m)
{
	while (m->held < BSPT_MPI_HELD_MOST) {
		struct bspt_buffer *b = match(m);

		if (!b)
			return NULL;
		if (b->done && !m->peer[b->peer].line.first)
			return b;
		m->held += b->len;
		bspt_queue_append(&m->peer[b->peer].line, b);
	}
	return NULL;
}

void *bspt_mpi_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_mpi *m = bspt_mpi_of(t);
	struct bspt_buffer *b;

	if (m->pending.n)
		mpi_look(m);
	b = m->ready.first ? bspt_queue_take(&m->ready) : next(m);
	if (!b)
		return NULL;
	m->waiting_since = 0;
	t->stats.chunks_received++;
	*peer = b->peer;
	*len = b->len;
	bspt_poison_arrived(b + 1, b->len, bspt_buffer_room(b));
	return b + 1;
}

/* ---- Waiting --------------------------------------------------------------------------- */

void bspt_mpi_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_mpi *m = bspt_mpi_of(t);
	uint64_t now, waited, sleep_ns;

	if (m->ready.first)
		return;
	if (idle == 0)
		m->waiting_since = 0;
	now = bspt_now_ns();
	if (!m->waiting_since)
		m->waiting_since = now;
	waited = now - m->waiting_since;
	if (waited < m->wait_policy.spin_ns)
		return;
	if (waited < m->wait_policy.spin_ns + m->wait_policy.yield_ns || idle == 0) {
		t->stats.yields++;
		if (!m->yields)		/* else the look that found nothing has done so */
			sched_yield();
		return;
	}
	/*
	 * Sleep for a fraction of the time waited so far, so that sleeping delays no process by
	 * much; else two processes that answer each other would prolong each other's sleeps.
	 * Messages in flight progress by our polls alone, without an event: with these the sleeps
	 * stay short.
	 */
	sleep_ns = m->pending.n ? 0 : waited / SLEEP_PART;
	sleep_ns = sleep_ns > SLEEP_LEAST_NS ? sleep_ns : SLEEP_LEAST_NS;
	sleep_ns = sleep_ns < SLEEP_MOST_NS ? sleep_ns : SLEEP_MOST_NS;
	t->stats.sleeps++;
	nanosleep(&(struct timespec){ 0, (long)sleep_ns }, NULL);
}
