/* SPDX-License-Identifier: BSD-3-Clause */
/* A transport whose capability bits and slots disagree is refused; no slot is ever NULL. */
#include "../lib/transports.h"

#include <stddef.h>

/* All slots, by their place in the table, since they have different types. */
static const struct {
	const char *name;
	size_t at;
	unsigned int cap;
} slots[] = {
	{ "accepts", offsetof(struct bspt_ops, accepts), 0 },
	{ "probe", offsetof(struct bspt_ops, probe), 0 },
	{ "prepare", offsetof(struct bspt_ops, prepare), 0 },
	{ "open", offsetof(struct bspt_ops, open), 0 },
	{ "via", offsetof(struct bspt_ops, via), 0 },
	{ "close", offsetof(struct bspt_ops, close), 0 },
	{ "chunk", offsetof(struct bspt_ops, chunk), 0 },
	{ "send", offsetof(struct bspt_ops, send), 0 },
	{ "discard", offsetof(struct bspt_ops, discard), 0 },
	{ "poll", offsetof(struct bspt_ops, poll), 0 },
	{ "release", offsetof(struct bspt_ops, release), 0 },
	{ "trim", offsetof(struct bspt_ops, trim), 0 },
	{ "wait", offsetof(struct bspt_ops, wait), 0 },
	{ "count_add", offsetof(struct bspt_ops, count_add),
	  BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES },
	{ "count_enter", offsetof(struct bspt_ops, count_enter),
	  BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES },
	{ "count_test", offsetof(struct bspt_ops, count_test),
	  BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES },
	{ "count_full", offsetof(struct bspt_ops, count_full), BSPT_CAP_COUNTING_NODES },
	{ "count_release", offsetof(struct bspt_ops, count_release), BSPT_CAP_COUNTING_NODES },
	{ "survey", offsetof(struct bspt_ops, survey), BSPT_CAP_WINDOW },
	{ "expose", offsetof(struct bspt_ops, expose), BSPT_CAP_WINDOW },
	{ "withdraw", offsetof(struct bspt_ops, withdraw), BSPT_CAP_WINDOW },
	{ "collect", offsetof(struct bspt_ops, collect), BSPT_CAP_WINDOW },
	{ "unexpose", offsetof(struct bspt_ops, unexpose), BSPT_CAP_WINDOW },
	{ "window_write", offsetof(struct bspt_ops, window_write), BSPT_CAP_WINDOW },
	{ "window_read", offsetof(struct bspt_ops, window_read), BSPT_CAP_WINDOW },
	{ "publish", offsetof(struct bspt_ops, publish), BSPT_CAP_WINDOW },
	{ "published_by", offsetof(struct bspt_ops, published_by), BSPT_CAP_WINDOW },
	{ "bulk_send", offsetof(struct bspt_ops, bulk_send), BSPT_CAP_BULK },
	{ "bulk_recv", offsetof(struct bspt_ops, bulk_recv), BSPT_CAP_BULK },
	{ "schedule_load", offsetof(struct bspt_ops, schedule_load), BSPT_CAP_SCHEDULE },
	{ "schedule_start", offsetof(struct bspt_ops, schedule_start), BSPT_CAP_SCHEDULE },
	{ "schedule_over", offsetof(struct bspt_ops, schedule_over), BSPT_CAP_SCHEDULE },
	{ "schedule_finish", offsetof(struct bspt_ops, schedule_finish), BSPT_CAP_SCHEDULE },
	{ "schedule_unload", offsetof(struct bspt_ops, schedule_unload), BSPT_CAP_SCHEDULE },
	{ "now", offsetof(struct bspt_ops, now), BSPT_CAP_CLOCK },
	{ "computing", offsetof(struct bspt_ops, computing), BSPT_CAP_CLOCK },
	{ "charge", offsetof(struct bspt_ops, charge), BSPT_CAP_CLOCK },
	{ "arrival", offsetof(struct bspt_ops, arrival), BSPT_CAP_CLOCK },
	{ "advance", offsetof(struct bspt_ops, advance), BSPT_CAP_CLOCK },
	{ "send_at", offsetof(struct bspt_ops, send_at), BSPT_CAP_CLOCK },
	{ "receive_at", offsetof(struct bspt_ops, receive_at), BSPT_CAP_CLOCK },
	{ "reach", offsetof(struct bspt_ops, reach), BSPT_CAP_CLOCK },
};

enum {
	SLOTS = sizeof slots / sizeof slots[0],
	SLOT_BYTES = sizeof(void (*)(void)),
};

_Static_assert(sizeof(struct bspt_ops) ==
	       offsetof(struct bspt_ops, accepts) + SLOTS * SLOT_BYTES, "no slot is left out");

static void empty(struct bspt_ops *ops, int slot)
{
	memset((char *)ops + slots[slot].at, 0, SLOT_BYTES);
}

