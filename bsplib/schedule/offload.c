// SPDX-License-Identifier: BSD-3-Clause
/* offload.c - schedules that the transport runs beside the process: the kernel, for one. */

/*
 * The schedules that are run there. A transport that can (BSPT_CAP_SCHEDULE) does so for all
 * processes of the job or for none, and a schedule runs there on all of them or on none, since
 * there its messages travel by themselves. For barriers and collective operations the decision is
 * the same on all processes, without communication: by BSP_OFFLOAD, kind and size. On a schedule of
 * the program the processes vote when it is loaded (offload_agree.c), as their parts of it differ;
 * each votes for it if it can promise to start every run. A schedule that is refused runs in the
 * processes.
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
	struct goal_request *first;	/* under way there */
	size_t n;
	/* for a place, in the order of their starts */
	struct goal_request *waiting, **waiting_end;
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

/* As it is loaded there. */
static const struct goal_prog *offload_prog(const struct goal_schedule *s)
{
	return s->timed.header ? &s->timed : &s->prog;
}

static int offload_load(struct goal_schedule *s)
{
	const struct goal_header *h = offload_prog(s)->header;

	return bspi.net->ops->schedule_load(bspi.net, h, h->bytes, &s->there);
}

void bspi_schedule_offload(struct goal_schedule *s, size_t scratch_bytes, const char *call,
			   const char *site)
{
	int err;

	bspi_times_add(s);
	err = offload_load(s);
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
	const struct goal_header *h = offload_prog(s)->header;
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
	bool may;

	if (offloaded.noffered >= SCHEDULES_MOST)
		return;
	bspi_times_add(s);
	may = offload_has_room(s);
	if (!may && s->timed.header) {
		bspi_times_remove(s);
		may = offload_has_room(s);
	}
	may = may && offload_load(s) == 0;
	if (!may)
		offload_load_empty(s, call, site);
	offloaded.noffered++;
	s->is_offered = s->is_there = true;
	s->block_bytes = may ? offload_prog(s)->header->bytes : 0;
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

void bspi_offload_defer(struct goal_request *r)
{
	struct goal_schedule *s = r->s;

	if (!s->deferred)
		s->deferred_end = &s->deferred;
	r->under_way = r->waits = true;
	r->next_waiting = NULL;
	*s->deferred_end = r;
	s->deferred_end = &r->next_waiting;
	bspi_run_counts(r);
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

struct goal_request *bspi_offload_next_deferred(struct goal_schedule *s)
{
	struct goal_request *r = s->deferred;

	if (!r)
		return NULL;
	s->deferred = r->next_waiting;
	r->under_way = r->waits = false;
	bspi_run_counts_no_more(r);
	return r;
}

/* ---- What goes wrong --- */

static bool offload_is_barrier(const struct goal_request *r)
{
	return r->s->scratch_kept;
}

static uint64_t offload_bytes(const struct goal_request *r)
{
	const struct goal_buffer *b = goal_buffers(&r->s->prog);
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < r->s->prog.header->nbuffers; i++)
		bytes += b[i].bytes;
	return bytes;
}

/* The call that has started it. */
static const char *offload_call_of(const struct goal_request *r)
{
	const struct bspi_schedule_user *user = r->s->user;

	return user ? user->call_name(r->owner) : offload_is_barrier(r) ? "bsp_sync" : "goal_start";
}

static __attribute__((cold)) _Noreturn void offload_refuse(const struct goal_request *r, int err)
{
	const char *call = offload_call_of(r);
	const char *site = r->site ? r->site : bspi_own_site();

	bspi_fail(call, site, "the kernel cannot start a schedule that works with %llu bytes: %s; "
		  "set BSP_OFFLOAD=barrier",
		  (unsigned long long)offload_bytes(r), strerror(-err));
}

static const struct goal_op *offload_find_op(const struct goal_schedule *s, uint32_t index)
{
	const struct goal_prog *prog = offload_prog(s);
	const struct goal_op *op = goal_first_op(prog);

	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		if (op->index == index)
			return op;
	return NULL;
}

void bspi_offload_length_mismatch(uint32_t run, uint32_t operation, int from, uint64_t bytes)
{
	const struct goal_request *r = offloaded.first;
	const struct goal_op *op;

	while (r && r->there != run)
		r = r->next_there;
	op = r ? offload_find_op(r->s, operation) : NULL;
	if (op)
		bspi_run_refuse_length(r, from, op, bytes);
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
static struct bspt_run_memory offload_memory(const struct goal_request *r)
{
	bool copies = r->image && offload_copies(r->s);

	return (struct bspt_run_memory){
		.scratch = r->stamped ? r->stamped : r->interp.scratch,
		.scratch_bytes = r->stamped ? r->s->timed.header->scratch_bytes :
					      r->s->scratch_kept,
		.copy = copies ? r->image : NULL, .copy_bytes = copies ? r->image_bytes : 0,
	};
}

static int offload_start_there(struct goal_request *r)
{
	struct bspt_run_memory memory = offload_memory(r);

	return bspi.net->ops->schedule_start(bspi.net, r->s->there,
					     (void *const *)(r->image ? r->in_image : r->buffers),
					     &memory, &r->there);
}

/* With its buffers in place, or an image of them. */
static int offload_start_somehow(struct goal_request *r)
{
	int err;

	if (!r->image && offload_copies(r->s) &&
	    bspi_pinned_bytes_most(r->s) > bspi.net->pinnable)
		bspi_copy_in(r);
	err = offload_start_there(r);
	if (r->image || !(err == -EFAULT || (err == -ENOMEM && offload_copies(r->s))))
		return err;
	bspi_copy_in(r);
	return offload_start_there(r);
}

static void offload_link(struct goal_request *r)
{
	r->next_there = offloaded.first;
	r->this_there = &offloaded.first;
	if (offloaded.first)
		offloaded.first->this_there = &r->next_there;
	offloaded.first = r;
	offloaded.n++;
}

/* False: there is no place for it now. */
static bool offload_try(struct goal_request *r)
{
	int err;

	if (offloaded.n >= RUNS_MOST && !offload_is_barrier(r))
		return false;
	bspi_times_begin(r);
	r->began_ns = bspi.observers ? bspt_now_ns() : 0;
	err = offload_start_somehow(r);
	if (err == 0) {
		offload_link(r);
		return true;
	}
	if (!offloaded.first || (err != -EBUSY && err != -ENOSPC && err != -ENOMEM))
		offload_refuse(r, err);
	return false;
}

static void offload_settle(struct goal_request *r)
{
	struct bspt_run_memory memory = offload_memory(r);

	*r->this_there = r->next_there;
	if (r->next_there)
		r->next_there->this_there = r->this_there;
	offloaded.n--;
	r->over_ns = bspi.net->ops->schedule_finish(bspi.net, r->there, &memory);
	bspi_times_end(r);
	if (r->image)
		bspi_copy_out(r);
	r->under_way = false;
}

static bool offload_settle_all(void)
{
	struct goal_request *r = offloaded.first, *next;
	bool some = false;

	for (; r; r = next) {
		next = r->next_there;
		if (!bspi.net->ops->schedule_over(bspi.net, r->there))
			continue;
		offload_settle(r);
		some = true;
	}
	return some;
}

static void wait_for_place(struct goal_request *r)
{
	r->waits = true;
	r->next_waiting = NULL;
	*offloaded.waiting_end = r;
	offloaded.waiting_end = &r->next_waiting;
	bspi.goal_work |= BSPI_GOAL_WAITING;
	bspi_run_counts(r);
}

static bool offload_try_next(void)
{
	struct goal_request *r = offloaded.waiting;

	if (!r || !offload_try(r))
		return false;
	offloaded.waiting = r->next_waiting;
	if (!offloaded.waiting)
		offloaded.waiting_end = &offloaded.waiting;
	r->waits = false;
	bspi_run_counts_no_more(r);
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

void bspi_offload_start(struct goal_request *r)
{
	r->under_way = true;
	r->looks = 0;
	if ((!offloaded.waiting || offload_is_barrier(r)) && offload_try(r))
		return;
	wait_for_place(r);
	bspi_offload_progress();	/* others may be over */
}

/* Without a system call while it is not. */
bool bspi_offload_is_over(struct goal_request *r)
{
	if (r->under_way && !r->waits && bspi.net->ops->schedule_over(bspi.net, r->there))
		offload_settle(r);
	return !r->under_way;
}

/* By the thread that makes the calls: a run may be over in the thread of BSP_PROGRESS. */
void bspi_offload_tell(const struct goal_request *r)
{
	if (!r->began_ns || r->over_ns <= r->began_ns)
		return;
	BSPI_EVENT(offloaded, (offload_call_of(r), r->site, r->began_ns, r->over_ns));
	bspi_times_tell(r);
}

/*
 * A process that tests in a loop has to answer others, which may wait for it before they start
 * this run.
 */
bool bspi_offload_test(struct goal_request *r)
{
	if (bspi_offload_is_over(r))
		return true;
	if (!r->waits && ++r->looks % LOOKS)
		return false;
	bspi_drain();
	return bspi_offload_is_over(r);
}
