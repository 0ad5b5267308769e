// SPDX-License-Identifier: BSD-3-Clause
/* schedule.c - schedules are loaded, and their flights started, moved on, waited for and ended. */

/*
 * A message that has come is matched at once (schedule_move.c) and its flight noted; whatever gets ready by that is started
 * by bspi_schedules_progress(), which is the only place where anything is sent. It is not called while it is at work: a chunk
 * that comes when it waits for memory is put aside (superstep.c).
 *
 * Numbers. That of a schedule is not used again before 2^24 others have been loaded, since messages of one that is
 * unloaded here may still come.
 *
 * Flights that have ended keep their memory and their scratchpad for the next of their schedule, so a start allocates
 * nothing unless more of them are under way than ever before.
 */

#include "bsplib/schedule/schedule.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/in.h"
#include "bsplib/schedule/flight.h"
#include "bsplib/transfer/region.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUCKETS = 256,			/* of flights and schedules: powers of two */
	QUEUES_MOST = 1024,		/* of a flight */
	NUMBERS = 1 << 24,		/* of schedules */
};

static struct {
	struct goal_flight *flights[BUCKETS];		/* under way */
	struct goal_schedule *schedules[BUCKETS];
	struct goal_schedule *unloaded;	/* kept for the next load, so that their use is noticed */
	uint32_t next_number;
	struct goal_flight *ready, **ready_end;
	size_t under_way;
	size_t flying;			/* of these, started by the program */
	bool busy;			/* in bspi_schedules_progress() */
} goal;

/* ---- Finding ------------------------------------------------------------------------ */

static inline struct goal_flight **flights_of(uint32_t schedule, uint32_t number)
{
	return &goal.flights[bspi_flight_hash(schedule, number) % BUCKETS];
}

struct goal_flight *bspi_flight_find(uint32_t schedule, uint32_t number)
{
	struct goal_flight *f = *flights_of(schedule, number);

	while (f && (f->number != number || f->s->number != schedule))
		f = f->next;
	return f;
}

static struct goal_schedule *find_schedule(uint32_t number)
{
	struct goal_schedule *s = goal.schedules[number % BUCKETS];

	while (s && s->number != number)
		s = s->next;
	return s;
}

/* Has a schedule of that number been loaded? Numbers begin again, so those of the last half have. */
static bool is_of_the_past(uint32_t number)
{
	uint32_t behind = (goal.next_number - number) % NUMBERS;

	return behind > 0 && behind < NUMBERS / 2;
}

bool bspi_flight_may_come(uint32_t schedule, uint32_t number)
{
	const struct goal_schedule *s = find_schedule(schedule);

	return s ? (int32_t)(number - s->next_flight) >= 0 : !is_of_the_past(schedule);
}

/* ---- What the interpreter asks for ----------------------------------------------------- */

static void call(struct goal_run *run, const struct goal_op *op)
{
	struct goal_flight *f = bspi_flight_of(run);
	const struct goal_part *parts = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; i++)
		f->s->pieces[i] = goal_run_at(run, &parts[i]);
	f->s->calls[op->tag](f->owner, op, f->s->pieces);
}

static uint64_t now(struct goal_run *run)
{
	(void)run;
	return bspi_now();
}

static const struct goal_host host = { .move = bspi_carry, .call = call, .now = now };

/* ---- Loading -------------------------------------------------------------------------- */

void bspi_schedules_open(void)
{
	memset(&goal, 0, sizeof(goal));
	goal.ready_end = &goal.ready;
	bspi_match_open();
	bspi_carry_open();
	bspi_hooks.poll = bspi_schedules_poll;
	bspi_hooks.move_goals = bspi_schedules_progress;
	bspi_hooks.hear_goals = bspi_schedules_hear;
}

static int check(struct goal_schedule *s, const void *block, size_t len, uint32_t ncalls, size_t *at)
{
	size_t work_bytes = goal_check_bytes(len);
	void *work = malloc(work_bytes ? work_bytes : 1);
	int err;

	if (!work)
		bspi_fail_memory("goal_load", bspi_own_place());
	err = goal_check(block, len, ncalls, work, work_bytes, &s->prog, at);
	free(work);
	if (err < 0)
		return err;
	if (s->prog.header->nprocs == (uint32_t)bspi.nprocs && s->prog.header->rank == (uint32_t)bspi.me)
		return 0;
	*at = offsetof(struct goal_header, nprocs);
	return -GOAL_ERANK;
}

