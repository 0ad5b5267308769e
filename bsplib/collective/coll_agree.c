// SPDX-License-Identifier: BSD-3-Clause
/* coll_agree.c - do all processes make the same collective calls? */

/*
 * Collective calls have no names on the wire: the n-th of one process belongs to the n-th of every other. Each
 * process remembers its last ones, with all that has to be the same. They are compared when
 *
 *	somebody waits in vain	he tells the others what he calls; also where all wait for each other, and
 *				where a message was sent to nobody, somebody waits
 *	bsp_end			all tell process 0 how many calls they made, and which was last
 *	barriers		who is in one of a superstep, in which somebody waits for a call that he has not made,
 *				makes it too late: both wait for ever
 *	bsprun --check		all tell process 0 every call when they make it
 *
 * Whoever is told compares with his own call, or keeps what he was told until he makes it. So a mistake that
 * makes a program hang is named, without a word on the wire while all is well.
 *
 * On emulated networks nobody tells because he waits: such messages would come at other times in every run.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/schedule/note.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 256, ASK_ALL = 16 };

/* What travels: a call. */
struct told {
	uint32_t turn;
	uint32_t step;
	int64_t place;		/* packed */
	uint64_t bytes;
	int32_t kind, root;
	int32_t op, type;	/* op: BSPI_BY_USER */
	uint32_t blocking;
	uint32_t waits;		/* for it: superstep and 1; 0: not yet, or it is not known */
};

/* What was told of a call that we have not made. */
struct early {
	struct told told;
	int from;
};

static struct {
	uint32_t turn;			/* calls made */
	struct told own[REMEMBERED];	/* the last of them */
	struct early *early;
	size_t nearly, early_room;
	bool *ended;			/* on process 0: those that have sent it their last call */
} all;

/* ---- Names ------------------------------------------------------------------------------------- */

static const char *name_of(const struct told *t)
{
	static const char *const names[GOAL_KINDS] = {
		[GOAL_BCAST] = "bcast", [GOAL_SCATTER] = "scatter", [GOAL_GATHER] = "gather",
		[GOAL_ALLGATHER] = "allgather", [GOAL_EXCHANGE] = "exchange",
		[GOAL_REDUCE] = "reduce", [GOAL_ALLREDUCE] = "allreduce", [GOAL_SCAN] = "prefix",
	};
	bool by_user = t->op == BSPI_BY_USER;

	if (t->kind <= GOAL_BARRIER || t->kind >= GOAL_KINDS)
		return "nothing";
	return !by_user ? names[t->kind] : t->kind == GOAL_SCAN ? "scan" : "fold";
}

/* "bsp_reduce of 8 bytes to process 2, BSP_SUM of BSP_DOUBLE" */
static void describe(const struct told *t, char *text, size_t len)
{
	const char *type, *op = bspi_coll_names(t->op, t->type, &type);
	int n = snprintf(text, len, "bsp_%s%s of %llu byte%s", t->blocking ? "" : "i", name_of(t),
			 (unsigned long long)t->bytes, bspi_plural(t->bytes));

	if (bspi_coll_is_rooted(t->kind))
		n += snprintf(text + n, len - n, ", root %d", t->root);
	if (op)
		snprintf(text + n, len - n, ", %s of %s", op, type);
}

/* ---- Comparing ------------------------------------------------------------------------------------ */

static bool is_same(const struct told *a, const struct told *b)
{
	return a->kind == b->kind && a->root == b->root && a->bytes == b->bytes && a->op == b->op &&
	       a->type == b->type;
}

static _Noreturn __attribute__((cold)) void differ(const struct told *own, const struct told *other,
						   int from)
{
	char mine[160], his[160], call[32];

	describe(own, mine, sizeof(mine));
	describe(other, his, sizeof(his));
	snprintf(call, sizeof(call), "bsp_%s%s", own->blocking ? "" : "i", name_of(own));
	bspi_fail_of(bspi.me, own->step, call, own->place, "this is %s, but process %d calls %s in superstep %u at %s; all processes make the same collective calls in the same order",
		     mine, from, his, other->step, bspi_place_text(bspi_place_unpack(other->place)));
}

static void compare(const struct told *other, int from)
{
	const struct told *own = &all.own[other->turn % REMEMBERED];

	if (own->turn == other->turn && !is_same(own, other))
		differ(own, other, from);
}

static void keep(const struct told *other, int from)
{
	all.early = bspi_grow(all.early, all.nearly, sizeof(*all.early), &all.early_room);
	all.early[all.nearly++] = (struct early){ *other, from };
}

/* We have made a call, which may be one of which we were told. */
static void compare_early(void)
{
	size_t left = 0;

	for (size_t i = 0; i < all.nearly; i++)
		if (all.early[i].told.turn == all.turn)
			compare(&all.early[i].told, all.early[i].from);
		else
			all.early[left++] = all.early[i];
	all.nearly = left;
}

/* ---- Barriers ------------------------------------------------------------------------------------ */

