// SPDX-License-Identifier: BSD-3-Clause
/* esp_sync.c - what happens on connections, and how a process waits for it. */

/*
 * One level-triggered epoll object watches all connections. A wait polls; then yields; then
 * sleeps in epoll_wait(), until any frame with data arrives. It sleeps for no longer than a
 * fraction of the time that it has waited: if this is the far half of transport mix, chunks of
 * the near half do not wake it.
 */

#include "esp.h"
#include "transport/poison.h"

#include <errno.h>
#include <sys/epoll.h>

enum {
	LOOK_AT_ONCE = 64,		/* connections that one look sees to */
	SLEEP_PART = 16,
	SLEEP_MOST_MS = 100,
};

static void see_to_peer(struct bspt_esp *s, int peer, uint32_t events)
{
	struct bspt_esp_peer *p = &s->peer[peer];
	bool readable = events & (EPOLLIN | EPOLLHUP | EPOLLERR);

	if (p->fd >= 0 && !p->greeted)
		bspt_esp_finish_connect(s, peer);
	if (p->fd >= 0 && p->up && (events & EPOLLOUT))
		bspt_esp_flush(s, peer);
	if (p->fd >= 0 && readable)
		(p->up ? bspt_esp_receive : bspt_esp_receive_answer)(s, peer);
}

static void esp_handle(struct bspt_esp *s, const struct epoll_event *e)
{
	if (e->data.u32 == BSPT_ESP_LISTENER)
		bspt_esp_accept(s);
	else if (e->data.u32 == BSPT_ESP_GOAL)
		bspt_esp_goal_receive(s);
	else if (e->data.u32 & BSPT_ESP_UNAUTH)
		bspt_esp_receive_hello(s, (int)(e->data.u32 & ~(uint32_t)BSPT_ESP_UNAUTH));
	else
		see_to_peer(s, (int)e->data.u32, e->events);
}

void bspt_esp_look(struct bspt_esp *s, int ms)
{
	struct epoll_event e[LOOK_AT_ONCE];
	int n = epoll_wait(s->epoll, e, LOOK_AT_ONCE, ms);

	for (int i = 0; i < n; i++)
		esp_handle(s, &e[i]);
	s->events += n > 0;
}

void *bspt_esp_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_esp *s = bspt_esp_of(t);
	struct bspt_buffer *b;

	if (!s->ready.first)
		bspt_esp_look(s, 0);
	b = bspt_queue_take(&s->ready);
	if (!b)
		return NULL;
	s->waiting_since = 0;
	t->stats.chunks_received++;
	*peer = b->peer;
	*len = b->len;
	bspt_poison_arrived(b + 1, b->len, bspt_buffer_room(b));
	return b + 1;
}

/* ---- Waiting ------------------------------------------------------------------ */

void bspt_esp_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_esp *s = bspt_esp_of(t);
	uint64_t before = s->events, now, waited, ms;

	if (idle == 0)
		s->waiting_since = 0;
	if (!s->ready.first)
		bspt_esp_look(s, 0);
	if (s->ready.first || s->events != before || s->goal_news) {
		s->goal_news = false;
		return;
	}
	now = bspt_now_ns();
	if (!s->waiting_since)
		s->waiting_since = now;
	waited = now - s->waiting_since;
	if (!bspt_wait_step(t, &s->wait_policy, waited, idle == 0))
		return;
	t->stats.sleeps++;
	ms = waited / SLEEP_PART / 1000000 + 1;
	bspt_esp_look(s, ms < SLEEP_MOST_MS ? (int)ms : SLEEP_MOST_MS);
}
