// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_send.c - messages of operations that send: to one peer, or to all others. */

#include "espgoal_job.h"

/* The bytes of all parts, one after the other; zeros if there are none. */
static struct eg_copy *gather(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_copy *copy = eg_new_copy(f->job, op->bytes);
	const struct goal_part *part = goal_parts(op);
	u64 done = 0;

	if (copy && !op->nparts)
		memset(copy->data, 0, op->bytes);
	for (u32 i = 0; copy && i < op->nparts; done += part[i++].bytes)
		memcpy(copy->data + done, goal_run_at(&f->run, &part[i]), part[i].bytes);
	return copy;
}

static struct eg_wire head_of(const struct eg_flight *f, const struct goal_op *op, u32 to)
{
	return (struct eg_wire){
		.kind = cpu_to_le32(EG_MESSAGE), .number = cpu_to_le32(eg_cast_colour(f->job, to)),
		.schedule = cpu_to_le32(f->schedule->number),
		.flight = cpu_to_le32(f->number), .tag = cpu_to_le32(op->tag),
		.bytes = cpu_to_le64(op->bytes),
	};
}

void eg_send(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_out *out = &f->items[op->index].out;

	*out = (struct eg_out){ .flight = f, .op = op, .head = head_of(f, op, op->peer), .bytes = op->bytes };
	eg_enqueue(f->job, op->peer, eg_network(f->job, f->schedule, op), out);
}

/* To one after the other: what is always right. */
static bool send_copies(struct eg_flight *f, const struct goal_op *op, struct eg_copy *copy)
{
	u32 network = eg_network(f->job, f->schedule, op);
	struct eg_job *job = f->job;
	bool good = true;

	for (u32 rank = 0; rank < job->nprocs && good; rank++) {
		struct eg_wire head;

		if (rank == job->rank)
			continue;
		head = head_of(f, op, rank);
		good = eg_queue_loose(job, rank, network, &head, op->bytes, copy);
	}
	job->stats.multicasts_copied++;
	return good;
}

/* It has ended when this returns, so nothing in a queue may look at the flight. */
static bool multicast(struct eg_flight *f, const struct goal_op *op)
{
	bool at_once = eg_cast_takes(f, op), good = true;
	struct eg_copy *copy = at_once || op->nparts ? gather(f, op) : NULL;

	if (!copy && (at_once || op->nparts))
		return false;
	if (at_once)
		eg_cast_send(f, op, copy);
	else
		good = send_copies(f, op, copy);
	eg_put_copy(f->job, copy);
	return good;
}

/* Its item waits until the worker comes. */
bool eg_multicast_or_defer(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_posted *p = &f->items[op->index].posted;

	if (f->job->soft) {
		*p = (struct eg_posted){ .flight = f, .op = op };
		list_add_tail(&p->list, &f->job->later);
		f->job->for_worker = true;
		return false;
	}
	if (!multicast(f, op))
		eg_fail(f->job, ENOMEM);
	return true;			/* its bytes were copied */
}

void eg_do_later(struct eg_job *job)
{
	struct eg_posted *p, *next;

	list_for_each_entry_safe(p, next, &job->later, list) {
		list_del(&p->list);
		if (!multicast(p->flight, p->op))
			return eg_fail(job, ENOMEM);
		goal_run_done(&p->flight->run, p->op);
	}
}
