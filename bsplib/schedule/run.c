// SPDX-License-Identifier: BSD-3-Clause
/* run.c - schedules by number, and runs that are under way: found, counted, stepped. */

/*
 * Numbers. The number of a schedule is not used again before 2^24 others have been loaded, since
 * messages of one that is unloaded here may still come.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/transfer/fast.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

enum {
	BUCKETS = 256,			/* of runs and schedules: powers of two */
	NUMBERS = 1 << 24,		/* of schedules */
};

static struct {
	struct goal_request *under_way[BUCKETS];
	struct goal_schedule *schedules[BUCKETS];
	struct goal_schedule *unloaded;	/* kept for the next load, so that their use is noticed */
	uint32_t next_number;
	struct goal_request *ready, **ready_end;
	size_t n;			/* not over */
	size_t nprogram;		/* of these, started by the program */
} runs;

/* ---- Finding ------------------------------------------------------------------------ */

static inline struct goal_request **run_bucket(uint32_t schedule, uint32_t number)
{
	return &runs.under_way[bspi_run_hash(schedule, number) % BUCKETS];
}

struct goal_request *bspi_run_find(uint32_t schedule, uint32_t number)
{
	struct goal_request *r = *run_bucket(schedule, number);

	while (r && (r->number != number || r->s->number != schedule))
		r = r->next;
	return r;
}

/*
 * Has a schedule of that number been loaded? Numbers begin again, so those of the last half have.
 */
static bool is_old_run(uint32_t schedule)
{
	uint32_t behind = (runs.next_number - schedule) % NUMBERS;

	return behind > 0 && behind < NUMBERS / 2;
}

bool bspi_run_may_come(uint32_t schedule, uint32_t number)
{
	const struct goal_schedule *s = runs.schedules[schedule % BUCKETS];

	while (s && (s->number != schedule || s->family))
		s = s->next;
	return s ? (int32_t)(number - s->next_run) >= 0 : !is_old_run(schedule);
}

/* ---- Schedules: memory, numbers ------------------------------------------------------- */

struct goal_schedule *bspi_schedule_new(void)
{
	struct goal_schedule *s = runs.unloaded;

	if (!s)
		return calloc(1, sizeof(*s));
	runs.unloaded = s->next;
	memset(s, 0, sizeof(*s));
	return s;
}

static void schedule_chain(struct goal_schedule *s)
{
	struct goal_schedule **bucket = &runs.schedules[s->number % BUCKETS];

	s->next = *bucket;
	*bucket = s;
}

void bspi_schedule_enter(struct goal_schedule *s)
{
	s->number = runs.next_number;
	runs.next_number = (runs.next_number + 1) % NUMBERS;
	schedule_chain(s);
}

void bspi_schedule_enter_member(struct goal_schedule *s)
{
	s->number = s->family->number;
	schedule_chain(s);
}

void bspi_schedule_remove(struct goal_schedule *s)
{
	struct goal_schedule **at = &runs.schedules[s->number % BUCKETS];

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
}

static void run_free_all(struct goal_request *r)
{
	while (r) {
		struct goal_request *next = r->next;

		if (!r->s->unit)
			free(r->interp.scratch);
		free(r->stamped);
		free(r);
		r = next;
	}
}

static void schedule_empty(struct goal_schedule *s)
{
	run_free_all(s->pool);
	bspi_times_remove(s);
	free(s->pieces);
	free(s->written);
	free((void *)(uintptr_t)s->prog.header);
}

void bspi_schedule_give_back(struct goal_schedule *s)
{
	schedule_empty(s);
	*s = (struct goal_schedule){ .next = runs.unloaded };
	runs.unloaded = s;
}

static void schedule_free_all(struct goal_schedule *s)
{
	while (s) {
		struct goal_schedule *next = s->next;

		schedule_empty(s);
		free(s);
		s = next;
	}
}

void bspi_runs_open(void)
{
	memset(&runs, 0, sizeof(runs));
	runs.ready_end = &runs.ready;
}

void bspi_runs_close(void)
{
	for (int i = 0; i < BUCKETS; i++) {
		run_free_all(runs.under_way[i]);
		schedule_free_all(runs.schedules[i]);
	}
	schedule_free_all(runs.unloaded);
	bspi_runs_open();
}

/* ---- Counting --------------------------------------------------------------------------- */

void bspi_run_counts(struct goal_request *r)
{
	runs.n++;
	r->flying = !bspi.syncing;
	if (!r->flying)
		return;			/* it is over when bsp_sync is */
	runs.nprogram++;
	/* a thread looks for chunks: calls need not, and must not without the lock */
	bspi.flying = !bspi.locked;
	bspi_fast_close();
}

void bspi_run_counts_no_more(struct goal_request *r)
{
	runs.n--;
	if (r->flying && --runs.nprogram == 0 && !bspi.locked)
		bspi.flying = false;
}

size_t bspi_runs_under_way(void)
{
	return runs.n;
}

/* ---- Under way ---------------------------------------------------------------------------- */

void bspi_run_enter(struct goal_request *r)
{
	struct goal_request **bucket = run_bucket(r->s->number, r->number);

	r->next = *bucket;
	*bucket = r;
	r->under_way = true;
	bspi_run_counts(r);
}

/* All operations have ended. */
static void run_be_over(struct goal_request *r)
{
	struct goal_request **at = run_bucket(r->s->number, r->number);

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	r->under_way = false;
	bspi_run_counts_no_more(r);
	bspi_match_over(r);
}

void bspi_run_note_ready(struct goal_request *r)
{
	if (r->ready)
		return;
	r->ready = true;
	r->next_ready = NULL;
	*runs.ready_end = r;
	runs.ready_end = &r->next_ready;
	bspi.goal_work |= BSPI_GOAL_READY;
}

void bspi_run_done(struct goal_request *r, const struct goal_op *op)
{
	goal_run_done(&r->interp, op);
	if (goal_run_is_over(&r->interp))
		run_be_over(r);
	else
		bspi_run_note_ready(r);
}

void bspi_run_step(struct goal_request *r)
{
	goal_run_step(&r->interp, UINT32_MAX);
	if (goal_run_is_over(&r->interp) && r->under_way)
		run_be_over(r);
}

bool bspi_runs_step(void)
{
	struct goal_request *r;
	bool some = runs.ready;

	while ((r = runs.ready)) {
		runs.ready = r->next_ready;
		if (!runs.ready)
			runs.ready_end = &runs.ready;
		r->ready = false;
		bspi_run_step(r);
	}
	return some;
}

/* ---- What goes wrong ------------------------------------------------------------------------ */

void bspi_run_refuse_length(const struct goal_request *r, int from, const struct goal_op *op,
			       uint64_t bytes)
{
	if (r->s->user)
		r->s->user->length_mismatch(r->owner, from, bytes, op->bytes);
	bspi_fail("goal_start", r->site, "process %d sent %llu byte%s with tag %u, and operation "
		  "%u of schedule %u, which receives them, is for %llu; schedules of all processes "
		  "must fit together",
		  from, (unsigned long long)bytes, bspi_plural(bytes), op->tag, op->index,
		  r->s->number, (unsigned long long)op->bytes);
}
