// SPDX-License-Identifier: BSD-3-Clause
/* offload.c - schedules that the transport runs beside the process: the kernel, for one. */

/*
 * Which schedules. A transport that can (BSPT_CAP_SCHEDULE) does so for all processes of the job
 * or for none, and a schedule runs there on all of them or on none, since there its messages
 * travel by themselves. For barriers and collective operations the decision is the same on all
 * processes, without communication: by BSP_OFFLOAD, kind and size. On a schedule of the program the
 * processes vote when it is loaded (offload_agree.c), as their parts of it differ; each votes for
 * it if it can promise to start every run. A schedule that is refused runs in the processes.
 *
 * The promise. The transport's memory of a process, 256 MiB, is shared out: so much for the blocks
 * of the program's schedules, so much for each run, the rest for collective operations. So a run
 * that is alone has its place, unless the system has no memory. Buffers count as copied, unless
 * this process may pin any number of bytes and the machine has twice as many.
 *
 * Numbers. There the schedules are counted that are loaded there, here all; a run has the
 * number of its start. Both are the same on all processes, and neither side receives messages of
 * the other. A process that votes against a schedule loads an empty one, which has its number.
 *
 * Waiting for a place. There is room for so many runs at once, and so much memory. A run
 * for which there is none is started when others are over, in order, as soon as a call of the
 * library looks. The wait ends: the first run that is not over everywhere was started, or can be,
 * wherever others start in the same order; and barriers do not wait behind the program's runs.
 * Runs that wait for votes are not in this order: processes may load other schedules between their
 * starts.
 *
 * Buffers that the process may not pin, or cannot, are copied (offload_copy.c).
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
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum {
	/* of the program, at once: the rest of what there is is for barriers */
	RUNS_MOST = 192,
	/* schedules of the program, of 1024: the rest is for collective operations */
	SCHEDULES_MOST = 896,
	BLOCKS_MOST = 64 << 20,		/* bytes of their blocks */
	RUN_BYTES_MOST = 128 << 20,	/* memory of the transport for a run of the program */
	/* what it needs there for an operation and a buffer, at most */
	OP_BYTES = 128, BUFFER_BYTES = 128,
	/* tests of a run that is not over between two looks for chunks */
	LOOKS = 32,
};

static struct {
	struct goal_flight *first;	/* under way there */
	size_t n;
	/* for a place, in the order of their starts */
	struct goal_flight *waiting, **waiting_end;
	bool busy;			/* in bspi_offload_progress() */
	/* of the program: schedules that are or were offered, and bytes of those that are there */
	size_t noffered, block_bytes;
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
	int err = bspi.net->ops->schedule_load(bspi.net, h, h->bytes, &s->there);

	if (err < 0)
		bspi_fail(call, site,
			  "the kernel does not take a schedule: %s; set BSP_OFFLOAD=barrier",
			  strerror(-err));
	s->is_there = true;
	s->where = BSPI_RUNS_THERE;
	s->scratch_kept = scratch_bytes;
}

/* Can every run of it be started, wherever its buffers are? */
static bool offload_has_room(const struct goal_schedule *s)
{
	const struct goal_header *h = s->prog.header;
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	bool pins = bspi.net->pinnable == SIZE_MAX && bspi_pinned_bytes_most(s) <= memory / 2;
	uint64_t run = h->scratch_bytes + (pins ? 0 : bspi_copy_bytes_most(s)) +
		       h->nops * (uint64_t)OP_BYTES + h->nbuffers * (uint64_t)BUFFER_BYTES;

	return run <= RUN_BYTES_MOST && h->bytes <= BLOCKS_MOST - offloaded.block_bytes;
}

static void offload_load_empty(struct goal_schedule *s, const char *call, const char *site)
{
	struct goal_header empty = {
		.magic = GOAL_MAGIC, .version = GOAL_VERSION,
		.last_compatible = GOAL_LAST_COMPATIBLE, .bytes = sizeof(empty),
		.nprocs = (uint32_t)bspi.nprocs, .rank = (uint32_t)bspi.me,
		.ops_at = sizeof(empty),
	};
	int err = bspi.net->ops->schedule_load(bspi.net, &empty, sizeof(empty), &s->there);

	if (err < 0)
		bspi_fail(call, site,
			  "the kernel does not take a schedule: %s; set BSP_OFFLOAD=barrier",
			  strerror(-err));
}

/* How many are offered is the same on all processes, as loads and unloads are. */
void bspi_schedule_offer(struct goal_schedule *s, const char *call, const char *site)
{
	const struct goal_header *h = s->prog.header;
	bool may;

	if (offloaded.noffered >= SCHEDULES_MOST)
		return;
	may = offload_has_room(s) &&
	      bspi.net->ops->schedule_load(bspi.net, h, h->bytes, &s->there) == 0;
	if (!may)
		offload_load_empty(s, call, site);
	offloaded.noffered++;
	s->is_offered = s->is_there = true;
	s->block_bytes = may ? h->bytes : 0;
	offloaded.block_bytes += s->block_bytes;
	s->where = BSPI_RUNS_UNDECIDED;
	bspi_offload_vote(s, may);
}

