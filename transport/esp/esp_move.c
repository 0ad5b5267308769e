// SPDX-License-Identifier: BSD-3-Clause
/* esp_move.c - chunks on connections. */

/*
 * Sending. The head of a chunk lies in memory just before it, so that both are one piece; what
 * is queued for a peer goes to the kernel in one call, which copies it. The rest that the
 * kernel does not take stays queued until it says that it has room. The socket's buffer bounds
 * the bytes that it takes, grants of the receiver (ESP) those that leave from there; the queue
 * here is bounded by the runtime.
 *
 * Receiving. A call reads the rest of the chunk that is coming, straight into its place, and
 * what follows it into a stage, from where small chunks are copied. A large chunk that begins
 * in the stage gets its place, and the rest of it is read by the next call. So a small chunk
 * that comes alone takes one call, and a byte of a large one is copied once.
 *
 *	stage:	head chunk head chunk head cut..  ->  ready, ready, and the third is still to come
 */

#include "esp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	SEND_AT_ONCE = 16,	/* chunks */
	MAGIC = 0x45535043,
};

/*
 * The head of a buffer, which ends where the chunk begins: both together go over the connection.
 */
static struct bspt_esp_head *esp_head_of(struct bspt_buffer *b)
{
	return (struct bspt_esp_head *)(b + 1) - 1;
}

static size_t esp_bytes_of(const struct bspt_buffer *b)
{
	return sizeof(struct bspt_esp_head) + b->len;
}

/* ---- Sending ------------------------------------------------------------------------ */

void *bspt_esp_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_buffer *b;

	(void)peer;
	b = bspt_buffer_take(&s->pool, want < t->max_chunk ? want : t->max_chunk);
	if (!b)
		return NULL;
	*room = bspt_buffer_room(b);
	return b + 1;
}

static void esp_sent(struct bspt_esp *s, struct bspt_buffer *b)
{
	s->base.unsent -= b->len > 0;
	bspt_buffer_give_back(&s->pool, b);
}

/* One call for what is queued; whether all that it was given was taken. */
static bool esp_send_some(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct iovec part[SEND_AT_ONCE];
	struct msghdr msg = { .msg_iov = part };
	struct bspt_buffer *b;
	size_t all = 0, rest, left;
	ssize_t n;

	for (b = p->out.first; b && msg.msg_iovlen < SEND_AT_ONCE; b = b->next) {
		rest = esp_bytes_of(b) - b->done;
		part[msg.msg_iovlen++] = (struct iovec){ (char *)esp_head_of(b) + b->done, rest };
		all += rest;
	}
	n = sendmsg(p->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS && errno != ENOMEM)
		p->error = errno;
	/* The kernel has taken the first bytes of what is queued. */
	for (left = n > 0 ? n : 0; left > 0; left -= rest) {
		b = p->out.first;
		rest = esp_bytes_of(b) - b->done;
		if (left < rest) {
			b->done += left;
			break;
		}
		esp_sent(s, bspt_queue_take(&p->out));
	}
	return n == (ssize_t)all;
}

/* A connection that is broken is seen to by reading it: it may have brought a shutdown notice. */
void bspt_esp_flush(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	bool more = true;

	while (more && p->out.first && !p->error)
		more = esp_send_some(s, peer);
	if (p->error)
		bspt_esp_forget_unsent(s, peer);
	bspt_esp_want_room(s, peer, p->out.first);
}

/* True: nothing is before it and the connection is up, so it can leave now. */
static bool esp_enqueue(struct bspt_esp_peer *p, struct bspt_buffer *b, size_t len)
{
	bool first = !p->out.first;

	b->done = 0;
	b->len = len;
	*esp_head_of(b) = (struct bspt_esp_head){ .len = (uint32_t)len, .magic = MAGIC };
	bspt_queue_append(&p->out, b);
	return first && p->up;
}

void bspt_esp_forget_unsent(struct bspt_esp *s, int peer)
{
	struct bspt_buffer *b;

	while ((b = bspt_queue_take(&s->peer[peer].out)))
		esp_sent(s, b);
}

/*
 * Nothing is sent to a peer that has closed: its chunks may or may not arrive. Chunks to
 * ourselves arrive at once.
 */
