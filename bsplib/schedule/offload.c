// SPDX-License-Identifier: BSD-3-Clause
/* offload.c - schedules that the transport runs beside the process: the kernel, for one. */

/*
 * Which schedules. A transport that can (BSPT_CAP_SCHEDULE) does so for all processes of the job
 * or for none, and a schedule runs there on all of them or on none, since there its messages
 * travel by themselves. So what decides is the same on all processes, without communication:
 * BSP_OFFLOAD, the kind and size of a collective operation; and if the transport then refuses a
 * schedule that it should take, the job ends with a message that names the remedy.
 *
 * Numbers. There the schedules are counted that are loaded there, here all; a run has the
 * number of its start. Both are the same on all processes, and neither side receives messages of
 * the other.
 *
 * Waiting for a place. There is room for so many runs at once, and so much memory. A run
 * for which there is none is started when others are over, in order, as soon as a call of the
 * library looks. That ends: the first run that is not over everywhere was started, or can be,
 * wherever others start in the same order; and barriers do not wait behind the program's runs.
 *
 * Buffers that are more than the process may pin are copied (offload_copy.c).
 *
 * A run that is over is given back when it is tested or waited for, or when others wait for
 * its place.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/in.h"
#include "bsplib/schedule/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* of the program, at once: the rest of what there is is for barriers */
	RUNS_MOST = 192,
	/* tests of a run that is not over between two looks for chunks */
	LOOKS = 32,
};

static struct {
	struct goal_flight *first;	/* under way there */
	size_t n;
	/* for a place, in the order of their starts */
	struct goal_flight *waiting, **waiting_end;
	bool busy;			/* in bspi_offload_progress() */
} offloaded = { .waiting_end = &offloaded.waiting };

/* ---- Whether ------------------------------------------------------------------------------ */

bool bspi_offload_is_on(enum bspi_offload what)
{
	bool all = strcmp(bspi.env.offload, "1") == 0;

	return bspi.net && bspi.net->runs_schedules &&
	       (all || (what == BSPI_OFFLOAD_BARRIER && strcmp(bspi.env.offload, "barrier") == 0));
}

void bspi_offload_close(void)
{
	memset(&offloaded, 0, sizeof(offloaded));
	offloaded.waiting_end = &offloaded.waiting;
}

/* ---- Schedules ------------------------------------------------------------------------------ */

void bspi_schedule_offload(struct goal_schedule *s, size_t scratch_bytes, const char *call,
			   const char *site)
{
	const struct goal_header *h = s->prog.header;
	struct goal_header *copies = bspi_copy_block(s);
	int err = bspi.net->ops->schedule_load(bspi.net, copies ? copies : h, h->bytes, &s->there);

	free(copies);
	if (err == -EBADMSG)
		bspi_fail(call, site, "the kernel does not take a schedule with local operations "
			  "of so many bytes; set BSP_OFFLOAD=barrier");
	if (err == -ENOSPC)
		bspi_fail(call, site, "the kernel keeps no more schedules of a process, by number "
			  "(1024) or by size (256 MiB); call goal_unload for some, or set "
			  "BSP_OFFLOAD=barrier");
	if (err < 0)
		bspi_fail(call, site,
			  "the kernel does not take a schedule: %s; set BSP_OFFLOAD=barrier",
			  strerror(-err));
	s->offloaded = true;
	s->scratch_kept = scratch_bytes;
}

void bspi_offload_unload(struct goal_schedule *s)
{
	bspi.net->ops->schedule_unload(bspi.net, s->there);
}

/* ---- What goes wrong --- */

static bool is_barrier(const struct goal_flight *f)
{
	return f->s->scratch_kept;
}

static uint64_t offload_bytes(const struct goal_flight *f)
{
	const struct goal_buffer *b = goal_buffers(&f->s->prog);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < f->s->prog.header->nbuffers; i++)
		bytes += b[i].bytes;
	return bytes;
}

/* The call that has started it. */
static const char *offload_call_of(const struct goal_flight *f)
{
	const struct bspi_schedule_user *user = f->s->user;

	return user ? user->call_name(f->owner) : is_barrier(f) ? "bsp_sync" : "goal_start";
}

static __attribute__((cold)) _Noreturn void offload_refuse(const struct goal_flight *f, int err)
{
	const char *call = offload_call_of(f);
	const char *site = f->site ? f->site : bspi_own_site();
	unsigned long long bytes = offload_bytes(f);

	if (err == -ENOMEM && !f->s->copied)
		bspi_fail(call, site, "the kernel may not keep the %llu bytes in place that the "
			  "schedule works with; raise the limit (ulimit -l), or set "
			  "BSP_OFFLOAD=barrier",
			  bytes);
	if (err == -EFAULT)
		bspi_fail(call, site, "the kernel cannot keep the %llu bytes in place that the "
			  "schedule works with: some are not there, may not be written, or belong "
			  "to a device; set BSP_OFFLOAD=barrier",
			  bytes);
	if (err == -ENOSPC)
		bspi_fail(call, site, "the schedule needs more of the kernel's memory than a "
			  "process may use, 256 MiB; set BSP_OFFLOAD=barrier");
	bspi_fail(call, site,
		  "the kernel cannot start a schedule: %s; set BSP_OFFLOAD=barrier",
		  strerror(-err));
}

