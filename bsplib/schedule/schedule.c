// SPDX-License-Identifier: BSD-3-Clause
/* schedule.c - schedules are loaded, and their runs started, moved on, waited for and ended. */

/*
 * A message that arrives is matched at once (schedule_move.c) and its run noted; the
 * operations that get ready by that are started by bspi_schedules_progress(), which alone sends.
 * It does not nest: a chunk that arrives while it waits for memory is put aside (engine/in.c).
 *
 * Runs that have ended keep their memory and their scratchpad for the next of their schedule,
 * so a start allocates nothing unless more of them are under way than ever before.
 */

#include "bsplib/schedule/schedule.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/in.h"
#include "bsplib/schedule/run.h"
#include "bsplib/transfer/region.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUES_MOST = 1024 };	/* of a run */

static bool progressing;	/* in bspi_schedules_progress(), or the first step of a run */

/* ---- What the interpreter asks for ----------------------------------------------------- */

static void host_call(struct goal_run *run, const struct goal_op *op)
{
	struct goal_request *r = bspi_run_of(run);
	const struct goal_part *parts = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; i++)
		r->s->pieces[i] = goal_run_at(run, &parts[i]);
	r->s->user->calls[op->tag](r->owner, op, r->s->pieces);
}

static uint64_t host_now(struct goal_run *run)
{
	(void)run;
	return bspi_now();
}

static const struct goal_host schedule_host = { .move = bspi_carry, .call = host_call,
						.now = host_now };

/* ---- Loading -------------------------------------------------------------------------- */

static int schedule_check(struct goal_schedule *s, const void *block, size_t len, uint32_t ncalls,
			  size_t *at)
{
	size_t work_bytes = goal_check_bytes(len);
	void *work = malloc(work_bytes ? work_bytes : 1);
	int err;

	if (!work)
		bspi_fail_memory("goal_load", bspi_own_site());
	err = goal_check(block, len, ncalls, work, work_bytes, &s->prog, at);
	free(work);
	if (err < 0)
		return err;
	if (s->prog.header->nprocs == (uint32_t)bspi.nprocs &&
	    s->prog.header->rank == (uint32_t)bspi.me)
		return 0;
	*at = offsetof(struct goal_header, nprocs);
	return -GOAL_ERANK;
}

/*
 * Queues of its runs: one if there is a receive from any. Room for the pieces of a call. Bytes that
 * a run sends and receives.
 */
static void schedule_make_room(struct goal_schedule *s)
{
	const struct goal_header *h = s->prog.header;
	const struct goal_op *op = goal_op_at(&s->prog, h->ops_at);
	uint32_t n = 1, pieces = 1;
	bool from_any = false;

	for (uint32_t i = 0; i < h->nops; i++, op = goal_op_next(op)) {
		s->bytes_out += op->type == GOAL_SEND ? op->bytes : 0;
		s->bytes_out += op->type == GOAL_MULTICAST ? op->bytes * (bspi.nprocs - 1) : 0;
		s->bytes_in += op->type == GOAL_RECV ? op->bytes : 0;
		if (op->type == GOAL_CALL && op->nparts > pieces)
			pieces = op->nparts;
		if (op->type != GOAL_RECV)
			continue;
		s->nreceives++;
		from_any |= op->peer == GOAL_ANY || op->tag == GOAL_ANY;
	}
	while (!from_any && n < s->nreceives && n < QUEUES_MOST)
		n *= 2;
	s->queue_mask = n - 1;
	s->pieces = malloc(pieces * sizeof(*s->pieces));
	if (!s->pieces)
		bspi_fail_memory("goal_load", bspi_own_site());
}

/* All but its number. */
static int schedule_read(const void *block, size_t len, const struct bspi_schedule_user *user,
			 struct goal_schedule **out, size_t *at)
{
	struct goal_schedule *s = bspi_schedule_new();
	void *copy = len <= GOAL_BLOCK_MOST ? malloc(len ? len : 1) : NULL;
	int err = -GOAL_ETRUNCATED;

