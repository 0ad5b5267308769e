// SPDX-License-Identifier: BSD-3-Clause
/* esp_move.c - chunks on connections. */

/*
 * Sending. The head of a chunk lies in memory just before it, so that both are one piece; what is queued for a peer
 * goes to the kernel in one call, which copies it. What the kernel does not take stays queued until
 * it says that it has room. The socket's buffer bounds what it takes, and what the receiver grants (ESP)
 * what leaves from there; what is
 * queued here is bounded by the runtime.
 *
 * Receiving. A call reads the rest of the chunk that is coming, straight into its place, and what follows it into a stage,
 * from where small chunks are copied. A large chunk that begins in the stage gets its place, and the rest
 * of it is read by the next call. So a small chunk that comes alone takes one call, and a byte of
 * a large one is copied once.
 *
 *	stage:	head chunk head chunk head cut..  ->  ready, ready, and the third is the one that is coming
 */

#include "esp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum {
	CLASS_LEAST = 12,	/* buffers of 4 KiB */
	SEND_AT_ONCE = 16,	/* chunks */
	MAGIC = 0x45535043,
};

/* ---- Buffers --------------------------------------------------------------------- */

static struct bspt_esp_buffer *buffer_of(void *chunk)
{
	return (struct bspt_esp_buffer *)chunk - 1;
}

static int class_of(size_t bytes)
{
	int class = 64 - __builtin_clzll(bytes - 1);

	return class < CLASS_LEAST ? CLASS_LEAST : class;
}

static struct bspt_esp_buffer *make(struct bspt_esp *s, int class)
{
	struct bspt_esp_buffer *b = aligned_alloc(64, (size_t)1 << class);

	if (!b)
		return NULL;
	b->class = class;
	b->older = s->all.older;
	b->newer = &s->all;
	b->older->newer = b;
	s->all.older = b;
	return b;
}

void bspt_esp_buffer_free(struct bspt_esp_buffer *b)
{
	b->older->newer = b->newer;
	b->newer->older = b->older;
	free(b);
}

static struct bspt_esp_buffer *take_buffer(struct bspt_esp *s, size_t want)
{
	int class = class_of(want + sizeof(struct bspt_esp_buffer));
	struct bspt_esp_buffer *b = s->idle[class];

	if (!b)
		return make(s, class);
	s->idle[class] = b->next;
	s->idle_bytes -= (size_t)1 << class;
	return b;
}

static void give_back(struct bspt_esp *s, struct bspt_esp_buffer *b)
{
	size_t bytes = (size_t)1 << b->class;

	if (s->idle_bytes + bytes > BSPT_ESP_IDLE_MOST) {
		bspt_esp_buffer_free(b);
		return;
	}
	b->next = s->idle[b->class];
	s->idle[b->class] = b;
	s->idle_bytes += bytes;
}

static void append(struct bspt_esp_queue *q, struct bspt_esp_buffer *b)
{
	b->next = NULL;
	if (q->first)
		q->last->next = b;
	else
		q->first = b;
	q->last = b;
}

static struct bspt_esp_buffer *take_first(struct bspt_esp_queue *q)
{
	struct bspt_esp_buffer *b = q->first;

	if (b)
		q->first = b->next;
	return b;
}

/* Bytes of it on the connection. */
static size_t bytes_of(const struct bspt_esp_buffer *b)
{
	return sizeof(b->head) + b->head.len;
}

/* ---- Sending ------------------------------------------------------------------------ */

void *bspt_esp_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_esp_buffer *b;

	(void)peer;
	b = take_buffer(s, want < t->max_chunk ? want : t->max_chunk);
	if (!b)
		return NULL;
	*room = ((size_t)1 << b->class) - sizeof(*b);
	return b + 1;
}

static void left(struct bspt_esp *s, struct bspt_esp_buffer *b)
{
	s->base.unsent -= b->head.len > 0;
	give_back(s, b);
}

/* The kernel has taken the first @n bytes of what is queued. */
static void account(struct bspt_esp *s, struct bspt_esp_queue *out, size_t n)
{
	while (n > 0) {
		struct bspt_esp_buffer *b = out->first;
		size_t rest = bytes_of(b) - b->done;

		if (n < rest) {
			b->done += n;
			return;
		}
		n -= rest;
		left(s, take_first(out));
	}
}

/* One call for what is queued; whether all that it was given was taken. */
static bool send_some(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct iovec part[SEND_AT_ONCE];
	struct msghdr msg = { .msg_iov = part };
	size_t all = 0;
	ssize_t n;

	for (struct bspt_esp_buffer *b = p->out.first; b && msg.msg_iovlen < SEND_AT_ONCE; b = b->next) {
		size_t rest = bytes_of(b) - b->done;

		part[msg.msg_iovlen++] = (struct iovec){ (char *)&b->head + b->done, rest };
		all += rest;
	}
	n = sendmsg(p->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS && errno != ENOMEM)
		p->error = errno;
	if (n > 0)
		account(s, &p->out, n);
	return n == (ssize_t)all;
}

