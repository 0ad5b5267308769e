// SPDX-License-Identifier: BSD-3-Clause
/* mix_move.c - chunks and windows by their carriers; polling and waiting for both. */

#include "mix.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

enum {
	SLEEP_LEAST_NS = 50000, SLEEP_MOST_NS = 1000000,
	YIELDS_FIRST = 8,
};

/* ---- Passed on to the carrier ------------------------------------------------ */

/*
 * By the list of the node, in which processes ascend: a table of all processes would be as large as
 * the job, and the runtime asks once for each peer that it has to do with. Where nodes have
 * consecutive processes, which are most often, the first look finds it.
 */
int bspt_mix_number(const struct bspt_mix *m, int p)
{
	int low = 0, high = m->nnear;

	if (high > 0 && p >= m->near_number[0] && p - m->near_number[0] < high &&
	    m->near_number[p - m->near_number[0]] == p)
		return p - m->near_number[0];
	while (low < high) {
		int middle = (low + high) / 2;

		if (m->near_number[middle] == p)
			return middle;
		if (m->near_number[middle] < p)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

struct bspt *bspt_mix_via(struct bspt *t, int peer, int *number)
{
	const struct bspt_mix *m = bspt_mix_of(t);

	*number = m->near ? bspt_mix_number(m, peer) : -1;
	if (*number >= 0)
		return m->near;
	*number = peer;
	return m->far;
}

static void mix_add_stats(struct bspt_stats *sum, const struct bspt *part)
{
	if (!part)
		return;
	sum->chunks_sent += part->stats.chunks_sent;
	sum->bytes_sent += part->stats.bytes_sent;
	sum->chunks_received += part->stats.chunks_received;
	sum->yields += part->stats.yields;
	sum->sleeps += part->stats.sleeps;
	sum->refused += part->stats.refused;
}

/* Add up the statistics of both. Yields and sleeps of mix itself are counted with one of them. */
static void mix_sum_up(struct bspt_mix *m)
{
	m->base.unsent = (m->near ? m->near->unsent : 0) + (m->far ? m->far->unsent : 0);
	m->base.stats = (struct bspt_stats){ 0 };
	mix_add_stats(&m->base.stats, m->near);
	mix_add_stats(&m->base.stats, m->far);
}

void *bspt_mix_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);
	void *chunk;

	if (want > t->max_chunk)
		want = t->max_chunk;
	chunk = way->ops->chunk(way, number, want, room);
	if (chunk && *room > t->max_chunk)
		*room = t->max_chunk;
	return chunk;
}

void bspt_mix_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	way->ops->send(way, number, chunk, len);
	mix_sum_up(bspt_mix_of(t));
}

void bspt_mix_discard(struct bspt *t, int peer, void *chunk)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	way->ops->discard(way, number, chunk);
}

void bspt_mix_release(struct bspt *t, int peer, void *chunk)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	way->ops->release(way, number, chunk);
}

size_t bspt_mix_trim(struct bspt *t)
{
	const struct bspt_mix *m = bspt_mix_of(t);

	return (m->near ? m->near->ops->trim(m->near) : 0) +
	       (m->far ? m->far->ops->trim(m->far) : 0);
}

void bspt_mix_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			   const void *src, size_t len)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	way->ops->window_write(way, number, window, offset, src, len);
}

void bspt_mix_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			  void *dst, size_t len)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	way->ops->window_read(way, number, window, offset, dst, len);
}

uint32_t bspt_mix_published_by(struct bspt *t, int peer)
{
	int number;
	struct bspt *way = bspt_mix_via(t, peer, &number);

	return way->ops->published_by(way, number);
}

/* ---- Passed on to the far one: the kernels of nodes run schedules of the whole job ---- */

int bspt_mix_schedule_load(struct bspt *t, const void *block, size_t len, uint32_t *schedule)
{
	struct bspt *far = bspt_mix_of(t)->far;

	return far->ops->schedule_load(far, block, len, schedule);
}

int bspt_mix_schedule_start(struct bspt *t, uint32_t schedule, void *const *buffers,
			    const struct bspt_run_memory *memory, uint32_t *run)
{
	struct bspt *far = bspt_mix_of(t)->far;

	return far->ops->schedule_start(far, schedule, buffers, memory, run);
}

bool bspt_mix_schedule_over(struct bspt *t, uint32_t run)
{
	struct bspt *far = bspt_mix_of(t)->far;

	return far->ops->schedule_over(far, run);
}

uint64_t bspt_mix_schedule_finish(struct bspt *t, uint32_t run,
				  const struct bspt_run_memory *memory)
{
	struct bspt *far = bspt_mix_of(t)->far;

	return far->ops->schedule_finish(far, run, memory);
}

