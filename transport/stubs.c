// SPDX-License-Identifier: BSD-3-Clause
/* stubs.c - what stands in the slots of capabilities that a transport does not have. */

#include "transport.h"

#include <errno.h>

static void no_count_add(struct bspt *t, int peer, uint32_t n)
{
	(void)t;
	(void)peer;
	(void)n;
}

static void no_count_enter(struct bspt *t, uint32_t word)
{
	(void)t;
	(void)word;
}

static bool no_count_test(struct bspt *t, struct bspt_counts *result)
{
	(void)t;
	(void)result;
	return false;
}

static bool no_count_full(struct bspt *t, uint32_t *out, struct bspt_counts *node)
{
	(void)t, (void)out, (void)node;
	return false;
}

static void no_count_release(struct bspt *t, const uint32_t *in, const struct bspt_counts *all)
{
	(void)t, (void)in, (void)all;
}

static void no_survey(struct bspt *t)
{
	(void)t;
}

static int no_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		     size_t *head, size_t *tail)
{
	(void)t;
	(void)base;
	(void)len;
	(void)window;
	(void)head;
	(void)tail;
	return -EOPNOTSUPP;
}

static int no_withdraw(struct bspt *t, uint64_t window)
{
	(void)t;
	(void)window;
	return 0;
}

static void no_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len)
{
	(void)t;
	(void)window;
	(void)offset;
	(void)dst;
	(void)len;
}

static void no_unexpose(struct bspt *t, uint64_t window)
{
	(void)t;
	(void)window;
}

static void no_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			    const void *src, size_t len)
{
	(void)t;
	(void)peer;
	(void)window;
	(void)offset;
	(void)src;
	(void)len;
}

static void no_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			   void *dst, size_t len)
{
	(void)t;
	(void)peer;
	(void)window;
	(void)offset;
	(void)dst;
	(void)len;
}

static void no_publish(struct bspt *t, uint32_t value)
{
	(void)t;
	(void)value;
}

static uint32_t no_published_by(struct bspt *t, int peer)
{
	(void)t;
	(void)peer;
	return 0;
}

/* Never done: a caller that checks capabilities does not call it. */
static void no_bulk(struct bspt *t, struct bspt_bulk *b)
{
	(void)t;
	(void)b;
}

static int no_schedule_load(struct bspt *t, const void *block, size_t len, uint32_t *schedule)
{
	(void)t;
	(void)block;
	(void)len;
	(void)schedule;
	return -ENOTSUP;
}

static int no_schedule_start(struct bspt *t, uint32_t schedule, void *const *buffers,
			     const struct bspt_run_memory *memory, uint32_t *run)
{
	(void)t;
	(void)schedule;
	(void)buffers;
	(void)memory;
	(void)run;
	return -ENOTSUP;
}

static bool no_schedule_over(struct bspt *t, uint32_t run)
{
	(void)t;
	(void)run;
	return false;
}

static uint64_t no_schedule_finish(struct bspt *t, uint32_t run,
				   const struct bspt_run_memory *memory)
{
	(void)t;
	(void)run;
	(void)memory;
	return 0;
}

static void no_schedule_unload(struct bspt *t, uint32_t schedule)
{
	(void)t;
	(void)schedule;
}

static uint64_t no_now(struct bspt *t)
{
	(void)t;
	return 0;
}

static void no_computing(struct bspt *t, bool on)
{
	(void)t;
	(void)on;
}

static uint64_t no_arrival(struct bspt *t, int peer, const void *chunk)
{
	(void)t;
	(void)peer;
	(void)chunk;
	return 0;
}

static void no_advance(struct bspt *t, struct bspt_event *events, size_t n)
{
	(void)t;
	(void)events;
	(void)n;
}

static uint64_t no_send_at(struct bspt *t, int peer, void *chunk, size_t len, uint64_t when)
{
	t->ops->send(t, peer, chunk, len);
	return when;
}

static uint64_t no_receive_at(struct bspt *t, const struct bspt_event *event, uint64_t when)
{
	(void)t;
	(void)event;
	return when;
}

static void no_charge(struct bspt *t, uint64_t ns)
{
	(void)t;
	(void)ns;
}

static void no_reach(struct bspt *t, uint64_t when)
{
	(void)t;
	(void)when;
}

void bspt_complete(struct bspt_ops *ops)
{
	if (!(ops->caps & (BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES))) {
		ops->count_add = no_count_add;
		ops->count_enter = no_count_enter;
		ops->count_test = no_count_test;
	}
	if (!(ops->caps & BSPT_CAP_COUNTING_NODES)) {
		ops->count_full = no_count_full;
		ops->count_release = no_count_release;
	}
	if (!(ops->caps & BSPT_CAP_WINDOW)) {
		ops->survey = no_survey;
		ops->expose = no_expose;
		ops->withdraw = no_withdraw;
		ops->collect = no_collect;
		ops->unexpose = no_unexpose;
		ops->window_write = no_window_write;
		ops->window_read = no_window_read;
		ops->publish = no_publish;
		ops->published_by = no_published_by;
	}
	if (!(ops->caps & BSPT_CAP_BULK)) {
		ops->bulk_send = no_bulk;
		ops->bulk_recv = no_bulk;
	}
	if (!(ops->caps & BSPT_CAP_SCHEDULE)) {
		ops->schedule_load = no_schedule_load;
		ops->schedule_start = no_schedule_start;
		ops->schedule_over = no_schedule_over;
		ops->schedule_finish = no_schedule_finish;
		ops->schedule_unload = no_schedule_unload;
	}
	if (!(ops->caps & BSPT_CAP_CLOCK)) {
		ops->now = no_now;
		ops->computing = no_computing;
		ops->arrival = no_arrival;
		ops->advance = no_advance;
		ops->send_at = no_send_at;
		ops->receive_at = no_receive_at;
		ops->charge = no_charge;
		ops->reach = no_reach;
	}
	ops->caps |= BSPT_COMPLETE;
}
