// SPDX-License-Identifier: BSD-3-Clause
/* emu_clock.c - hosts of the emulated network: when messages arrive, what time it is. */

/*
 * The calendar. Waits name messages in the order in which the program depends on them, not in the
 * order of arrival: an early message may be named after a late one. So a reception takes the free
 * time of the interface from the arrival of its first byte on; if that is not in one piece, the
 * packets of several messages were interleaved. The busy times of the interface, and the time at
 * which it has received the last of several messages, are then the same in any order of names.
 *
 * Idle time. While a process waits for one message others arrive, and receiving them costs o
 * each: then, not when a later wait names them. So the spans in which the process waited and did
 * nothing are recorded, and messages that had arrived by then are received in them. A reception
 * that finds no idle time moves the clock.
 *
 * A message without a wait costs its overhead, too. The runtime names it with an arrival of 0.
 *
 * Both lists have a fixed number of spans. For a message older than all spans the interface is
 * free, and the processor not idle.
 */

#include "emu.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LOOK_NS = 10000,
	TOLL_BATCHES = 8,
	TOLL_TIMES = 32,
};

/* ---- Chance ---------------------------------------------------------------- */

/* A number that differs for every @x and looks as if it did not depend on it. */
uint64_t bspt_emu_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* How much longer the @i-th message of this kind of a pair takes. */
uint64_t bspt_emu_jitter(const struct emulated *net, uint64_t kind, int from, int to, uint64_t i)
{
	uint64_t x;

	if (!net->jitter)
		return 0;
	x = bspt_emu_mix(net->seed + kind);
	x = bspt_emu_mix(x ^ ((uint64_t)from << 32 | (uint64_t)to));
	x = bspt_emu_mix(x + i);
	return (uint64_t)((double)(x >> 11) * 0x1p-53 * (double)net->jitter);
}

/* ---- Spans ----------------------------------------------------------------- */

/* Replace the spans from number @i on, before number @j, by [@from, @to). */
static void spans_replace(struct emu_spans *s, int i, int j, uint64_t from, uint64_t to)
{
	if (i == j && s->n == s->most) {
		if (i == 0)
			return;		/* older than all that is remembered */
		memmove(s->at, s->at + 1, (size_t)(s->n - 1) * sizeof(*s->at));
		s->n--;
		i--;
		j--;
	}
	memmove(s->at + i + 1, s->at + j, (size_t)(s->n - j) * sizeof(*s->at));
	s->n += 1 - (j - i);
	s->at[i] = (struct emu_span){ from, to };
}

/* The first span that ends at @time or later. Most often it is one of the last. */
static int spans_find(const struct emu_spans *s, uint64_t time)
{
	int i = s->n;

	while (i > 0 && s->at[i - 1].to >= time)
		i--;
	return i;
}

/*
 * Occupy @len of the time that is free from @from on; returns when that is done. The time
 * between @from and then is now one span.
 */
uint64_t bspt_emu_spans_fill(struct emu_spans *s, uint64_t from, uint64_t len)
{
	int i = spans_find(s, from), j = i;
	uint64_t first = from, end = from, done;

	if (j < s->n && s->at[j].from <= from) {
		first = s->at[j].from;
		end = s->at[j++].to;
	}
	for (; j < s->n && s->at[j].from - end < len; end = s->at[j++].to)
		len -= s->at[j].from - end;
	done = end + len;
	end = j < s->n && s->at[j].from == done ? s->at[j++].to : done;
	if (end > first)
		spans_replace(s, i, j, first, end);
	return done;
}

/* Take @len of the time from @from on out of the spans; how much of it was not there. */
uint64_t bspt_emu_spans_take(struct emu_spans *s, uint64_t from, uint64_t len)
{
	int i = spans_find(s, from);

	while (i < s->n && len > 0) {
		struct emu_span old = s->at[i];
		uint64_t start = old.from > from ? old.from : from;
		uint64_t part = old.to - start < len ? old.to - start : len;

		len -= part;
		if (start > old.from) {
			s->at[i++].to = start;
			if (start + part < old.to)
				spans_replace(s, i, i, start + part, old.to);
		} else if (start + part < old.to) {
			s->at[i++].from += part;
		} else {
			s->n--;
			memmove(s->at + i, s->at + i + 1, (size_t)(s->n - i) * sizeof(*s->at));
		}
	}
	return len;
}

/* ---- Hosts ----------------------------------------------------------------- */

static uint64_t wire_time(const struct emulated *net, uint64_t bytes)
{
	return bytes > 1 ? (bytes - 1) * net->G : 0;
}

/*
 * When the last byte of a message leaves the interface: it goes as soon as that is free after
 * @prepared. One that is named late, but was prepared early, takes what was free then.
 */