	*at = 0;
	if (!s || (!copy && len <= GOAL_BLOCK_MOST))
		bspi_fail_memory("goal_load", bspi_own_site());
	if (copy)
		err = schedule_check(s, memcpy(copy, block, len), len, user ? user->ncalls : 0, at);
	if (err < 0) {
		free(copy);
		s->prog.header = NULL;
		bspi_schedule_give_back(s);
		return err;
	}
	s->user = user;
	schedule_make_room(s);
	*out = s;
	return 0;
}

int bspi_schedule_load(const void *block, size_t len, const struct bspi_schedule_user *user,
		       struct goal_schedule **s, size_t *at)
{
	int err = schedule_read(block, len, user, s, at);

	if (err == 0)
		bspi_schedule_enter(*s);
	return err;
}

int bspi_schedule_load_member(const void *block, size_t len, const struct bspi_schedule_user *user,
			      struct goal_schedule *family, struct goal_schedule **s, size_t *at)
{
	int err = schedule_read(block, len, user, s, at);

	if (err < 0)
		return err;
	(*s)->family = family;
	bspi_schedule_enter_member(*s);
	return 0;
}

/* Messages of its number are the family's. */
void bspi_schedule_unload_member(struct goal_schedule *s)
{
	bspi_schedule_remove(s);
	bspi_schedule_give_back(s);
}

void bspi_schedule_not_counted(struct goal_schedule *s)
{
	s->bytes_out = s->bytes_in = 0;
}

void bspi_schedule_takes_lengths(struct goal_schedule *s, uint32_t unit)
{
	bspi_schedule_not_counted(s);	/* each run is, by its lengths */
	s->unit = unit;
}

void bspi_schedule_unload(struct goal_schedule *s)
{
	bspi_schedule_remove(s);
	bspi_offload_unload(s);
	bspi_match_unload(s->number);
	bspi_schedule_give_back(s);
}

const struct goal_header *bspi_schedule_header(const struct goal_schedule *s)
{
	return s->prog.header;
}

bool bspi_schedule_begins_with(const struct goal_schedule *s, int pid)
{
	const struct goal_header *h = s->prog.header;
	const struct goal_op *op = goal_op_at(&s->prog, h->ops_at);

	if (s->where != BSPI_RUNS_HERE)
		return false;
	for (uint32_t i = 0; i < h->nindep; i++, op = goal_op_next(op))
		if (op->type == GOAL_MULTICAST ||
		    (op->type == GOAL_SEND && op->peer == (uint32_t)pid))
			return true;
	return false;
}

/* ---- Runs: memory ---------------------------------------------------------------------- */

static size_t run_align(size_t n)
{
	return (n + 15) & ~(size_t)15;
}

/* For what is offloaded the transport has the rest; a run with lengths has its caller's. */
static void *run_new_scratch(const struct goal_schedule *s)
{
	size_t bytes = s->where == BSPI_RUNS_HERE ? s->prog.header->scratch_bytes :
		       s->scratch_kept;
	void *scratch;

	if (s->unit || !bytes)
		return NULL;
	scratch = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	if (!scratch)
		bspi_fail_memory("goal_start", bspi_own_site());
	return memset(scratch, 0, bytes);
}

/* The schedule, or if runs give lengths a copy of it, at @copy. */
static struct goal_prog run_prog(const struct goal_schedule *s, void *copy)
{
	struct goal_prog prog = s->prog;

	if (s->unit)
		prog.header = memcpy(copy, s->prog.header, s->prog.header->bytes);
	return prog;
}

/* One piece of memory: the run, the interpreter's, receives, queues, buffers, the schedule. */
static struct goal_request *run_new(struct goal_schedule *s)
{
	size_t run = run_align(sizeof(struct goal_request));
	size_t posted = run + run_align(goal_run_bytes(&s->prog, bspi.clock));
	size_t queues = posted + run_align(s->nreceives * sizeof(struct bspi_run_posted));
	size_t buffers = queues + run_align((s->queue_mask + 1) * sizeof(struct bspi_run_queue));
	size_t copy = buffers + run_align(s->prog.header->nbuffers * sizeof(void *));
	char *memory = calloc(1, copy + (s->unit ? s->prog.header->bytes : 0));
	struct goal_request *r = (struct goal_request *)memory;
	struct goal_prog prog;