/* Queues of its flights: one if there is a receive from any. Room for the pieces of a call. */
static void make_room(struct goal_schedule *s)
{
	const struct goal_header *h = s->prog.header;
	const struct goal_op *op = goal_op_at(&s->prog, h->ops_at);
	uint32_t n = 1, pieces = 1;
	bool from_any = false;

	for (uint32_t i = 0; i < h->nops; i++, op = goal_op_next(op)) {
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
		bspi_fail_memory("goal_load", bspi_own_place());
}

static void enter(struct goal_schedule *s)
{
	struct goal_schedule **bucket;

	s->number = goal.next_number;
	goal.next_number = (goal.next_number + 1) % NUMBERS;
	bucket = &goal.schedules[s->number % BUCKETS];
	s->next = *bucket;
	*bucket = s;
}

/* One that was unloaded, or a new one; NULL: no memory. */
static struct goal_schedule *take_schedule(void)
{
	struct goal_schedule *s = goal.unloaded;

	if (!s)
		return calloc(1, sizeof(*s));
	goal.unloaded = s->next;
	memset(s, 0, sizeof(*s));
	return s;
}

static void keep_schedule(struct goal_schedule *s)
{
	*s = (struct goal_schedule){ .next = goal.unloaded };
	goal.unloaded = s;
}

int bspi_schedule_load(const void *block, size_t len, bspi_goal_call *const *calls, uint32_t ncalls,
		       struct goal_schedule **out, size_t *at)
{
	struct goal_schedule *s = take_schedule();
	void *copy = len <= GOAL_BLOCK_MOST ? malloc(len ? len : 1) : NULL;
	int err = -GOAL_ETRUNCATED;

	*at = 0;
	if (!s || (!copy && len <= GOAL_BLOCK_MOST))
		bspi_fail_memory("goal_load", bspi_own_place());
	if (copy)
		err = check(s, memcpy(copy, block, len), len, ncalls, at);
	if (err < 0) {
		free(copy);
		keep_schedule(s);
		return err;
	}
	s->calls = calls;
	make_room(s);
	enter(s);
	*out = s;
	return 0;
}

static void free_flights(struct goal_flight *f)
{
	while (f) {
		struct goal_flight *next = f->next;

		free(f->run.scratch);
		free(f);
		f = next;
	}
}

static void empty_schedule(struct goal_schedule *s)
{
	free_flights(s->pool);
	free(s->pieces);
	free((void *)(uintptr_t)s->prog.header);
}

void bspi_schedule_unload(struct goal_schedule *s)
{
	struct goal_schedule **at = &goal.schedules[s->number % BUCKETS];

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	if (s->offloaded)
		bspi_offload_unload(s);
	bspi_match_unload(s->number);
	empty_schedule(s);
	keep_schedule(s);
}

static void free_schedules(struct goal_schedule *s)
{
	while (s) {
		struct goal_schedule *next = s->next;

		empty_schedule(s);
		free(s);
		s = next;
	}
}

void bspi_schedules_close(void)
{
	for (int i = 0; i < BUCKETS; i++) {
		free_flights(goal.flights[i]);
		free_schedules(goal.schedules[i]);
	}
	free_schedules(goal.unloaded);
	bspi_carry_close();
	bspi_match_close();
	bspi_offload_close();
	memset(&goal, 0, sizeof(goal));
	goal.ready_end = &goal.ready;
	bspi.goal_work = bspi.flying = false;
}

const struct goal_header *bspi_schedule_header(const struct goal_schedule *s)
{
	return s->prog.header;
}

bool bspi_schedule_begins_with(const struct goal_schedule *s, int pid)
{
	const struct goal_header *h = s->prog.header;
	const struct goal_op *op = goal_op_at(&s->prog, h->ops_at);

	for (uint32_t i = 0; i < h->nindep && !s->offloaded; i++, op = goal_op_next(op))
		if (op->type == GOAL_MULTICAST || (op->type == GOAL_SEND && op->peer == (uint32_t)pid))
			return true;
	return false;
}

static size_t scratch_bytes(const struct goal_schedule *s)
{
	return s->offloaded ? s->scratch_kept : s->prog.header->scratch_bytes;
}

/* ---- Flights: memory ---------------------------------------------------------------------- */

static size_t round_up(size_t n)
{
	return (n + 15) & ~(size_t)15;
}

static void *new_scratch(const struct goal_schedule *s)
{
	size_t bytes = scratch_bytes(s);
	void *scratch = bytes ? aligned_alloc(64, (bytes + 63) & ~(size_t)63) : NULL;

	if (bytes && !scratch)
		bspi_fail_memory("goal_start", bspi_own_place());
	return scratch ? memset(scratch, 0, bytes) : NULL;
}

/* One piece of memory: the flight, the interpreter's, receives, queues, buffers. */
static struct goal_flight *new_flight(struct goal_schedule *s)
{
	size_t run = round_up(sizeof(struct goal_flight));
	size_t posted = run + round_up(goal_run_bytes(&s->prog, bspi.clock));
	size_t queues = posted + round_up(s->nreceives * sizeof(struct goal_posted));
	size_t buffers = queues + round_up((s->queue_mask + 1) * sizeof(struct goal_queue));
	char *memory = calloc(1, buffers + s->prog.header->nbuffers * sizeof(void *));
	struct goal_flight *f = (struct goal_flight *)memory;

	if (!f)
		bspi_fail_memory("goal_start", bspi_own_place());
	f->s = s;
	f->posted = (struct goal_posted *)(memory + posted);
	f->queues = (struct goal_queue *)(memory + queues);
	f->buffers = (unsigned char **)(memory + buffers);
	f->ended = true;
	goal_run_init(&f->run, &s->prog, &host, f, bspi.clock, memory + run, new_scratch(s));
	return f;
}

static struct goal_flight *next_flight(struct goal_schedule *s)
{
	if (!s->pool)
		s->pool = new_flight(s);
	return s->pool;
}

void *bspi_schedule_scratch(struct goal_schedule *s)
{
	return next_flight(s)->run.scratch;
}

void *bspi_flight_scratch(struct goal_flight *f)
{
	return f->run.scratch;
}

/* ---- Flights: under way ---------------------------------------------------------------------- */

static void note_ready(struct goal_flight *f)
{
	if (f->ready)
		return;
	f->ready = true;
	f->next_ready = NULL;
	*goal.ready_end = f;
	goal.ready_end = &f->next_ready;
	bspi.goal_work |= BSPI_GOAL_READY;
}

void bspi_flight_counts(struct goal_flight *f)
{
	goal.under_way++;
	f->flying = !bspi.syncing;
	if (!f->flying)
		return;			/* it is over when bsp_sync is */
	goal.flying++;
	bspi.flying = !bspi.locked;	/* where a thread looks for chunks calls need not, and must not without the lock */
	bspi_regions.last_base = bspi_regions.base_after_sync = BSPI_NO_BASE;
}

void bspi_flight_counts_no_more(struct goal_flight *f)
{
	goal.under_way--;
	if (f->flying && --goal.flying == 0 && !bspi.locked)
		bspi.flying = false;
}

static void enlist(struct goal_flight *f)
{
	struct goal_flight **bucket = flights_of(f->s->number, f->number);

	f->next = *bucket;
	*bucket = f;
	f->under_way = true;
	bspi_flight_counts(f);
}

static void delist(struct goal_flight *f)
{
	struct goal_flight **at = flights_of(f->s->number, f->number);

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	f->under_way = false;
	bspi_flight_counts_no_more(f);
}

/* All operations have ended. */
static void be_over(struct goal_flight *f)
{
	delist(f);
	bspi_match_over(f);
}

void bspi_flight_done(struct goal_flight *f, const struct goal_op *op)
{
	goal_run_done(&f->run, op);
	if (goal_run_is_over(&f->run))
		be_over(f);
	else
		note_ready(f);
}

/* Operations are started until none is ready. */
static void step(struct goal_flight *f)
{
	goal_run_step(&f->run, UINT32_MAX);
	if (goal_run_is_over(&f->run) && f->under_way)
		be_over(f);
}

static void empty_queues(struct goal_flight *f)
{
	f->nposted = 0;
	f->nwaiting = 0;
	for (uint32_t i = 0; i <= f->s->queue_mask; i++) {
		struct goal_queue *q = &f->queues[i];

		*q = (struct goal_queue){ .posted_end = &q->posted, .waiting_end = &q->waiting };
	}
}

/* Its first operations. We may be in the middle of others: then soon. */
static void begin(struct goal_flight *f)
{
	if (goal.busy) {
		note_ready(f);
		return;
	}
	goal.busy = true;
	step(f);
	goal.busy = false;
	if (BSPI_UNLIKELY(bspi.goal_work))
		bspi_schedules_progress();
}

struct goal_flight *bspi_flight_start(struct goal_schedule *s, void *const *buffers, void *owner,
				      const char *place)
{
	struct goal_flight *f = next_flight(s);

	s->pool = f->next;
	s->nlive++;
	f->number = s->next_flight++;
	f->owner = owner;
	f->place = place;
	f->ended = false;
	for (uint32_t i = 0; i < s->prog.header->nbuffers; i++)
		f->buffers[i] = buffers[i];
	if (s->offloaded) {
		bspi.stat.offloaded++;
		bspi_offload_start(f);
		return f;
	}
	bspi.stat.flights++;
	empty_queues(f);
	enlist(f);
	bspi_match_start(f);
	goal_run_start(&f->run, f->buffers, bspi.clock ? bspi_now() : 0);
	begin(f);
	return f;
}

static bool step_all(void)
{
	struct goal_flight *f;
	bool some = goal.ready;

	while ((f = goal.ready)) {
		goal.ready = f->next_ready;
		if (!goal.ready)
			goal.ready_end = &goal.ready;
		f->ready = false;
		step(f);
	}
	return some;
}

bool bspi_schedules_progress(void)
{
	bool moved = false;

	if (goal.busy)
		return false;
	goal.busy = true;
	do {
		moved |= step_all();
		if (!(bspi.goal_work & BSPI_GOAL_CARRY))
			break;
		bspi.goal_work &= ~(BSPI_GOAL_READY | BSPI_GOAL_CARRY);
		moved |= bspi_carry_on();
	} while (goal.ready);
	bspi.goal_work &= ~BSPI_GOAL_READY;
	goal.busy = false;
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

size_t bspi_flights_under_way(void)
{
	return goal.under_way;
}

/* ---- Flights: waiting -------------------------------------------------------------------------- */

static void arrive(const struct goal_flight *f)
{
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->reach(bspi.net, goal_run_last(&f->run));
}

bool bspi_flight_test(struct goal_flight *f)
{
	if (f->s->offloaded)
		return bspi_offload_test(f);
	if (f->under_way)
		bspi_drain();
	if (f->under_way)
		return false;
	arrive(f);
	return true;
}

static void explain(const struct goal_flight *f)
{
	if (!bspi.net || bspi.nprocs == 1)
		bspi_fail("goal_wait", f->place, "the flight that was started here waits for a message, and there is no other process");
	bspi_show_waiting_again("goal_wait", f->place, "messages of the flight that was started there");
}

static bool is_over(struct goal_flight *f)
{
	return f->s->offloaded ? bspi_offload_is_over(f) : !f->under_way;
}

/* The second wait in vain may be one that sleeps, so by then all is to be explained. */
void bspi_flight_wait(struct goal_flight *f)
{
	unsigned int idle = 0;
	bool explained = false;

	if (!bspi.syncing)
		bspi_show_awaited(BSPT_AWAITS_FLIGHT, 0, 0);
	while (!is_over(f)) {
		if (!bspi.net || (idle > 0 && !explained && !bspi.syncing)) {
			explain(f);
			explained = true;
		}
		bspi_pump(&idle);
	}
	if (!bspi.syncing)
		bspi_show_computing();
	arrive(f);
}

void bspi_flight_end(struct goal_flight *f)
{
	f->ended = true;
	f->s->nlive--;
	f->next = f->s->pool;
	f->s->pool = f;
}