static const struct goal_op *offload_find_op(const struct goal_schedule *s, uint32_t index)
{
	const struct goal_op *op = goal_op_at(&s->prog, s->prog.header->ops_at);

	for (uint32_t i = 0; i < s->prog.header->nops; i++, op = goal_op_next(op))
		if (op->index == index)
			return op;
	return NULL;
}

void bspi_offload_length_mismatch(uint32_t run, uint32_t operation, int from, uint64_t bytes)
{
	const struct goal_flight *f = offloaded.first;
	const struct goal_op *op;

	while (f && f->there != run)
		f = f->next_there;
	op = f ? offload_find_op(f->s, operation) : NULL;
	if (op)
		bspi_run_refuse_length(f, from, op, bytes);
}

/* ---- Runs --- */

/* What goes there with a run, and comes back: its buffers, or the beginning of its scratchpad. */
static void *offload_memory(const struct goal_flight *f, size_t *bytes)
{
	*bytes = f->s->copied ? f->s->copied : f->s->scratch_kept;
	return f->s->copied ? (void *)f->copy : f->interp.scratch;
}

static void offload_enlist(struct goal_flight *f)
{
	f->next_there = offloaded.first;
	f->this_there = &offloaded.first;
	if (offloaded.first)
		offloaded.first->this_there = &f->next_there;
	offloaded.first = f;
	offloaded.n++;
}

/* False: there is no place for it now. */
static bool offload_try(struct goal_flight *f)
{
	size_t bytes;
	void *memory = offload_memory(f, &bytes);
	int err;

	if (offloaded.n >= RUNS_MOST && !is_barrier(f))
		return false;
	f->began_ns = bspi.observers ? bspt_now_ns() : 0;
	err = bspi.net->ops->schedule_start(bspi.net, f->s->there, (void *const *)f->buffers,
					    memory, bytes, &f->there);
	if (err == 0) {
		offload_enlist(f);
		return true;
	}
	if (!offloaded.first || (err != -EBUSY && err != -ENOSPC && err != -ENOMEM))
		offload_refuse(f, err);
	return false;
}

static void offload_settle(struct goal_flight *f)
{
	size_t bytes;
	void *memory = offload_memory(f, &bytes);

	*f->this_there = f->next_there;
	if (f->next_there)
		f->next_there->this_there = f->this_there;
	offloaded.n--;
	f->over_ns = bspi.net->ops->schedule_finish(bspi.net, f->there, memory, bytes);
	if (f->s->copied)
		bspi_copy_out(f);
	f->under_way = false;
}

static bool offload_settle_all(void)
{
	struct goal_flight *f = offloaded.first, *next;
	bool some = false;

	for (; f; f = next) {
		next = f->next_there;
		if (!bspi.net->ops->schedule_over(bspi.net, f->there))
			continue;
		offload_settle(f);
		some = true;
	}
	return some;
}

static void wait_for_place(struct goal_flight *f)
{
	f->waits = true;
	f->next_waiting = NULL;
	*offloaded.waiting_end = f;
	offloaded.waiting_end = &f->next_waiting;
	bspi.goal_work |= BSPI_GOAL_WAITING;
	bspi_run_counts(f);
}

static bool offload_try_next(void)
{
	struct goal_flight *f = offloaded.waiting;

	if (!f || !offload_try(f))
		return false;
	offloaded.waiting = f->next_waiting;
	if (!offloaded.waiting)
		offloaded.waiting_end = &offloaded.waiting;
	f->waits = false;
	bspi_run_counts_no_more(f);
	return true;
}

bool bspi_offload_progress(void)
{
	bool some;

	if (offloaded.busy)
		/* the transport calls bspi_offload_length_mismatch() in it */
		return false;
	offloaded.busy = true;
	some = offload_settle_all();
	while (offload_try_next())
		some = true;
	if (!offloaded.waiting)
		bspi.goal_work &= ~BSPI_GOAL_WAITING;
	offloaded.busy = false;
	return some;
}

void bspi_offload_start(struct goal_flight *f)
{
	f->under_way = true;
	f->looks = 0;
	if (f->s->copied)
		bspi_copy_in(f);
	if ((!offloaded.waiting || is_barrier(f)) && offload_try(f))
		return;
	wait_for_place(f);
	bspi_offload_progress();	/* others may be over */
}

/* Without a system call while it is not. */
bool bspi_offload_is_over(struct goal_flight *f)
{
	if (f->under_way && !f->waits && bspi.net->ops->schedule_over(bspi.net, f->there))
		offload_settle(f);
	return !f->under_way;
}

/* By the thread that makes the calls: a run may be over in the thread of BSP_PROGRESS. */
void bspi_offload_tell(const struct goal_flight *f)
{
	if (f->began_ns && f->over_ns > f->began_ns)
		BSPI_EVENT(offloaded, (offload_call_of(f), f->site, f->began_ns, f->over_ns));
}

/*
 * A process that tests in a loop has to answer others, which may wait for it before they start
 * this run.
 */
bool bspi_offload_test(struct goal_flight *f)
{
	if (bspi_offload_is_over(f))
		return true;
	if (!f->waits && ++f->looks % LOOKS)
		return false;
	bspi_drain();
	return bspi_offload_is_over(f);
}