	if (!r)
		bspi_fail_memory("goal_start", bspi_own_site());
	r->s = s;
	r->posted = (struct bspi_run_posted *)(memory + posted);
	r->queues = (struct bspi_run_queue *)(memory + queues);
	r->buffers = (unsigned char **)(memory + buffers);
	r->ended = true;
	prog = run_prog(s, memory + copy);
	goal_run_init(&r->interp, &prog, &schedule_host, r, bspi.clock, memory + run,
		      run_new_scratch(s));
	return r;
}

static struct goal_request *run_next(struct goal_schedule *s)
{
	if (!s->pool)
		s->pool = run_new(s);
	return s->pool;
}

void *bspi_schedule_scratch(struct goal_schedule *s)
{
	return run_next(s)->interp.scratch;
}

void *bspi_run_scratch(struct goal_request *r)
{
	return r->interp.scratch;
}

/* ---- Runs: under way ---------------------------------------------------------------------- */

static void run_empty_queues(struct goal_request *r)
{
	r->nposted = 0;
	r->nwaiting = 0;
	for (uint32_t i = 0; i <= r->s->queue_mask; i++) {
		struct bspi_run_queue *q = &r->queues[i];

		*q = (struct bspi_run_queue){ .posted_end = &q->posted,
					     .waiting_end = &q->waiting };
	}
}

/*
 * Start its first operations; if others are being started, bspi_schedules_progress() does it when
 * they are.
 */
static void run_begin(struct goal_request *r)
{
	if (progressing) {
		bspi_run_note_ready(r);
		return;
	}
	progressing = true;
	bspi_run_step(r);
	progressing = false;
	if (BSPI_UNLIKELY(bspi.goal_work))
		bspi_schedules_progress();
}

/* It gets its number now: messages of runs to come are stored by it. */
static void run_go(struct goal_request *r)
{
	r->number = (r->s->family ? r->s->family : r->s)->next_run++;
	if (r->s->where == BSPI_RUNS_HERE) {
		if (!r->interp.scratch)
			r->interp.scratch = run_new_scratch(r->s);	/* it was not to be here */
		bspi.stat.runs++;
		run_empty_queues(r);
		bspi_run_enter(r);
		bspi_match_start(r);
		goal_run_start(&r->interp, r->buffers, bspi.clock ? bspi_now() : 0);
		run_begin(r);
		return;
	}
	bspi.stat.offloaded++;
	bspi_offload_start(r);
}

static struct goal_request *run_take(struct goal_schedule *s, void *const *buffers, void *owner,
				    const char *site)
{
	struct goal_request *r = run_next(s);

	s->pool = r->next;
	s->nlive++;
	r->owner = owner;
	r->site = site;
	r->ended = false;
	for (uint32_t i = 0; i < s->prog.header->nbuffers; i++)
		r->buffers[i] = buffers[i];
	return r;
}

struct goal_request *bspi_run_start(struct goal_schedule *s, void *const *buffers, void *owner,
				      const char *site)
{
	struct goal_request *r;

	if (BSPI_UNLIKELY(s->where == BSPI_RUNS_UNDECIDED))
		bspi_drain();	/* votes may have come: then it need not wait for the next call */
	r = run_take(s, buffers, owner, site);
	bspi.stat.bytes_out += s->bytes_out;
	bspi.stat.bytes_in += s->bytes_in;
	if (s->where == BSPI_RUNS_UNDECIDED)
		bspi_offload_defer(r);
	else
		run_go(r);
	return r;
}

struct goal_request *bspi_run_start_apart(struct goal_schedule *s, void *const *buffers,
					 const struct bspi_blocks *blocks, void *scratch,
					 void *owner, const char *site)
{
	struct goal_request *r = run_take(s, buffers, owner, site);

	bspi_lengths_set(r, blocks, scratch);
	run_go(r);
	return r;
}