static bool is_empty(const struct bspt_ops *ops, int slot)
{
	static const char nothing[SLOT_BYTES];

	return memcmp((const char *)ops + slots[slot].at, nothing, SLOT_BYTES) == 0;
}

/* All slots filled, as those that transports have are: no transport has all capabilities. */
static const struct bspt_ops *full(void)
{
	static struct bspt_ops all;
	const struct bspt_ops *ops = bspt_at(0);

	all = *ops;
	all.caps = BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES | BSPT_CAP_WINDOW | BSPT_CAP_BULK |
		   BSPT_CAP_SCHEDULE | BSPT_CAP_CLOCK;
	return &all;
}

static void missing_slot_is_refused(void)
{
	char why[64];

	for (int i = 0; i < SLOTS; i++) {
		struct bspt_ops ops = *full();

		empty(&ops, i);
		strcpy(why, "nothing");
		is_int(-EINVAL, bspt_check(&ops, why, sizeof why), "without %s: refused",
		       slots[i].name);
		ok(strstr(why, slots[i].name), "without %s: named", slots[i].name);
	}
}

static void slot_without_its_bit_is_refused(void)
{
	char why[64];

	for (int i = 0; i < SLOTS; i++) {
		struct bspt_ops ops = *full();

		if (!slots[i].cap)
			continue;
		for (int k = 0; k < SLOTS; k++)
			if (k != i && slots[k].cap == slots[i].cap)
				empty(&ops, k);
		ops.caps &= ~slots[i].cap;
		is_int(-EINVAL, bspt_check(&ops, why, sizeof why), "%s without its bit: refused",
		       slots[i].name);
		ok(strstr(why, slots[i].name), "%s without its bit: named", slots[i].name);
	}
}

static void core_alone_is_completed(void)
{
	struct bspt_ops ops = *full();
	struct bspt_bulk bulk = { .peer = 0 };
	struct bspt_counts counts;
	size_t head, tail;
	uint64_t window;
	char why[64];
	int none = 0;

	ops.caps = 0;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].cap)
			empty(&ops, i);
	is_int(0, bspt_check(&ops, why, sizeof why), "the core alone is a transport");
	ops.caps = BSPT_ONE_NODE;
	is_int(0, bspt_check(&ops, why, sizeof why), "also one for a single node");
	bspt_complete(&ops);
	for (int i = 0; i < SLOTS; i++)
		none += is_empty(&ops, i);
	is_int(0, none, "completed, it has no empty slot");
	is_int(-EOPNOTSUPP, ops.expose(NULL, why, sizeof why, &window, &head, &tail),
	       "what stands in for expose says that it cannot");
	ok(!ops.count_test(NULL, &counts), "what stands in for count_test ends no round");
	ops.bulk_send(NULL, &bulk);
	ops.bulk_recv(NULL, &bulk);
	ok(!bulk.done, "what stands in for bulk is never done");
	is_int(0, (long long)ops.now(NULL), "what stands in for now knows no time");
}

/* Bits and slots agree, if those stand empty that were completed. */
static bool keeps_its_word(const struct bspt_ops *completed)
{
	struct bspt_ops ops = *completed;
	char why[64];

	ops.caps &= ~(unsigned int)BSPT_COMPLETE;
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].cap && !(ops.caps & slots[i].cap))
			empty(&ops, i);
	return bspt_check(&ops, why, sizeof why) == 0;
}

static void table_is_in_order(void)
{
	const struct bspt_ops *ops;
	unsigned int n = 0;

	for (; (ops = bspt_at(n)); n++) {
		int none = 0;

		for (int i = 0; i < SLOTS; i++)
			none += is_empty(ops, i);
		is_int(0, none, "%s has no empty slot", ops->name);
		ok(keeps_its_word(ops), "%s keeps its word", ops->name);
		ok(bspt_find(ops->name) == ops, "%s is found by its name, which is its alone",
		   ops->name);
		ok(ops->summary && *ops->summary && !strchr(ops->summary, '\n'),
		   "%s has a summary of one line", ops->name);
	}
	ok(n >= 1, "there are transports");
	ok(!bspt_at(n + 1) && !bspt_at(-1u), "nothing comes after the last");
	ok(!bspt_find("pigeon") && !bspt_find(""), "an unknown name is not found");
}

static void reason_is_terminated(void)
{
	struct bspt_ops ops = *full();
	char why[8] = "1234567";

	ops.count_add = NULL;
	bspt_check(&ops, why, 4);
	is_int(3, (long)strnlen(why, 8), "a reason that does not fit is cut, and terminated");
	is_str("567", why + 4, "and nothing is written behind it");
}

int main(void)
{
	missing_slot_is_refused();
	slot_without_its_bit_is_refused();
	core_alone_is_completed();
	table_is_in_order();
	reason_is_terminated();
	return done_testing();
}