/* He cannot end this superstep before we have made his call, and we cannot make it before he has. */
static void require_possible(const struct told *other, int from)
{
	char his[160];

	if (other->waits != bspi.step + 1)
		return;
	describe(other, his, sizeof(his));
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_place(), "process %d waits for %s in superstep %u at %s, which this process has not called; all processes make the same collective calls in the same order, and those of bsp_sync as well",
		  from, his, bspi.step, bspi_place_text(bspi_place_unpack(other->place)));
}

void bspi_agree_at_barrier(void)
{
	for (size_t i = 0; i < all.nearly; i++)
		require_possible(&all.early[i].told, all.early[i].from);
}

/* ---- Telling ---------------------------------------------------------------------------------------- */

static void tell(int pid, const struct told *t)
{
	struct bspi_parcel p = { .pid = pid };

	bspi_parcel_alone(&p, bspi_note_bytes(sizeof(*t)));
	memcpy(bspi_note_fill(p.rec, &(struct bspi_note){ .kind = BSPI_NOTE_CALL }, sizeof(*t)), t, sizeof(*t));
	bspi_parcel_send(&p);
}

static struct told told_of(const struct bspi_coll *c)
{
	return (struct told){
		.turn = all.turn, .step = bspi.step, .place = bspi_place_pack(c->place),
		.bytes = c->bytes, .kind = c->kind, .root = c->root,
		.op = c->by_user ? BSPI_BY_USER : c->op, .type = c->type,
		.blocking = c->call[4] != 'i',
		.waits = c->call[4] != 'i' ? bspi.step + 1 : 0,
	};
}

uint32_t bspi_agree_note(const struct bspi_coll *c)
{
	struct told *own = &all.own[++all.turn % REMEMBERED];

	*own = told_of(c);
	if (BSPI_UNLIKELY(all.nearly))
		compare_early();
	if (BSPI_UNLIKELY(bspi.env.check) && bspi.me != 0)
		tell(0, own);
	return all.turn;
}

/* All others, or where these are many those at distances 1, 2, 4, ...: then who differs has a neighbour who does not. */
void bspi_agree_ask(uint32_t turn)
{
	struct told *own = &all.own[turn % REMEMBERED];

	if (own->turn != turn || bspi.clock)
		return;
	own->waits = bspi.step + 1;
	for (int d = 1; d < bspi.nprocs; d = bspi.nprocs <= ASK_ALL ? d + 1 : 2 * d)
		tell((bspi.me + d) % bspi.nprocs, own);
}

static void agree_on_note(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event)
{
	const struct told *t = (const struct told *)(note + 1);

	(void)event;
	if (n != sizeof(*t))
		bspi_fail_damaged(from);
	if (!bspi_before(all.turn, t->turn)) {
		compare(t, from);
		return;
	}
	keep(t, from);
	if (bspi_engine.at_barrier)
		require_possible(t, from);
}

/* ---- The end ------------------------------------------------------------------------------------------- */

void bspi_agree_send(void)
{
	const struct told *own = &all.own[all.turn % REMEMBERED];
	struct bspi_rec *rec;

	if (all.turn == 0 || bspi.me == 0)
		return;
	rec = bspi_out_room(0, sizeof(*rec) + sizeof(*own));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_CALL, 0), .nbytes = sizeof(*own) };
	memcpy(rec + 1, own, sizeof(*own));
}

static void note_ended(int pid)
{
	if (!all.ended)
		all.ended = calloc(bspi.nprocs, sizeof(*all.ended));
	if (!all.ended)
		bspi_fail_memory("bsp_end", bspi_own_place());
	all.ended[pid] = true;
}

static const char *hear_last(int from, const char *at, const char *end)
{
	const struct told *t = (const struct told *)((const struct bspi_rec *)at + 1);
	const char *next = bspi_after(from, at, end);
	char what[160], count[32];

	note_ended(from);
	if (t->turn == all.turn) {
		compare(t, from);
		return next;
	}
	describe(t, what, sizeof(what));
	snprintf(count, sizeof(count), all.turn ? "%u" : "none", all.turn);
	bspi_fail_of(from, t->step, "bsp_end", t->place, "process %d has made %u collective call%s, the last of them %s, and process 0 %s; all processes make the same",
		     from, t->turn, bspi_plural(t->turn), what, count);
}

void bspi_agree_settle(void)
{
	struct bspi_list without = { .len = 0 };
	bool some = false;

	if (bspi.me != 0 || all.turn == 0 || bspi.nprocs == 1)
		return;
	note_ended(0);
	for (int q = 0; q < bspi.nprocs; q++)
		some |= all.ended[q] = !all.ended[q];
	if (!some)
		return;
	bspi_list_processes(&without, all.ended);
	bspi_fail("bsp_end", bspi_own_place(), "process 0 has made %u collective call%s, and %s none; all processes make the same",
		  all.turn, bspi_plural(all.turn), without.text);
}

void bspi_agree_open(void)
{
	bspi_note_handle(BSPI_NOTE_CALL, agree_on_note);
	bspi_record_handle(BSPI_CALL, BSPI_AT_END, hear_last);
}

void bspi_agree_close(void)
{
	free(all.early);
	free(all.ended);
	memset(&all, 0, sizeof(all));
}