uint64_t bspt_emu_host_leave(struct emu_host *h, const struct emulated *net, uint64_t prepared,
			     uint64_t bytes)
{
	return bspt_emu_spans_fill(&h->sent, prepared, wire_time(net, bytes) + net->g) - net->g;
}

/* When a message arrives whose last byte left at @left, in whole nanoseconds. */
uint64_t bspt_emu_arrives(const struct emulated *net, uint64_t left, uint64_t jitter)
{
	return (left + net->L + jitter + EMU_PS - 1) / EMU_PS;
}

/* When a message of @bytes arrives that the processor prepares now, in whole nanoseconds. */
uint64_t bspt_emu_host_send(struct emu_host *h, const struct emulated *net, uint64_t bytes,
			    uint64_t jitter)
{
	h->clock += net->o;
	return bspt_emu_arrives(net, bspt_emu_host_leave(h, net, h->clock, bytes), jitter);
}

/* When the interface is next free to send. */
uint64_t bspt_emu_host_free(const struct emu_host *h)
{
	int i = spans_find(&h->sent, h->clock);

	return i < h->sent.n && h->sent.at[i].from <= h->clock ? h->sent.at[i].to : h->clock;
}

/* When the interface has received a message of @bytes. */
static uint64_t emu_received(struct emu_host *h, const struct emulated *net, uint64_t arrival_ns,
			     uint64_t bytes)
{
	uint64_t wire = wire_time(net, bytes), arrival = arrival_ns * EMU_PS;
	uint64_t first = arrival > wire ? arrival - wire : 0;

	return bspt_emu_spans_fill(&h->busy, first, wire + net->g) - net->g;
}

/* A message of @bytes, which has arrived or will, is waited for. */
void bspt_emu_host_receive(struct emu_host *h, const struct emulated *net, uint64_t arrival_ns,
			   uint64_t bytes)
{
	uint64_t received = emu_received(h, net, arrival_ns, bytes);

	if (received < h->clock) {
		h->clock += bspt_emu_spans_take(&h->idle, received, net->o);
		return;
	}
	bspt_emu_spans_fill(&h->idle, h->clock, received - h->clock);
	h->clock = received + net->o;
}

/* ---- The clock of this process --------------------------------------------- */

/*
 * The processor time of this thread is read at the begin and the end of each call. Its clock is a
 * system call, of half a microsecond, and after it the processor is slower for as long as some
 * puts take: of a put of 8 bytes 90 ns counted as computing, which sp2 makes 7 us. So this clock
 * is looked at only where LOOK_NS have passed since the last time; in between processor time is
 * the time that passes. Where another program had the processor more than LOOK_NS have passed.
 */
static uint64_t emu_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The time of a look, from one reading of the clock to the next, is @toll, which is taken off. */
static void meter_look(struct emu_meter *m, uint64_t toll)
{
	uint64_t clock = emu_clock_ns(), used = clock - m->clock_ns;

	m->used_ns += used > toll ? used - toll : 0;
	m->clock_ns = clock;
	m->seen_ns = bspt_now_ns();
}

static uint64_t emu_used_ns(struct emu_meter *m, uint64_t toll)
{
	uint64_t passed = bspt_now_ns() - m->seen_ns, used;

	if (passed >= LOOK_NS) {
		meter_look(m, toll);
		passed = 0;
	}
	used = m->used_ns + passed;
	if (m->most_ns < used)
		m->most_ns = used;
	return m->most_ns;
}

/* The least of some means, as any of them may have been interrupted. */
static void meter_open(struct emu_meter *m)
{
	uint64_t least = UINT64_MAX;

	for (int batch = 0; batch < TOLL_BATCHES; batch++) {
		uint64_t began;

		meter_look(m, 0);
		began = m->clock_ns;
		for (int i = 0; i < TOLL_TIMES; i++)
			meter_look(m, 0);
		if ((m->clock_ns - began) / TOLL_TIMES < least)
			least = (m->clock_ns - began) / TOLL_TIMES;
	}
	m->toll_ns = least;
}

/* Time computed from since_ns to @now_ns, as time of the emulated processor. */
static uint64_t computed(const struct bspt_emu *e, uint64_t now_ns)
{
	uint64_t used = now_ns - e->since_ns;

	return used > e->toll_ns ? (uint64_t)((double)(used - e->toll_ns) * EMU_PS * e->net.cpu) :
				   0;
}

/* Bring the clock up to date if it runs. */
void bspt_emu_settle(struct bspt_emu *e)
{
	uint64_t now;

	if (!e->computing || e->net.cpu <= 0)
		return;
	now = emu_used_ns(&e->meter, e->meter.toll_ns);
	e->host.clock += computed(e, now);
	e->since_ns = now;
}

