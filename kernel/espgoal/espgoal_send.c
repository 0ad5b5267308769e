// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_send.c - queues the messages of operations: to one peer, or to all others. */

#include "espgoal_job.h"

/* The bytes of all parts, concatenated; zeros if there are none. */
static struct eg_payload *eg_send_gather(struct eg_run *r, const struct goal_op *op)
{
	struct eg_payload *payload = eg_payload_create(r->job, op->bytes);
	const struct goal_part *part = goal_parts(op);
	u64 done = 0;

	if (payload && !op->nparts)
		memset(payload->data, 0, op->bytes);
	for (u32 i = 0; payload && i < op->nparts; done += part[i++].bytes)
		memcpy(payload->data + done, goal_run_at(&r->goal, &part[i]), part[i].bytes);
	return payload;
}

static struct eg_wire eg_send_header(const struct eg_run *r, const struct goal_op *op, u32 to)
{
	return (struct eg_wire){
		.kind = cpu_to_le32(EG_MESSAGE), .number = cpu_to_le32(eg_mcast_ack(r->job, to)),
		.schedule = cpu_to_le32(r->schedule->number),
		.run = cpu_to_le32(r->number), .tag = cpu_to_le32(op->tag),
		.bytes = cpu_to_le64(op->bytes),
	};
}

/*
 * Must it wait for multicasts that were left to the worker? Only if one of them may have its tag,
 * and then for all of them, as they are sent in the order in which they were left. See
 * espgoal_order.c.
 */
static bool eg_send_is_behind_deferred(const struct eg_run *r, const struct goal_op *op)
{
	return !list_empty(&r->job->deferred) && !eg_order_tag_is_unique(r->schedule, op);
}

/* The worker will be woken: by need_worker, unless it is itself not yet through with the list. */
static void eg_send_defer(struct eg_run *r, const struct goal_op *op)
{
	struct eg_deferred *d = &r->items[op->index].deferred;

	*d = (struct eg_deferred){ .run = r, .op = op };
	list_add_tail(&d->list, &r->job->deferred);
	r->job->need_worker = true;
}

static void eg_send_now(struct eg_run *r, const struct goal_op *op)
{
	struct eg_tx_msg *msg = &r->items[op->index].msg;

	*msg = (struct eg_tx_msg){ .run = r, .op = op, .bytes = op->bytes,
				   .head = eg_send_header(r, op, op->peer) };
	eg_tx_enqueue(r->job, op->peer, eg_order_network(r->job, r->schedule, op), msg);
}

void eg_send(struct eg_run *r, const struct goal_op *op)
{
	if (eg_send_is_behind_deferred(r, op))
		eg_send_defer(r, op);
	else
		eg_send_now(r, op);
}

/* A copy to each, over connections; always possible. */
static bool eg_send_copies(struct eg_run *r, const struct goal_op *op, struct eg_payload *payload)
{
	u32 network = eg_order_network(r->job, r->schedule, op);
	struct eg_job *job = r->job;
	bool good = true;

	for (u32 rank = 0; rank < job->nprocs && good; rank++) {
		struct eg_wire head;

		if (rank == job->rank)
			continue;
		eg_budget_spend(job, 0);
		head = eg_send_header(r, op, rank);
		good = eg_tx_enqueue_detached(job, rank, network, &head, op->bytes, payload);
	}
	job->stats.multicasts_copied++;
	return good;
}

/* As one frame. False: no memory. */
static bool eg_send_to_group(struct eg_run *r, const struct goal_op *op)
{
	struct eg_payload *payload = eg_send_gather(r, op);

	if (!payload)
		return false;
	eg_mcast_send(r, op, payload);
	eg_payload_release(r->job, payload);
	return true;
}

/* The operation has ended when this returns, so its messages must not refer to the run. */
static bool eg_send_to_all(struct eg_run *r, const struct goal_op *op)
{
	struct eg_payload *payload;
	bool good;

	if (eg_mcast_is_possible(r, op))
		return eg_send_to_group(r, op);
	payload = op->nparts ? eg_send_gather(r, op) : NULL;
	if (!payload && op->nparts)
		return false;
	good = eg_send_copies(r, op, payload);
	eg_payload_release(r->job, payload);
	return good;
}

/*
 * One frame is sent in softirq, too. Copies need memory for each process, and a frame may find none
 * there: the state of the operation waits in job->deferred for the worker, and so does what must
 * not overtake it.
 */
bool eg_send_multicast(struct eg_run *r, const struct goal_op *op)
{
	bool behind = eg_send_is_behind_deferred(r, op);

	if (r->job->in_softirq)
		eg_budget_spend(r->job, op->bytes);
	if (r->job->in_softirq && eg_mcast_is_possible(r, op) && eg_send_to_group(r, op))
		return true;
	if (r->job->in_softirq || behind) {
		eg_send_defer(r, op);
		return false;
	}
	if (!eg_send_to_all(r, op))
		eg_job_fail(r->job, ENOMEM);
	return true;			/* its bytes have been copied */
}

/* A send ends when its bytes are queued to the socket, a multicast when they have been copied. */
static void eg_send_deferred_one(struct eg_run *r, const struct goal_op *op)
{
	if (op->type == GOAL_SEND) {
		eg_send_now(r, op);
		return;
	}
	eg_budget_spend(r->job, op->bytes);
	if (eg_send_to_all(r, op))
		goal_run_done(&r->goal, op);
	else
		eg_job_fail(r->job, ENOMEM);
}

bool eg_send_deferred(struct eg_job *job)
{
	struct eg_deferred *d;

	while (eg_may_continue(job)) {
		d = list_first_entry_or_null(&job->deferred, struct eg_deferred, list);
		if (!d)
			return false;
		list_del(&d->list);
		/* Its memory may become that of the message. */
		eg_send_deferred_one(d->run, d->op);
		cond_resched();
	}
	return !list_empty(&job->deferred);
}
