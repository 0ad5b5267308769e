// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_order.c - which messages of a schedule may overtake which. */

/*
 * Messages of one process to another with the same tag are received in the order in which they were
 * sent (goal(7)). One connection keeps that order; two connections, or a connection and a
 * multicast, do not. So messages with the same receiver and tag use one connection, and a multicast
 * is sent as one frame only if no other message of its process has its tag. Runs need no order, as
 * messages carry their numbers. Tags and peers are hashed: a collision costs speed, not
 * correctness.
 *
 * Connections are not all: a multicast that is to be copied in softirq is left to the worker (see
 * espgoal_send.c), and sends of its tag that follow would be queued before it. So while
 * job->deferred has anything, messages of tags that have another multicast (eg_order_add() marks
 * the tag, whichever comes first) join the end of that list, in softirq and in the worker and calls
 * that have not emptied it; only the worker and calls take from it, from its head, before they
 * start other operations. The queue of a connection then gets them in the order of the list. All
 * this is under job->run_lock or by the holder of the job. A multicast whose tag is its own has no
 * message to keep an order with, wherever it waits.
 */

#include "espgoal_job.h"

#include <linux/slab.h>

struct eg_order_seen {
	DECLARE_BITMAP(tags, EG_BUCKETS);	/* of any message */
	DECLARE_BITMAP(casts, EG_BUCKETS);	/* of multicasts */
	DECLARE_BITMAP(by[ESPGOAL_NETWORKS], EG_BUCKETS);	/* peers and tags, by network */
};

static u32 eg_order_tag_bucket(const struct goal_op *op)
{
	return op->tag % EG_BUCKETS;
}

static u32 eg_order_peer_bucket(const struct goal_op *op)
{
	return (op->peer * 37u + op->tag) % EG_BUCKETS;
}

static void eg_order_add(struct eg_schedule *s, struct eg_order_seen *seen,
			 const struct goal_op *op)
{
	bool multicast = op->type == GOAL_MULTICAST;
	unsigned int network = op->nic % ESPGOAL_NETWORKS;

	if (test_bit(eg_order_tag_bucket(op), multicast ? seen->tags : seen->casts))
		__set_bit(eg_order_tag_bucket(op), s->crowded);
	__set_bit(eg_order_tag_bucket(op), seen->tags);
	if (multicast) {
		__set_bit(eg_order_tag_bucket(op), seen->casts);
		return;
	}
	__set_bit(eg_order_peer_bucket(op), seen->by[network]);
	if (test_bit(eg_order_peer_bucket(op), seen->by[!network]))
		__set_bit(eg_order_peer_bucket(op), s->mixed);
}

int eg_order_analyse(struct eg_schedule *s)
{
	const struct goal_prog *prog = &s->prog;
	const struct goal_op *op = goal_op_at(prog, prog->header->ops_at);
	struct eg_order_seen *seen = kzalloc(sizeof(*seen), GFP_KERNEL_ACCOUNT);

	if (!seen)
		return -ENOMEM;
	for (u32 i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		if (op->type == GOAL_SEND || op->type == GOAL_MULTICAST)
			eg_order_add(s, seen, op);
	kfree(seen);
	return 0;
}

bool eg_order_tag_is_unique(const struct eg_schedule *s, const struct goal_op *op)
{
	return !test_bit(eg_order_tag_bucket(op), s->crowded);
}

u32 eg_order_network(const struct eg_job *job, const struct eg_schedule *s,
		     const struct goal_op *op)
{
	if (!eg_order_tag_is_unique(s, op) ||
	    (op->type == GOAL_SEND && test_bit(eg_order_peer_bucket(op), s->mixed)))
		return 0;
	return op->nic % job->networks;
}
