// SPDX-License-Identifier: BSD-3-Clause
/* transport.c - the table of transports, and the check that each keeps its word. */

#include "transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TRANSPORT(name) extern const struct bspt_ops bspt_##name##_ops;
#define PLUGIN(name, summary)
#include "transports.def"
#undef TRANSPORT
#undef PLUGIN

/* One line of the table. */
struct entry {
	const char *name, *summary;
	const struct bspt_ops *ops;	/* NULL: in a plugin */
};

static const struct entry entries[] = {
#define TRANSPORT(name) { #name, NULL, &bspt_##name##_ops },
#define PLUGIN(name, summary) { #name, summary, NULL },
#include "transports.def"
#undef TRANSPORT
#undef PLUGIN
};

enum { NTRANSPORTS = sizeof(entries) / sizeof(entries[0]), WHY_MOST = 256 };

/* Copies with stubs filled in; complete[i].name is NULL until the first look-up. */
static struct bspt_ops complete[NTRANSPORTS];

/* ---- What stands for a plugin that cannot be loaded ------------------------- */

/* Why it could not be loaded; and of the one that was looked up last, as whoever asks has just done. */
static char why_not[NTRANSPORTS][WHY_MOST];
static _Thread_local const char *why_missing = "";

static int missing_probe(int nprocs, char *why, size_t len)
{
	(void)nprocs;
	snprintf(why, len, "%s", why_missing);
	return -ENOENT;
}

static int missing_prepare(struct bspt_plan *plan)
{
	(void)plan;
	return -ENOENT;
}

static struct bspt_ops missing(const struct entry *e)
{
	struct bspt_ops ops = *entries[0].ops;	/* whose slots nobody gets to: no object is opened */

	ops.name = e->name;
	ops.summary = e->summary;
	ops.caps = BSPT_COMPLETE;		/* what it could do is not known */
	ops.probe = missing_probe;
	ops.prepare = missing_prepare;
	return ops;
}

static void load(unsigned int i)
{
	const struct entry *e = &entries[i];
	const struct bspt_ops *ops = e->ops;
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "bspt_%s_ops", e->name);
	if (!ops)
		ops = bspt_plugin(e->name, symbol, why_not[i], WHY_MOST);
	complete[i] = ops ? *ops : missing(e);
}

const struct bspt_ops *bspt_at(unsigned int i)
{
	char why[64];

	if (i >= NTRANSPORTS)
		return NULL;
	if (!complete[i].name) {
		load(i);
		if (bspt_check(&complete[i], why, sizeof(why)) == 0)
			bspt_complete(&complete[i]);
	}
	why_missing = why_not[i];
	return &complete[i];
}

const struct bspt_ops *bspt_find(const char *name)
{
	for (unsigned int i = 0; i < NTRANSPORTS; i++)
		if (strcmp(entries[i].name, name) == 0)
			return bspt_at(i);
	return NULL;
}

const struct bspt_ops *bspt_own(void)
{
	return bspt_find("self");
}

int bspt_open(const struct bspt_ops *ops, const struct bspt_plan *plan, int me,
	      struct bspt **out)
{
	int err = ops->open(plan, me, out);

	if (err == 0)
		(*out)->ops = ops;
	return err;
}

int bspt_accepts_none(const char *network, char *why, size_t len)
{
	if (!network[0])
		return 0;
	snprintf(why, len, "it does not emulate a network");
	return -EINVAL;
}

struct bspt *bspt_via_itself(struct bspt *t, int peer, int *number)
{
	*number = peer;
	return t;
}

/* One slot: is it there exactly when it is promised? */
struct slot {
	const char *name;
	unsigned int cap;	/* 0: core */
	bool there;
};

int bspt_check(const struct bspt_ops *ops, char *why, size_t len)
{
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
		{ "wait", 0, ops->wait },
		{ "tally_add", BSPT_CAP_TALLY, ops->tally_add },
		{ "tally_enter", BSPT_CAP_TALLY, ops->tally_enter },
		{ "tally_test", BSPT_CAP_TALLY, ops->tally_test },
		{ "expose", BSPT_CAP_WINDOW, ops->expose },
		{ "conceal", BSPT_CAP_WINDOW, ops->conceal },
		{ "window_write", BSPT_CAP_WINDOW, ops->window_write },
		{ "window_read", BSPT_CAP_WINDOW, ops->window_read },
		{ "stamp", BSPT_CAP_WINDOW, ops->stamp },
		{ "stamp_of", BSPT_CAP_WINDOW, ops->stamp_of },
		{ "bulk_send", BSPT_CAP_BULK, ops->bulk_send },
		{ "bulk_recv", BSPT_CAP_BULK, ops->bulk_recv },
		{ "schedule_load", BSPT_CAP_SCHEDULE, ops->schedule_load },
		{ "schedule_start", BSPT_CAP_SCHEDULE, ops->schedule_start },
		{ "schedule_over", BSPT_CAP_SCHEDULE, ops->schedule_over },
		{ "schedule_finish", BSPT_CAP_SCHEDULE, ops->schedule_finish },
		{ "schedule_unload", BSPT_CAP_SCHEDULE, ops->schedule_unload },
		{ "now", BSPT_CAP_CLOCK, ops->now },
		{ "computing", BSPT_CAP_CLOCK, ops->computing },
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