static void offload_remove(struct goal_schedule *s)
{
	if (!s->is_there)
		return;
	bspi.net->ops->schedule_unload(bspi.net, s->there);
	offloaded.block_bytes -= s->block_bytes;
	s->is_there = false;
}

void bspi_offload_unload(struct goal_schedule *s)
{
	if (s->where == BSPI_RUNS_UNDECIDED)
		bspi_offload_forget(s);
	offloaded.noffered -= s->is_offered;
	offload_remove(s);
}

/* ---- Before it is decided --- */

void bspi_offload_defer(struct goal_flight *f)
{
	struct goal_schedule *s = f->s;

	if (!s->deferred)
		s->deferred_end = &s->deferred;
	f->under_way = f->waits = true;
	f->next_waiting = NULL;
	*s->deferred_end = f;
	s->deferred_end = &f->next_waiting;
	bspi_run_counts(f);
}

struct goal_schedule *bspi_offload_decide(void)
{
	struct goal_schedule *s = bspi_offload_next_decided();

	if (!s)
		return NULL;
	s->where = s->refused ? BSPI_RUNS_HERE : BSPI_RUNS_THERE;
	if (s->refused)
		offload_remove(s);
	return s;
}

struct goal_flight *bspi_offload_next_deferred(struct goal_schedule *s)
{
	struct goal_flight *f = s->deferred;

	if (!f)
		return NULL;
	s->deferred = f->next_waiting;
	f->under_way = f->waits = false;
	bspi_run_counts_no_more(f);
	return f;
}

/* ---- What goes wrong --- */

static bool offload_is_barrier(const struct goal_flight *f)
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

	return user ? user->call_name(f->owner) : offload_is_barrier(f) ? "bsp_sync" : "goal_start";
}

static __attribute__((cold)) _Noreturn void offload_refuse(const struct goal_flight *f, int err)
{
	const char *call = offload_call_of(f);
	const char *site = f->site ? f->site : bspi_own_site();

	bspi_fail(call, site, "the kernel cannot start a schedule that works with %llu bytes: %s; "
		  "set BSP_OFFLOAD=barrier",
		  (unsigned long long)offload_bytes(f), strerror(-err));
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

static bool offload_copies(const struct goal_schedule *s)
{
	return bspi_copy_bytes_most(s) <= RUN_BYTES_MOST;
}

/*
 * The memory that goes there with a run, and comes back. An image that is too large for that is
 * pinned, as the buffers would have been.
 */
static struct bspt_run_memory offload_memory(const struct goal_flight *f)
{
	bool copies = f->image && offload_copies(f->s);

	return (struct bspt_run_memory){
		.scratch = f->interp.scratch, .scratch_bytes = f->s->scratch_kept,
		.copy = copies ? f->image : NULL, .copy_bytes = copies ? f->image_bytes : 0,
	};
}

static int offload_start_there(struct goal_flight *f)
{
	struct bspt_run_memory memory = offload_memory(f);

	return bspi.net->ops->schedule_start(bspi.net, f->s->there,
					     (void *const *)(f->image ? f->in_image : f->buffers),
					     &memory, &f->there);
}

/* With its buffers in place, or an image of them. */
static int offload_start_somehow(struct goal_flight *f)
{
	int err;

	if (!f->image && offload_copies(f->s) &&
	    bspi_pinned_bytes_most(f->s) > bspi.net->pinnable)
		bspi_copy_in(f);
	err = offload_start_there(f);
	if (f->image || !(err == -EFAULT || (err == -ENOMEM && offload_copies(f->s))))
		return err;
	bspi_copy_in(f);
	return offload_start_there(f);
}

static void offload_link(struct goal_flight *f)
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
	int err;

	if (offloaded.n >= RUNS_MOST && !offload_is_barrier(f))
		return false;
	f->began_ns = bspi.observers ? bspt_now_ns() : 0;
	err = offload_start_somehow(f);
	if (err == 0) {
		offload_link(f);
		return true;
	}
	if (!offloaded.first || (err != -EBUSY && err != -ENOSPC && err != -ENOMEM))
		offload_refuse(f, err);
	return false;
}

static void offload_settle(struct goal_flight *f)
{
	struct bspt_run_memory memory = offload_memory(f);

	*f->this_there = f->next_there;
	if (f->next_there)
		f->next_there->this_there = f->this_there;
	offloaded.n--;
	f->over_ns = bspi.net->ops->schedule_finish(bspi.net, f->there, &memory);
	if (f->image)
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
	if ((!offloaded.waiting || offload_is_barrier(f)) && offload_try(f))
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
