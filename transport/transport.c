// SPDX-License-Identifier: BSD-3-Clause
/* transport.c - the table of transports, and the check that each keeps its word. */

#include "transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define TRANSPORT(name) extern const struct bspt_ops bspt_##name##_ops;
#include "transports.def"
#undef TRANSPORT

static const struct bspt_ops *const built_in[] = {
#define TRANSPORT(name) &bspt_##name##_ops,
#include "transports.def"
#undef TRANSPORT
};

enum { NTRANSPORTS = sizeof(built_in) / sizeof(built_in[0]) };

/* Copies with stubs filled in; complete[i].name is NULL until the first look-up. */
static struct bspt_ops complete[NTRANSPORTS];

const struct bspt_ops *bspt_at(unsigned int i)
{
	char why[64];

	if (i >= NTRANSPORTS)
		return NULL;
	if (!complete[i].name) {
		complete[i] = *built_in[i];
		if (bspt_check(&complete[i], why, sizeof(why)) == 0)
			bspt_complete(&complete[i]);
	}
	return &complete[i];
}

const struct bspt_ops *bspt_find(const char *name)
{
	const struct bspt_ops *ops;

	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		if (strcmp(ops->name, name) == 0)
			return ops;
	return NULL;
}

uint64_t bspt_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
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
		{ "now", BSPT_CAP_CLOCK, ops->now },
		{ "computing", BSPT_CAP_CLOCK, ops->computing },
		{ "arrival", BSPT_CAP_CLOCK, ops->arrival },
		{ "advance", BSPT_CAP_CLOCK, ops->advance },
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