void bspt_mix_schedule_unload(struct bspt *t, uint32_t schedule)
{
	struct bspt *far = bspt_mix_of(t)->far;

	far->ops->schedule_unload(far, schedule);
}

/* ---- For both ------------------------------------------------------------------ */

static void *poll_near(struct bspt_mix *m, int *peer, size_t *len)
{
	int number;
	void *chunk;

	if (!m->near || (m->far && m->near_run == MIX_NEAR_RUN))
		return NULL;
	chunk = m->near->ops->poll(m->near, &number, len);
	if (chunk) {
		*peer = m->near_number[number];
		m->near_run++;
	}
	return chunk;
}

static void *poll_far(struct bspt_mix *m, int *peer, size_t *len)
{
	bool passed_over = m->near_run == MIX_NEAR_RUN;
	void *chunk;

	if (!m->far)
		return NULL;
	m->near_run = 0;
	chunk = m->far->ops->poll(m->far, peer, len);
	return chunk || !passed_over ? chunk : poll_near(m, peer, len);
}

void *bspt_mix_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_mix *m = bspt_mix_of(t);
	void *chunk = poll_near(m, peer, len);

	if (!chunk)
		chunk = poll_far(m, peer, len);
	if (chunk)
		m->waiting_since = 0;
	mix_sum_up(m);
	return chunk;
}

static void mix_sleep(struct bspt_mix *m)
{
	struct timespec time = { .tv_nsec = m->sleep_ns };

	m->near->stats.sleeps++;
	nanosleep(&time, NULL);
	m->sleep_ns = 2 * m->sleep_ns < SLEEP_MOST_NS ? 2 * m->sleep_ns : SLEEP_MOST_NS;
}

/* A far one that sleeps until it is woken: it is none for a network. */
static void wait_by_ourselves(struct bspt_mix *m, unsigned int idle, uint64_t waited)
{
	if (waited < m->wait_policy.spin_ns + m->wait_policy.yield_ns || idle == 0 ||
	    m->far->unsent) {
		m->near->stats.yields++;
		sched_yield();
	} else {
		mix_sleep(m);
	}
}

/*
 * Unsent chunks leave when their receiver polls, which wakes no process: no sleep then. Where all
 * take turns few of them end most waits, so the first ones read no clock and leave the far one's
 * wait() alone, each of which is more pages to find again after a turn; poll() looks at both.
 */
static void wait_for_both(struct bspt_mix *m, unsigned int idle)
{
	uint64_t now, waited;

	if (idle == 0)
		m->waiting_since = 0;
	if (!m->wait_policy.spin_ns && m->wait_policy.yield_ns && idle < YIELDS_FIRST) {
		m->near->stats.yields++;
		sched_yield();
		return;
	}
	now = bspt_now_ns();
	if (!m->waiting_since) {
		m->waiting_since = now;
		m->sleep_ns = SLEEP_LEAST_NS;
		m->far_waits = false;
	}
	if (m->near->unsent)
		idle = 0;
	waited = now - m->waiting_since;
	if (waited < m->wait_policy.spin_ns) {
		m->near->ops->wait(m->near, 0);		/* with 0 it does not sleep */
	} else if (m->far->ops->caps & BSPT_ONE_NODE) {
		wait_by_ourselves(m, idle, waited);
	} else {
		m->far->ops->wait(m->far, m->far_waits ? idle : 0);
		m->far_waits = true;
	}
}

void bspt_mix_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_mix *m = bspt_mix_of(t);
	struct bspt *only = m->near ? m->near : m->far;

	if (m->near && m->far)
		wait_for_both(m, idle);
	else
		only->ops->wait(only, idle);
	mix_sum_up(m);
}

void bspt_mix_survey(struct bspt *t)
{
	struct bspt *near = bspt_mix_of(t)->near;

	if (near)
		near->ops->survey(near);
}

int bspt_mix_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		    size_t *head, size_t *tail)
{
	struct bspt *near = bspt_mix_of(t)->near;

	return near ? near->ops->expose(near, base, len, window, head, tail) : -ENOTSUP;
}

int bspt_mix_withdraw(struct bspt *t, uint64_t window)
{
	struct bspt *near = bspt_mix_of(t)->near;

	return near ? near->ops->withdraw(near, window) : 0;
}

void bspt_mix_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len)
{
	struct bspt *near = bspt_mix_of(t)->near;

	if (near)
		near->ops->collect(near, window, offset, dst, len);
}

void bspt_mix_unexpose(struct bspt *t, uint64_t window)
{
	struct bspt *near = bspt_mix_of(t)->near;

	if (near)
		near->ops->unexpose(near, window);
}

void bspt_mix_publish(struct bspt *t, uint32_t value)
{
	struct bspt *near = bspt_mix_of(t)->near;

	if (near)
		near->ops->publish(near, value);
}