/* A connection that is broken is seen to by reading it: it may have brought a farewell before. */
void bspt_esp_flush(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	bool more = true;

	while (more && p->out.first && !p->error)
		more = send_some(s, peer);
	if (p->error)
		bspt_esp_forget_unsent(s, peer);
	bspt_esp_want_room(s, peer, p->out.first);
}

static void enqueue(struct bspt_esp *s, struct bspt_esp_buffer *b, int peer, size_t len)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	bool first = !p->out.first;

	b->done = 0;
	b->head = (struct bspt_esp_head){ .len = (uint32_t)len, .magic = MAGIC };
	append(&p->out, b);
	if (first && p->up)
		bspt_esp_flush(s, peer);
}

void bspt_esp_forget_unsent(struct bspt_esp *s, int peer)
{
	struct bspt_esp_buffer *b;

	while ((b = take_first(&s->peer[peer].out)))
		left(s, b);
}

/* To who is gone nothing is sent: its chunks may or may not arrive. To ourselves all is there at once. */
void bspt_esp_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_esp_buffer *b = buffer_of(chunk);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	b->peer = peer;
	if (peer == t->me) {
		b->head.len = (uint32_t)len;
		append(&s->ready, b);
		return;
	}
	if (s->peer[peer].said_farewell || s->peer[peer].error) {
		give_back(s, b);
		return;
	}
	t->unsent++;
	enqueue(s, b, peer, len);
}

void bspt_esp_say_farewell(struct bspt_esp *s, int peer)
{
	struct bspt_esp_buffer *b = take_buffer(s, 1);

	if (b)
		enqueue(s, b, peer, 0);
}

void bspt_esp_release(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	give_back(bspt_esp_of(t), buffer_of(chunk));
}

/* ---- Receiving ------------------------------------------------------------------------ */

static struct bspt_esp_buffer *begin_chunk(struct bspt_esp *s, int peer, size_t len)
{
	struct bspt_esp_buffer *b = take_buffer(s, len);

	if (!b) {
		bspt_esp_ended(s, peer, ENOMEM);
		return NULL;
	}
	b->peer = peer;
	b->done = sizeof(b->head);
	b->head.len = (uint32_t)len;
	return b;
}

/* @n more bytes of the chunk that is coming are in their place. */
static void come(struct bspt_esp *s, struct bspt_esp_peer *p, size_t n)
{
	struct bspt_esp_buffer *b = p->in;

	b->done += n;
	if (b->done < bytes_of(b))
		return;
	p->in = NULL;
	append(&s->ready, b);
}

/* The bytes at @at follow what has been read. How many of the @len were used: those of heads that are there, and chunks. */
static size_t parse(struct bspt_esp *s, int peer, const char *at, size_t len)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct bspt_esp_head head;
	size_t used = 0, n;

	while (p->fd >= 0 && len - used >= sizeof(head)) {
		memcpy(&head, at + used, sizeof(head));
		used += sizeof(head);
		if (head.magic != MAGIC || head.len > s->base.max_chunk) {
			bspt_esp_ended(s, peer, EPROTO);
			return used;
		}
		p->said_farewell = head.len == 0;
		if (p->said_farewell)
			continue;
		p->in = begin_chunk(s, peer, head.len);
		if (!p->in)
			return used;
		n = len - used < head.len ? len - used : head.len;
		memcpy(p->in + 1, at + used, n);
		used += n;
		come(s, p, n);
	}
	return used;
}

/* What is in the stage to its places; part of a head may stay. */
static void unload(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	size_t used = parse(s, peer, p->stage, p->staged);

	p->staged -= used;
	memmove(p->stage, p->stage + used, p->staged);
}

static ssize_t read_some(struct bspt_esp_peer *p, size_t rest)
{
	struct iovec part[] = {
		{ rest ? (char *)&p->in->head + p->in->done : NULL, rest },
		{ p->stage + p->staged, sizeof(p->stage) - p->staged },
	};

	return rest ? readv(p->fd, part, 2) : readv(p->fd, part + 1, 1);
}

/* While a chunk is coming there is nothing in the stage. */
void bspt_esp_receive(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	size_t rest = p->in ? bytes_of(p->in) - p->in->done : 0, direct;
	ssize_t n = read_some(p, rest);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		bspt_esp_ended(s, peer, n < 0 ? errno : p->error);
		return;
	}
	direct = (size_t)n < rest ? (size_t)n : rest;
	if (direct)
		come(s, p, direct);
	p->staged += n - direct;
	if (p->staged)
		unload(s, peer);
}

void *bspt_esp_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_esp_buffer *b;

	if (!s->ready.first)
		bspt_esp_look(s, 0);
	b = take_first(&s->ready);
	if (!b)
		return NULL;
	s->waiting_since = 0;
	t->stats.chunks_received++;
	*peer = b->peer;
	*len = b->head.len;
	return b + 1;
}

void bspt_esp_drop_ready(struct bspt_esp *s)
{
	struct bspt_esp_buffer *b;

	while ((b = take_first(&s->ready)))
		give_back(s, b);
}
