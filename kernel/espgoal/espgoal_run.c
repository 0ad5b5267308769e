// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_run.c - runs of schedules: started, moved on, finished. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

/* ---- Host of the interpreter ----- */

static bool eg_run_move(struct goal_run *run, const struct goal_op *op)
{
	struct eg_run *r = run->owner;
	int error;
	bool done;

	r->job->stats.operations++;
	switch (op->type) {
	case GOAL_SEND:
		eg_send(r, op);
		return false;
	case GOAL_MULTICAST:
		return eg_send_multicast(r, op);
	default:
		done = eg_receive_start(r, op, &error);
		if (error)
			eg_job_fail(r->job, error);
		return done;
	}
}

static uint64_t eg_run_now(struct goal_run *run)
{
	return ktime_get_ns();
}

static const struct goal_host eg_run_host = {
	.move = eg_run_move,
	.now  = eg_run_now,
};

/* ---- Runs ----- */

static void eg_run_show(struct eg_run *r, enum espgoal_state state)
{
	/* Pairs with the acquire in the process: what the schedule wrote is visible. */
	smp_store_release(&r->job->page->state[r->slot], state);
}

/* When it is over, or freed. */
static void eg_run_unlink(struct eg_run *r)
{
	if (list_empty(&r->list))
		return;
	list_del_init(&r->list);
	r->job->nheavy -= r->schedule->heavy;
	r->job->nfloat -= r->schedule->uses_fpu;
}

void eg_run_remove(struct eg_run *r)
{
	struct eg_job *job = r->job;

	eg_run_unlink(r);
	job->workspace -= r->workspace;
	if (job->runs[r->slot] == r) {
		job->runs[r->slot] = NULL;
		eg_match_drop(job, r->schedule, &r->number);
		eg_run_show(r, ESPGOAL_FREE);
	}
	eg_schedule_put(job, r->schedule);
}

void eg_run_destroy(struct eg_run *r)
{
	while (r->npinned)
		eg_unpin(r->job, &r->pinned[--r->npinned]);
	kvfree(r);
}

/* A buffer in the copied memory; one without bytes may be anywhere. */
static int eg_run_bind_copy(struct eg_run *r, u32 i, u64 at, const struct goal_buffer *b)
{
	u64 offset = at - r->copy_from;

	r->at[i] = NULL;
	if (!b->bytes)
		return 0;
	if (offset % b->align || offset > r->copy_bytes || b->bytes > r->copy_bytes - offset)
		return -EINVAL;
	r->at[i] = r->copy + offset;
	return 0;
}

static int eg_run_bind(struct eg_run *r, u32 i, u64 at, const struct goal_buffer *b)
{
	int err;

	if (r->copy_bytes)
		return eg_run_bind_copy(r, i, at, b);
	if (at % b->align)
		return -EINVAL;
	err = eg_pin(r->job, at, b->bytes, b->access & GOAL_WRITE, &r->pinned[i]);
	if (err)
		return err;
	r->npinned++;
	r->at[i] = r->pinned[i].at;
	return 0;
}

static int eg_run_bind_buffers(struct eg_run *r, const u64 __user *addresses)
{
	const struct goal_prog *prog = &r->schedule->prog;
	const struct goal_buffer *b = goal_buffers(prog);
	int err;

	for (u32 i = 0; i < prog->header->nbuffers; i++) {
		u64 at;

		if (get_user(at, addresses + i))
			return -EFAULT;
		err = eg_run_bind(r, i, at, &b[i]);
		if (err)
			return err;
	}
	return 0;
}

static int eg_run_copy_scratch(void *to, const struct eg_run *r, u64 from, u64 bytes)
{
	if (!from || !bytes)
		return 0;
	if (bytes > r->schedule->prog.header->scratch_bytes)
		return -EINVAL;
	return copy_from_user(to, u64_to_user_ptr(from), bytes) ? -EFAULT : 0;
}

/*
 * One allocation for the run, all that is per operation or per buffer, the scratchpad and the copy,
 * both on a multiple of 16; or an errno.
 */
static struct eg_run *eg_run_alloc(struct eg_job *job, struct eg_schedule *s,
				   const struct espgoal_start *start)
{
	const struct goal_header *h = s->prog.header;
	u64 items = h->nops * (u64)sizeof(union eg_op_state);
	u64 run = goal_run_bytes(&s->prog, false);
	u64 pinned = h->nbuffers * (u64)sizeof(struct eg_pinned);
	u64 at = h->nbuffers * (u64)sizeof(void *);
	u64 scratch = ALIGN(h->scratch_bytes, 16), copy = ALIGN(start->copy_bytes, 16);
	u64 all = sizeof(struct eg_run) + 16 + scratch + copy + pinned + items + at + ALIGN(run, 8);
	struct eg_run *r;

	if (start->copy_bytes > EG_WORKSPACE_MOST || !eg_charge(job, all))
		return ERR_PTR(-ENOSPC);
	r = kvmalloc(all, GFP_KERNEL_ACCOUNT);
	if (!r) {
		job->workspace -= all;
		return ERR_PTR(-ENOMEM);
	}
	*r = (struct eg_run){ .job = job, .schedule = s, .workspace = all,
			      .copy_from = start->copy, .copy_bytes = start->copy_bytes };
	INIT_LIST_HEAD(&r->list);
	r->scratch = PTR_ALIGN((void *)(r + 1), 16);
	r->copy = r->scratch + scratch;
	r->pinned = r->copy + copy;
	memset(r->scratch, 0, scratch);
	memset(r->pinned, 0, pinned);
	r->items = (void *)r->pinned + pinned;
	r->at = (void *)r->items + items;
	goal_run_init(&r->goal, &s->prog, &eg_run_host, r, false, (void *)r->at + at, r->scratch);
	return r;
}

