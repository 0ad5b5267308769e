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

/* Its item waits until the worker comes. */
static bool multicast(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_posted *p = &f->items[op->index].posted;

	if (f->job->soft) {
		*p = (struct eg_posted){ .flight = f, .op = op };
		list_add_tail(&p->list, &f->job->later);
		f->job->for_worker = true;
		return false;
	}
	if (!eg_multicast(f, op))
		eg_fail(f->job, ENOMEM);
	return true;			/* its bytes were copied */
}

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
		return multicast(f, op);
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

void eg_moved(struct eg_flight *f, const struct goal_op *op)
{
	goal_run_done(&f->run, op);
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

void eg_do_later(struct eg_job *job)
{
	struct eg_posted *p, *next;

	list_for_each_entry_safe(p, next, &job->later, list) {
		list_del(&p->list);
		if (!eg_multicast(p->flight, p->op))
			return eg_fail(job, ENOMEM);
		eg_moved(p->flight, p->op);
	}
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
