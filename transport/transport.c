// SPDX-License-Identifier: BSD-3-Clause
/* transport.c - what all transports share, and the check that each has what it promises. */

#include "transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct bspt_table *bspt_others;

int bspt_open(const struct bspt_ops *ops, const struct bspt_plan *plan, int me,
	      struct bspt **out)
{
	int err = ops->open(plan, me, out);

	if (err == 0 && !(*out)->ops)
		(*out)->ops = ops;
	return err;
}

/* One slot: is it there exactly when it is promised? */
struct slot {
	const char *name;
	unsigned int cap;	/* one of them; 0: core */
	bool there;
};

int bspt_check(const struct bspt_ops *ops, char *why, size_t len)
{
	const unsigned int counting = BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES;
	const struct slot slots[] = {
		{ "accepts", 0, ops->accepts },
		{ "probe", 0, ops->probe },
		{ "prepare", 0, ops->prepare },
		{ "open", 0, ops->open },
		{ "close", 0, ops->close },
		{ "via", 0, ops->via },
		{ "chunk", 0, ops->chunk },
		{ "send", 0, ops->send },
		{ "discard", 0, ops->discard },
		{ "poll", 0, ops->poll },
		{ "release", 0, ops->release },
		{ "trim", 0, ops->trim },
		{ "wait", 0, ops->wait },
		{ "count_add", counting, ops->count_add },
		{ "count_enter", counting, ops->count_enter },
		{ "count_test", counting, ops->count_test },
		{ "count_full", BSPT_CAP_COUNTING_NODES, ops->count_full },
		{ "count_release", BSPT_CAP_COUNTING_NODES, ops->count_release },
		{ "survey", BSPT_CAP_WINDOW, ops->survey },
		{ "expose", BSPT_CAP_WINDOW, ops->expose },
		{ "withdraw", BSPT_CAP_WINDOW, ops->withdraw },
		{ "collect", BSPT_CAP_WINDOW, ops->collect },
		{ "unexpose", BSPT_CAP_WINDOW, ops->unexpose },
		{ "window_write", BSPT_CAP_WINDOW, ops->window_write },
		{ "window_read", BSPT_CAP_WINDOW, ops->window_read },
		{ "publish", BSPT_CAP_WINDOW, ops->publish },
		{ "published_by", BSPT_CAP_WINDOW, ops->published_by },
		{ "bulk_send", BSPT_CAP_BULK, ops->bulk_send },
		{ "bulk_recv", BSPT_CAP_BULK, ops->bulk_recv },
		{ "schedule_load", BSPT_CAP_SCHEDULE, ops->schedule_load },
		{ "schedule_start", BSPT_CAP_SCHEDULE, ops->schedule_start },
		{ "schedule_over", BSPT_CAP_SCHEDULE, ops->schedule_over },
		{ "schedule_finish", BSPT_CAP_SCHEDULE, ops->schedule_finish },
		{ "schedule_unload", BSPT_CAP_SCHEDULE, ops->schedule_unload },
		{ "now", BSPT_CAP_CLOCK, ops->now },
		{ "computing", BSPT_CAP_CLOCK, ops->computing },
		{ "charge", BSPT_CAP_CLOCK, ops->charge },
		{ "arrival", BSPT_CAP_CLOCK, ops->arrival },
		{ "advance", BSPT_CAP_CLOCK, ops->advance },
		{ "send_at", BSPT_CAP_CLOCK, ops->send_at },
		{ "receive_at", BSPT_CAP_CLOCK, ops->receive_at },
		{ "reach", BSPT_CAP_CLOCK, ops->reach },
	};

	if (ops->caps & BSPT_COMPLETE)
		return 0;		/* it was checked before it was completed */
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		bool promised = !slots[i].cap || (ops->caps & slots[i].cap);

		if (promised == slots[i].there)
			continue;
		snprintf(why, len, "%s: %s", slots[i].name,
			 promised ? "missing" : "there without its capability");
		return -EINVAL;
	}
	return 0;
}