uint64_t bspt_emu_now(struct bspt *t)
{
	struct bspt_emu *e = bspt_emu_of(t);
	/* a program that asks for the time computes meanwhile, so no toll is taken off */
	uint64_t more = e->computing && e->net.cpu > 0 ? computed(e, emu_used_ns(&e->meter, 0)) : 0;

	return (e->host.clock + more) / EMU_PS;
}

void bspt_emu_computing(struct bspt *t, bool on)
{
	struct bspt_emu *e = bspt_emu_of(t);

	if (on == e->computing)
		return;
	bspt_emu_settle(e);
	e->computing = on;
	if (on && e->waits)
		bspt_emu_order_run(e);
	if (on && e->net.cpu > 0)
		e->since_ns = emu_used_ns(&e->meter, e->meter.toll_ns);
}

/* The time for which a process is charged that computes nothing. */
static void measure_toll(struct bspt_emu *e)
{
	uint64_t least = UINT64_MAX;

	for (int batch = 0; batch < TOLL_BATCHES; batch++) {
		uint64_t used = 0;

		for (int i = 0; i < TOLL_TIMES; i++) {
			bspt_emu_computing(&e->base, true);
			used -= e->since_ns;
			bspt_emu_computing(&e->base, false);
			used += e->since_ns;
		}
		if (used / TOLL_TIMES < least)
			least = used / TOLL_TIMES;
	}
	e->toll_ns = least;
	e->host.clock = 0;
}

void bspt_emu_clock_open(struct bspt_emu *e)
{
	e->host.sent = (struct emu_spans){ .at = e->sent, .most = EMU_BUSY };
	e->host.busy = (struct emu_spans){ .at = e->busy, .most = EMU_BUSY };
	e->beside = (struct emu_spans){ .at = e->beside_at, .most = EMU_BUSY };
	e->host.idle = (struct emu_spans){ .at = e->idle, .most = EMU_IDLE };
	if (e->net.cpu > 0) {
		meter_open(&e->meter);
		measure_toll(e);
	}
}

void bspt_emu_charge(struct bspt *t, uint64_t ns)
{
	struct bspt_emu *e = bspt_emu_of(t);

	bspt_emu_settle(e);
	e->net.cpu = 0;
	e->host.clock += ns * EMU_PS;
}

uint64_t bspt_emu_arrival(struct bspt *t, int peer, const void *chunk)
{
	(void)t;
	(void)peer;
	return ((const struct emu_head *)chunk - 1)->arrival_ns;
}

/* By arrival. Messages that arrive together have an order of their own: that of their senders. */
static int compare_events(const void *a, const void *b)
{
	const struct bspt_event *x = a, *y = b;

	if (x->arrival != y->arrival)
		return x->arrival < y->arrival ? -1 : 1;
	if (x->peer != y->peer)
		return x->peer < y->peer ? -1 : 1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void bspt_emu_advance(struct bspt *t, struct bspt_event *events, size_t n)
{
	struct bspt_emu *e = bspt_emu_of(t);

	bspt_emu_settle(e);
	if (n > 1)
		qsort(events, n, sizeof(*events), compare_events);
	for (size_t i = 0; i < n; i++) {
		if (events[i].arrival) {
			bspt_emu_host_receive(&e->host, &e->net, events[i].arrival,
					      events[i].bytes);
		} else {
			/* A message without a wait is received at an unknown time. */
			e->host.clock += bspt_emu_spans_take(&e->host.idle, 0, e->net.o);
		}
	}
}

/* ---- Beside the process ------------------------------------------------------ */

/*
 * From @when on, or when it is there, on the processor of schedules. Contracts count in whole
 * nanoseconds.
 */
uint64_t bspt_emu_receive_at(struct bspt *t, const struct bspt_event *event, uint64_t when)
{
	struct bspt_emu *e = bspt_emu_of(t);
	uint64_t there = emu_received(&e->host, &e->net, event->arrival, event->bytes);
	uint64_t from = there > when * EMU_PS ? there : when * EMU_PS;

	return (bspt_emu_spans_fill(&e->beside, from, e->net.o) + EMU_PS - 1) / EMU_PS;
}

void bspt_emu_reach(struct bspt *t, uint64_t when)
{
	struct bspt_emu *e = bspt_emu_of(t);

	bspt_emu_settle(e);
	if (e->host.clock >= when * EMU_PS)
		return;
	bspt_emu_spans_fill(&e->host.idle, e->host.clock, when * EMU_PS - e->host.clock);
	e->host.clock = when * EMU_PS;
}