bool bspi_schedules_progress(void)
{
	bool moved = false;

	if (progressing)
		return false;
	progressing = true;
	do {
		moved |= bspi_runs_step();
		if (!(bspi.goal_work & BSPI_GOAL_CARRY))
			break;
		bspi.goal_work &= ~(BSPI_GOAL_READY | BSPI_GOAL_CARRY);
		moved |= bspi_carry_on();
	} while (bspi.goal_work & BSPI_GOAL_READY);
	bspi.goal_work &= ~BSPI_GOAL_READY;
	progressing = false;
	if (BSPI_UNLIKELY(bspi.goal_work & BSPI_GOAL_DECIDED)) {
		struct goal_schedule *s;
		struct goal_request *r;

		while ((s = bspi_offload_decide()))
			while ((r = bspi_offload_next_deferred(s)))
				run_go(r);
		moved = true;
	}
	if (BSPI_UNLIKELY(bspi.goal_work & BSPI_GOAL_WAITING))
		moved |= bspi_offload_progress();
	return moved;
}

void bspi_schedules_next_step(void)
{
	bspi.goal_work |= BSPI_GOAL_CARRY;
	bspi_schedules_progress();
}

/* Called at the entry of a call, where the process computes. */
void bspi_schedules_poll(void)
{
	bspi_enter();
	bspi_computing(false);
	bspi_drain();
	bspi_computing(true);
	bspi_leave();
}

/* ---- Runs: waiting --- */

static void run_reach_end(const struct goal_request *r)
{
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->reach(bspi.net, goal_run_last(&r->interp));
}

bool bspi_run_test(struct goal_request *r)
{
	if (r->s->where == BSPI_RUNS_THERE)
		return bspi_offload_test(r);
	if (r->under_way)
		bspi_drain();
	if (r->under_way)
		return false;
	run_reach_end(r);
	return true;
}

static bool run_is_over(struct goal_request *r)
{
	return r->s->where == BSPI_RUNS_THERE ? bspi_offload_is_over(r) : !r->under_way;
}

static void run_explain_wait(const struct goal_request *r)
{
	if (!bspi.net || bspi.nprocs == 1)
		bspi_fail("goal_wait", r->site, "the run that was started here waits for a "
			  "message, and there is no other process");
	bspi_show_waiting_again("goal_wait", r->site,
				"messages of the run that was started there");
}

/* The second wait in a row may be one that sleeps, so the status is shown before it. */
void bspi_run_wait(struct goal_request *r)
{
	unsigned int idle = 0;
	bool explained = false;

	if (!bspi.syncing)
		bspi_show_awaited(BSPI_WAIT_RUN, 0, 0);
	while (!run_is_over(r)) {
		if (!bspi.net || (idle > 0 && !explained && !bspi.syncing)) {
			run_explain_wait(r);
			explained = true;
		}
		bspi_pump(&idle);
	}
	if (!bspi.syncing)
		bspi_show_computing();
	run_reach_end(r);
}

void bspi_run_end(struct goal_request *r)
{
	if (BSPI_UNLIKELY(r->s->where == BSPI_RUNS_THERE))
		bspi_offload_tell(r);
	r->ended = true;
	r->s->nlive--;
	r->next = r->s->pool;
	r->s->pool = r;
}

/* ---- Open, close --------------------------------------------------------------------------- */

void bspi_schedules_open(void)
{
	progressing = false;
	bspi_runs_open();
	bspi_match_open();
	bspi_carry_open();
	bspi_offload_agree_open();
	bspi_hooks.poll = bspi_schedules_poll;
	bspi_hooks.move_goals = bspi_schedules_progress;
	bspi_hooks.on_goals = bspi_carry_arrived;
}

void bspi_schedules_close(void)
{
	bspi_runs_close();
	bspi_carry_close();
	bspi_match_close();
	bspi_offload_agree_close();
	bspi_offload_close();
	bspi.goal_work = bspi.flying = false;
}