void bspt_esp_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_buffer *b = bspt_buffer_of(chunk);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	b->peer = peer;
	if (peer == t->me) {
		b->len = len;
		bspt_queue_append(&s->ready, b);
		return;
	}
	if (s->peer[peer].has_shut_down || s->peer[peer].error) {
		bspt_buffer_give_back(&s->pool, b);
		return;
	}
	t->unsent++;
	if (esp_enqueue(&s->peer[peer], b, len))
		bspt_esp_flush(s, peer);
}

void bspt_esp_send_shutdown(struct bspt_esp *s, int peer)
{
	struct bspt_buffer *b = bspt_buffer_take(&s->pool, 1);

	if (b && esp_enqueue(&s->peer[peer], b, 0))
		bspt_esp_flush(s, peer);
}

void bspt_esp_release(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	bspt_buffer_give_back(&bspt_esp_of(t)->pool, bspt_buffer_of(chunk));
}

size_t bspt_esp_trim(struct bspt *t)
{
	return bspt_pool_trim(&bspt_esp_of(t)->pool);
}

/* ---- Ending ----------------------------------------------------------------------------- */

/*
 * A peer that has sent its shutdown notice may close its end; any other peer is lost, unless we are
 * closing as well.
 */
void bspt_esp_ended(struct bspt_esp *s, int peer, int err)
{
	struct bspt_esp_peer *p = &s->peer[peer];

	close(p->fd);
	p->fd = -1;
	p->up = false;
	p->wants_room = false;
	p->over = true;
	bspt_esp_forget_unsent(s, peer);
	if (p->has_shut_down || s->closing)
		return;
	s->lost(peer, err == EPROTO ? "it has sent what is no chunk" :
		err == EKEYREJECTED ? "it has not proved to be of the job" :
		err ? strerror(err) : "it has closed its connection");
}

/* ---- Receiving ------------------------------------------------------------------------ */

/* @n more bytes of the chunk that is coming are in their place. */
static void esp_arrived(struct bspt_esp *s, struct bspt_esp_peer *p, size_t n)
{
	struct bspt_buffer *b = p->in;

	b->done += n;
	if (b->done < esp_bytes_of(b))
		return;
	p->in = NULL;
	bspt_queue_append(&s->ready, b);
}

/*
 * The bytes in the stage follow what has been read. Use those of heads that are there, and of
 * chunks; what is left moves to the front. 0, or the errno for which the connection is to end.
 */
static int esp_parse(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	struct bspt_esp_head head;
	size_t used = 0, n;

	while (p->staged - used >= sizeof(head)) {
		memcpy(&head, p->stage + used, sizeof(head));
		used += sizeof(head);
		if (head.magic != MAGIC || head.len > s->base.max_chunk)
			return EPROTO;
		p->has_shut_down = head.len == 0;
		if (p->has_shut_down)
			continue;
		p->in = bspt_buffer_take(&s->pool, head.len);
		if (!p->in)
			return ENOMEM;
		p->in->peer = peer;
		p->in->done = sizeof(head);
		p->in->len = head.len;
		n = p->staged - used < head.len ? p->staged - used : head.len;
		memcpy(p->in + 1, p->stage + used, n);
		used += n;
		esp_arrived(s, p, n);
	}
	p->staged -= used;
	memmove(p->stage, p->stage + used, p->staged);
	return 0;
}

static ssize_t read_some(struct bspt_esp_peer *p, size_t rest)
{
	struct iovec part[] = {
		{ rest ? (char *)esp_head_of(p->in) + p->in->done : NULL, rest },
		{ p->stage + p->staged, sizeof(p->stage) - p->staged },
	};

	return rest ? readv(p->fd, part, 2) : readv(p->fd, part + 1, 1);
}

/* While a chunk is coming there is nothing in the stage; part of a head may stay there. */
void bspt_esp_receive(struct bspt_esp *s, int peer)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	size_t rest = p->in ? esp_bytes_of(p->in) - p->in->done : 0, direct;
	ssize_t n = read_some(p, rest);
	int err;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		bspt_esp_ended(s, peer, n < 0 ? errno : p->error);
		return;
	}
	direct = (size_t)n < rest ? (size_t)n : rest;
	if (direct)
		esp_arrived(s, p, direct);
	p->staged += n - direct;
	err = p->staged ? esp_parse(s, peer) : 0;
	if (err)
		bspt_esp_ended(s, peer, err);
}

void bspt_esp_drop_ready(struct bspt_esp *s)
{
	struct bspt_buffer *b;

	while ((b = bspt_queue_take(&s->ready)))
		bspt_buffer_give_back(&s->pool, b);
}
