// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_flight.c - schedules: loaded once, started often, moved on by whatever arrives. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

/* ---- Schedules ----------------------------------------------------------------------------- */

bool eg_charge(struct eg_job *job, u64 bytes)
{
	if (bytes > EG_WORKSPACE_MOST || job->workspace + bytes > EG_WORKSPACE_MOST)
		return false;
	job->workspace += bytes;
	return true;
}

static int free_schedule_id(const struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_SCHEDULES_MOST; i++)
		if (!job->schedules[i])
			return i;
	return -ENOSPC;
}

/* The offset of a local operation that takes too long, or 0. */
static size_t too_long(const struct goal_prog *prog)
{
	const struct goal_op *op = goal_first_op(prog);

	for (u32 i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		if (op->type == GOAL_LOCAL && op->bytes > EG_LOCAL_MOST)
			return (const char *)op - (const char *)prog->header;
	return 0;
}

/* The copy is what is checked, and nobody changes it afterwards. */
static int check_block(struct eg_job *job, void *block, struct espgoal_load *load,
		       struct goal_prog *prog)
{
	size_t work_bytes = goal_check_bytes(load->bytes), at = 0;
	void *work = kvmalloc(work_bytes, GFP_KERNEL_ACCOUNT);
	int err;

	if (!work)
		return -ENOMEM;
	err = goal_check(block, load->bytes, 0, work, work_bytes, prog, &at);
	kvfree(work);
	if (!err && (prog->header->nprocs != job->nprocs || prog->header->rank != job->rank))
		err = -GOAL_ERANK;
	if (!err) {
		at = too_long(prog);
		err = at ? -GOAL_ELENGTH : 0;
	}
	load->error = -err;
	load->at = at;
	return err ? -EBADMSG : 0;
}

static void free_schedule(struct eg_job *job, struct eg_schedule *s)
{
	job->workspace -= s->workspace;
	job->schedules[s->id] = NULL;
	kvfree(s->block);
	kfree(s);
}

static int read_block(struct eg_job *job, struct espgoal_load *load, struct eg_schedule *s)
{
	s->block = vmemdup_user(u64_to_user_ptr(load->block), load->bytes);
	if (IS_ERR(s->block)) {
		int err = PTR_ERR(s->block);

		s->block = NULL;
		return err;
	}
	return check_block(job, s->block, load, &s->prog);
}

int eg_load(struct eg_job *job, struct espgoal_load *load)
{
	struct eg_schedule *s;
	int id = free_schedule_id(job), err;

	if (!job->joined)
		return -ENOTCONN;
	if (id < 0)
		return id;
	if (!load->bytes || load->bytes > GOAL_BLOCK_MOST || !eg_charge(job, load->bytes))
		return load->bytes ? -ENOSPC : -EINVAL;
	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s) {
		job->workspace -= load->bytes;
		return -ENOMEM;
	}
	s->id = id;
	s->workspace = load->bytes;
	job->schedules[id] = s;
	err = read_block(job, load, s);
	if (!err)
		err = eg_order(s);
	if (err) {
		free_schedule(job, s);
		return err;
	}
	s->number = job->loads++;
	load->id = id;
	return 0;
}

static struct eg_schedule *find_schedule(struct eg_job *job, u32 id)
{
	return id < ESPGOAL_SCHEDULES_MOST ? job->schedules[id] : NULL;
}

int eg_unload(struct eg_job *job, u32 id)
{
	struct eg_schedule *s = find_schedule(job, id);

	if (!s)
		return -EINVAL;
	if (s->under_way)
		return -EBUSY;
	eg_drop(job, s, NULL);
	free_schedule(job, s);
	return 0;
}

/* ---- The host of runs -------------------------------------------------------------------------- */

static bool move(struct goal_run *run, const struct goal_op *op)
{
	struct eg_flight *f = run->owner;
	int error;
	bool done;

	f->job->stats.operations++;
	switch (op->type) {
	case GOAL_SEND:
		if (!eg_send(f, op))
			eg_fail(f->job, ENOMEM);
		return false;
	case GOAL_MULTICAST:
		if (!eg_multicast(f, op))
			eg_fail(f->job, ENOMEM);
		return true;		/* its bytes were copied */
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

static void free_flight(struct eg_flight *f)
{
	struct eg_job *job = f->job;
	u32 nbuffers = f->schedule->prog.header->nbuffers;

	for (u32 i = 0; f->pinned && i < nbuffers; i++)
		eg_unpin(job, &f->pinned[i]);
	job->workspace -= f->workspace;
	if (job->flights[f->slot] == f) {
		job->flights[f->slot] = NULL;
		f->schedule->under_way--;
		eg_drop(job, f->schedule, &f->number);
		show(f, ESPGOAL_FREE);
	}
	kvfree(f->pinned);
	kvfree(f->at);
	kvfree(f->memory);
	kvfree(f->scratch);
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

/* Each of its operations may be in a queue. */
static int prepare(struct eg_flight *f, const struct espgoal_start *start)
{
	const struct goal_prog *prog = &f->schedule->prog;
	u64 run_bytes = goal_run_bytes(prog, false), scratch = prog->header->scratch_bytes;
	u32 n = prog->header->nbuffers;
	u64 all = run_bytes + scratch + prog->header->nops * (u64)sizeof(struct eg_out) +
		  n * (u64)(sizeof(*f->pinned) + sizeof(*f->at));
	int err;

	if (!eg_charge(f->job, all))
		return -ENOSPC;
	f->workspace = all;
	f->memory = kvzalloc(run_bytes, GFP_KERNEL_ACCOUNT);
	f->scratch = scratch ? kvzalloc(scratch, GFP_KERNEL_ACCOUNT) : NULL;
	f->pinned = kvcalloc(max(n, 1u), sizeof(*f->pinned), GFP_KERNEL_ACCOUNT);
	f->at = kvcalloc(max(n, 1u), sizeof(*f->at), GFP_KERNEL_ACCOUNT);
	if (!f->memory || (scratch && !f->scratch) || !f->pinned || !f->at)
		return -ENOMEM;
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
	struct eg_schedule *s = find_schedule(job, start->id);
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
	f->job = job;
	f->schedule = s;
	f->slot = slot;
	err = prepare(f, start);
	if (err) {
		free_flight(f);
		return err;
	}
	f->number = s->flights++;
	s->under_way++;
	job->flights[slot] = f;
	job->stats.flights++;
	show(f, ESPGOAL_RUNNING);
	start->slot = slot;
	goal_run_init(&f->run, &s->prog, &host, f, false, f->memory, f->scratch);
	goal_run_start(&f->run, f->at, 0);
	return 0;
}

void eg_moved(struct eg_flight *f, const struct goal_op *op)
{
	goal_run_done(&f->run, op);
}

static bool step_one(struct eg_flight *f)
{
	int left = EG_STEPS;

	if (f->over)
		return false;
	while (left && !eg_hurry(f->job) && goal_run_step(&f->run, 1)) {
		cond_resched();
		left--;
	}
	if (goal_run_is_over(&f->run) && !f->job->error) {
		f->over = true;
		show(f, ESPGOAL_OVER);
		wake_up_interruptible(&f->job->over);
	}
	return !left;
}

bool eg_step(struct eg_job *job)
{
	bool more = false;

	for (int i = 0; i < ESPGOAL_FLIGHTS_MOST && !job->error; i++)
		if (job->flights[i])
			more |= step_one(job->flights[i]);
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
	for (int i = 0; i < ESPGOAL_SCHEDULES_MOST; i++)
		if (job->schedules[i])
			free_schedule(job, job->schedules[i]);
}
