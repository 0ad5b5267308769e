// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_run.c - runs of schedules: started, moved on, finished. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

/* ---- The host of runs -------------------------------------------------------------------------- */

static bool move(struct goal_run *run, const struct goal_op *op)
{
	struct eg_flight *f = run->owner;
	int error;
	bool done;

	f->job->stats.operations++;
	switch (op->type) {
	case GOAL_SEND:
		eg_send(f, op);
		return false;
	case GOAL_MULTICAST:
		return eg_multicast_or_defer(f, op);
	default:
		done = eg_receive(f, op, &error);
		if (error)
			eg_fail(f->job, error);
		return done;
	}
}

static uint64_t now(struct goal_run *run)
{
	return ktime_get_ns();
}

static const struct goal_host host = {
	.move = move,
	.now  = now,
};

/* ---- Flights ------------------------------------------------------------------------------------- */

static void show(struct eg_flight *f, enum espgoal_state state)
{
	/* Pairs with the acquire in the process: what the schedule wrote is there. */
	smp_store_release(&f->job->page->state[f->slot], state);
}

/* It is over, or the job has failed. */
static void leave(struct eg_flight *f)
{
	if (list_empty(&f->list))
		return;
	list_del_init(&f->list);
	f->job->heavy -= f->schedule->heavy;
	f->job->floats -= f->schedule->floats;
}

static void free_flight(struct eg_flight *f)
{
	struct eg_job *job = f->job;
	u32 nbuffers = f->schedule->prog.header->nbuffers;

	leave(f);
	for (u32 i = 0; f->pinned && i < nbuffers; i++)
		eg_unpin(job, &f->pinned[i]);
	job->workspace -= f->workspace;
	if (job->flights[f->slot] == f) {
		job->flights[f->slot] = NULL;
		f->schedule->under_way--;
		eg_drop(job, f->schedule, &f->number);
		show(f, ESPGOAL_FREE);
	}
	kvfree(f->memory);
	kfree(f);
}

static int pin_buffers(struct eg_flight *f, const u64 __user *addresses)
{
	const struct goal_prog *prog = &f->schedule->prog;
	const struct goal_buffer *b = goal_buffers(prog);
	int err;

	for (u32 i = 0; i < prog->header->nbuffers; i++) {
		u64 at;

		if (get_user(at, addresses + i))
			return -EFAULT;
		if (at % b[i].align)
			return -EINVAL;
		err = eg_pin(f->job, at, b[i].bytes, b[i].access & GOAL_WRITE, &f->pinned[i]);
		if (err)
			return err;
		f->at[i] = f->pinned[i].at;
	}
	return 0;
}

static int copy_scratch(void *to, const struct eg_flight *f, u64 from, u64 bytes)
{
	if (!from || !bytes)
		return 0;
	if (bytes > f->schedule->prog.header->scratch_bytes)
		return -EINVAL;
	return copy_from_user(to, u64_to_user_ptr(from), bytes) ? -EFAULT : 0;
}

/* One piece of memory for all that is per operation or per buffer, and the scratchpad, which is on a multiple of 16. */
static int allot(struct eg_flight *f)
{
	const struct goal_header *h = f->schedule->prog.header;
	u64 items = h->nops * (u64)sizeof(*f->items), run = goal_run_bytes(&f->schedule->prog, false);
	u64 pinned = h->nbuffers * (u64)sizeof(*f->pinned), at = h->nbuffers * (u64)sizeof(*f->at);
	u64 scratch = ALIGN(h->scratch_bytes, 16), all = scratch + pinned + items + at + ALIGN(run, 8) + 16;

	if (!eg_charge(f->job, all))
		return -ENOSPC;
	f->workspace = all;
	f->memory = kvmalloc(all, GFP_KERNEL_ACCOUNT);
	if (!f->memory)
		return -ENOMEM;
	f->scratch = PTR_ALIGN(f->memory, 16);
	f->pinned = f->scratch + scratch;
	memset(f->scratch, 0, scratch + pinned);
	f->items = (void *)f->pinned + pinned;
	f->at = (void *)f->items + items;
	goal_run_init(&f->run, &f->schedule->prog, &host, f, false, (void *)f->at + at, f->scratch);
	return 0;
}

static int prepare(struct eg_flight *f, const struct espgoal_start *start)
{
	int err = allot(f);

	if (!err)
		err = copy_scratch(f->scratch, f, start->scratch, start->scratch_bytes);
	return err ? err : pin_buffers(f, u64_to_user_ptr(start->buffers));
}

static int free_slot(const struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_FLIGHTS_MOST; i++)
		if (!job->flights[i])
			return i;
	return -EBUSY;
}

int eg_start(struct eg_job *job, struct espgoal_start *start)
{
	struct eg_schedule *s = eg_find_schedule(job, start->id);
	int slot = free_slot(job), err;
	struct eg_flight *f;

	if (!s)
		return -EINVAL;
	if (job->error)
		return -job->error;
	if (slot < 0)
		return slot;
	if (current->mm != job->mm)
		return -EPERM;
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return -ENOMEM;
	INIT_LIST_HEAD(&f->list);
	f->job = job;
	f->schedule = s;
	f->slot = slot;
	err = prepare(f, start);
	if (err) {
		free_flight(f);
		return err;
	}
	f->number = s->flights++;
	f->since = jiffies;
	s->under_way++;
	list_move(&s->list, &job->loaded);
	job->flights[slot] = f;
	list_add_tail(&f->list, &job->running);
	job->heavy += s->heavy;
	job->floats += s->floats;
	job->stats.flights++;
	show(f, ESPGOAL_RUNNING);
	start->slot = slot;
	goal_run_start(&f->run, f->at, 0);
	eg_watch(job);
	return 0;
}

static bool step_one(struct eg_flight *f)
{
	struct eg_job *job = f->job;
	int left = EG_STEPS;

	while (left && eg_may_go_on(job) && goal_run_step(&f->run, 1)) {
		eg_spend(job, 0);
		left--;
		if (!job->soft)
			cond_resched();
	}
	if (goal_run_is_over(&f->run) && !job->error) {
		f->over = true;
		leave(f);
		show(f, ESPGOAL_OVER);
		wake_up_interruptible(&job->over);
	}
	return !f->over && (!left || !job->left);
}

bool eg_step(struct eg_job *job)
{
	struct eg_flight *f, *next;
	bool more = false;

	list_for_each_entry_safe(f, next, &job->running, list) {
		if (job->error)
			break;
		more |= step_one(f);
	}
	return more;
}

int eg_finish(struct eg_job *job, const struct espgoal_finish *finish)
{
	struct eg_flight *f = finish->slot < ESPGOAL_FLIGHTS_MOST ? job->flights[finish->slot] : NULL;
	int err;

	if (!f)
		return -EINVAL;
	if (job->error)
		return -job->error;
	if (!f->over)
		return -EAGAIN;
	if (finish->scratch && finish->scratch_bytes) {
		if (finish->scratch_bytes > f->schedule->prog.header->scratch_bytes)
			return -EINVAL;
		err = copy_to_user(u64_to_user_ptr(finish->scratch), f->scratch,
				   finish->scratch_bytes) ? -EFAULT : 0;
		if (err)
			return err;
	}
	free_flight(f);
	return 0;
}

void eg_end_flights(struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_FLIGHTS_MOST; i++)
		if (job->flights[i])
			free_flight(job->flights[i]);
}
