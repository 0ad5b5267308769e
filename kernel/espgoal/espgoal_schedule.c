// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_schedule.c - loads, verifies and unloads schedules. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

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

static bool is_floating(const struct goal_op *op)
{
	return op->type == GOAL_LOCAL && (op->datatype == GOAL_F32 || op->datatype == GOAL_F64);
}

/* What softirq cannot do, or not always. */
static void weigh(struct eg_schedule *s)
{
	const struct goal_op *op = goal_op_at(&s->prog, s->prog.header->ops_at);

	for (u32 i = 0; i < s->prog.header->nops; i++, op = goal_op_next(op)) {
		s->heavy |= op->type != GOAL_CALC && op->bytes > EG_SOFT_BYTES;
		s->floats |= is_floating(op);
	}
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
	list_del(&s->list);
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
	INIT_LIST_HEAD(&s->list);
	job->schedules[id] = s;
	err = read_block(job, load, s);
	if (!err)
		err = eg_order(s);
	if (err) {
		free_schedule(job, s);
		return err;
	}
	s->number = job->loads++;
	list_add(&s->list, &job->loaded);
	weigh(s);
	load->id = id;
	return 0;
}

struct eg_schedule *eg_find_schedule(struct eg_job *job, u32 id)
{
	return id < ESPGOAL_SCHEDULES_MOST ? job->schedules[id] : NULL;
}

int eg_unload(struct eg_job *job, u32 id)
{
	struct eg_schedule *s = eg_find_schedule(job, id);

	if (!s)
		return -EINVAL;
	if (s->under_way)
		return -EBUSY;
	eg_drop(job, s, NULL);
	free_schedule(job, s);
	return 0;
}

void eg_unload_all(struct eg_job *job)
{
	for (int i = 0; i < ESPGOAL_SCHEDULES_MOST; i++)
		if (job->schedules[i])
			free_schedule(job, job->schedules[i]);
}
