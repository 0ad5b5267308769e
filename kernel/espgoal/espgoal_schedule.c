// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_schedule.c - loads, verifies and unloads schedules. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

static int eg_schedule_find_id(const struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_SCHEDULES_MOST; i++)
		if (!job->schedules[i])
			return i;
	return -ENOSPC;
}

/* The offset of a local operation that would take too long, or 0. */
static size_t eg_schedule_too_long(const struct goal_prog *prog)
{
	const struct goal_op *op = goal_first_op(prog);

	for (u32 i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		if (op->type == GOAL_LOCAL && op->bytes > EG_LOCAL_MOST)
			return (const char *)op - (const char *)prog->header;
	return 0;
}

/* Entries of the lists of an operation: the operations that wait for it. */
static u64 eg_schedule_edges(const struct goal_op *op)
{
	return (u64)op->nfollowers + op->ndependents;
}

/* The cost of starting and ending an operation, at most, counted as bytes. */
static u64 eg_schedule_op_cost(const struct goal_op *op)
{
	return eg_schedule_edges(op) * EG_EDGE_BYTES + (op->type == GOAL_LOCAL ? op->bytes : 0);
}

/* Does it need the worker, or floating point? How much does a step cost at most? */
static void eg_schedule_classify(struct eg_schedule *s)
{
	const struct goal_op *op = goal_op_at(&s->prog, s->prog.header->ops_at);

	for (u32 i = 0; i < s->prog.header->nops; i++, op = goal_op_next(op)) {
		s->heavy |= op->type != GOAL_CALC && op->bytes > EG_SOFTIRQ_BYTES;
		s->heavy |= eg_schedule_edges(op) > EG_SOFTIRQ_EDGES;
		s->step_bytes = max(s->step_bytes, eg_schedule_op_cost(op));
		s->uses_fpu |= op->type == GOAL_LOCAL &&
			       (op->datatype == GOAL_F32 || op->datatype == GOAL_F64);
	}
}

/* The kernel verifies its own copy, which the process cannot change afterwards. */
static int eg_schedule_check(struct eg_job *job, void *block, struct espgoal_load *load,
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
		at = eg_schedule_too_long(prog);
		err = at ? -GOAL_ELENGTH : 0;
	}
	load->error = -err;
	load->at = at;
	return err ? -EBADMSG : 0;
}

void eg_schedule_put(struct eg_job *job, struct eg_schedule *s)
{
	if (--s->users)
		return;
	job->workspace -= s->workspace;
	kvfree(s->block);
	kfree(s);
}

static void eg_schedule_remove(struct eg_job *job, struct eg_schedule *s)
{
	job->schedules[s->id] = NULL;
	if (xa_load(&job->loaded, s->number) == s)
		xa_erase(&job->loaded, s->number);
	eg_schedule_put(job, s);
}

int eg_schedule_charge(struct eg_job *job, const struct espgoal_load *load)
{
	if (!job->joined)
		return -ENOTCONN;
	if (current->mm != job->mm)
		return -EPERM;
	if (!load->bytes)
		return -EINVAL;
	return eg_charge(job, load->bytes) ? 0 : -ENOSPC;
}

void *eg_schedule_read(const struct espgoal_load *load)
{
	void *block = kvmalloc(load->bytes, GFP_KERNEL_ACCOUNT);

	if (!block)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(block, u64_to_user_ptr(load->block), load->bytes))
		return block;
	kvfree(block);
	return ERR_PTR(-EFAULT);
}

/* An empty schedule of the job, which has a number, and is charged already; or an errno. */
static struct eg_schedule *eg_schedule_create(struct eg_job *job, u64 bytes)
{
	int id = eg_schedule_find_id(job);
	struct eg_schedule *s;

	if (id < 0)
		return ERR_PTR(id);
	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return ERR_PTR(-ENOMEM);
	s->id = id;
	s->workspace = bytes;
	s->number = job->next_schedule;
	s->next_run = EG_FIRST_NUMBER;
	s->users = 1;
	job->schedules[id] = s;
	return s;
}

int eg_schedule_load(struct eg_job *job, struct espgoal_load *load, void *block)
{
	struct eg_schedule *s = IS_ERR(block) ? block : eg_schedule_create(job, load->bytes);
	int err;

	if (IS_ERR(s)) {
		job->workspace -= load->bytes;
		if (!IS_ERR(block))
			kvfree(block);
		return PTR_ERR(s);
	}
	s->block = block;
	err = eg_schedule_check(job, block, load, &s->prog);
	if (!err)
		err = eg_order_analyse(s);
	if (!err)
		err = xa_err(xa_store(&job->loaded, s->number, s, GFP_KERNEL_ACCOUNT));
	if (err) {
		eg_schedule_remove(job, s);
		return err;
	}
	job->next_schedule++;
	eg_schedule_classify(s);
	load->id = s->id;
	return 0;
}

struct eg_schedule *eg_schedule_find(struct eg_job *job, u32 id)
{
	return id < ESPGOAL_SCHEDULES_MOST ? job->schedules[id] : NULL;
}

int eg_schedule_unload(struct eg_job *job, u32 id)
{
	struct eg_schedule *s = eg_schedule_find(job, id);

	if (!s)
		return -EINVAL;
	if (current->mm != job->mm)
		return -EPERM;
	if (s->users > 1)
		return -EBUSY;
	eg_match_drop(job, s, NULL);
	eg_schedule_remove(job, s);
	return 0;
}

void eg_schedule_unload_all(struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_SCHEDULES_MOST; i++)
		if (job->schedules[i])
			eg_schedule_remove(job, job->schedules[i]);
}