static int eg_run_find_slot(const struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_RUNS_MOST; i++)
		if (!job->runs[i])
			return i;
	return -EBUSY;
}

int eg_run_create(struct eg_job *job, const struct espgoal_start *start, struct eg_run **run)
{
	struct eg_schedule *s = eg_schedule_find(job, start->id);
	int slot = eg_run_find_slot(job);
	struct eg_run *r;

	if (!s)
		return -EINVAL;
	if (job->error)
		return -job->error;
	if (slot < 0)
		return slot;
	if (current->mm != job->mm)
		return -EPERM;
	r = eg_run_alloc(job, s, start);
	if (IS_ERR(r))
		return PTR_ERR(r);
	s->users++;
	*run = r;
	return 0;
}

int eg_run_read(struct eg_run *r, const struct espgoal_start *start)
{
	int err = eg_run_copy_scratch(r->scratch, r, start->scratch, start->scratch_bytes);

	if (err)
		return err;
	if (r->copy_bytes &&
	    copy_from_user(r->copy, u64_to_user_ptr(r->copy_from), r->copy_bytes))
		return -EFAULT;
	return eg_run_bind_buffers(r, u64_to_user_ptr(start->buffers));
}

int eg_run_start(struct eg_run *r, struct espgoal_start *start)
{
	struct eg_job *job = r->job;
	struct eg_schedule *s = r->schedule;
	int slot = eg_run_find_slot(job);

	if (job->error)
		return -job->error;
	if (slot < 0)
		return slot;
	r->slot = slot;
	r->number = s->next_run++;
	r->started_at = jiffies;
	job->runs[slot] = r;
	list_add_tail(&r->list, &job->running);
	job->nheavy += s->heavy;
	job->nfloat += s->uses_fpu;
	job->stats.runs++;
	eg_run_show(r, ESPGOAL_RUNNING);
	start->slot = slot;
	goal_run_start(&r->goal, r->at, 0);
	eg_liveness_start(job);
	return 0;
}

static bool eg_run_step(struct eg_run *r)
{
	struct eg_job *job = r->job;
	int left = EG_RUN_STEPS;

	while (left && eg_may_continue(job) && goal_run_step(&r->goal, 1)) {
		eg_budget_spend_step(job, r->schedule);
		left--;
		if (!job->in_softirq)
			cond_resched();
	}
	if (goal_run_is_over(&r->goal) && !job->error) {
		r->over = true;
		eg_run_unlink(r);
		job->page->over_ns[r->slot] = ktime_get_ns();
		eg_run_show(r, ESPGOAL_OVER);
		wake_up_interruptible(&job->over);
	}
	return !r->over && (!left || !job->budget);
}

bool eg_run_step_all(struct eg_job *job)
{
	struct eg_run *r, *next;
	bool more = false;

	list_for_each_entry_safe(r, next, &job->running, list) {
		if (job->error)
			break;
		more |= eg_run_step(r);
	}
	return more;
}

int eg_run_claim(struct eg_job *job, const struct espgoal_finish *finish, struct eg_run **run)
{
	struct eg_run *r = finish->slot < ESPGOAL_RUNS_MOST ? job->runs[finish->slot] : NULL;

	if (!r || r->finishing)
		return -EINVAL;
	if (current->mm != job->mm)
		return -EPERM;
	if (job->error)
		return -job->error;
	if (!r->over)
		return -EAGAIN;
	if (finish->scratch && finish->scratch_bytes > r->schedule->prog.header->scratch_bytes)
		return -EINVAL;
	if (finish->copy && finish->copy_bytes > r->copy_bytes)
		return -EINVAL;
	r->finishing = true;
	*run = r;
	return 0;
}

int eg_run_write(struct eg_run *r, const struct espgoal_finish *finish)
{
	if (finish->scratch &&
	    copy_to_user(u64_to_user_ptr(finish->scratch), r->scratch, finish->scratch_bytes))
		return -EFAULT;
	if (finish->copy &&
	    copy_to_user(u64_to_user_ptr(finish->copy), r->copy, finish->copy_bytes))
		return -EFAULT;
	return 0;
}

bool eg_run_disclaim(struct eg_run *r)
{
	r->finishing = false;
	return READ_ONCE(r->job->closing);
}

void eg_run_end_all(struct eg_job *job, struct list_head *ended)
{
	for (int i = 0; i < ESPGOAL_RUNS_MOST; i++) {
		struct eg_run *r = job->runs[i];

		if (!r || r->finishing)
			continue;
		eg_run_remove(r);
		list_add(&r->list, ended);
	}
}
