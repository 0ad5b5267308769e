// SPDX-License-Identifier: BSD-3-Clause
/* coll_agree.c - checks that all processes make the same collective calls. */

/*
 * Collective calls have no names on the wire: the n-th of one process belongs to the n-th of
 * every other. Each process remembers its last ones, with all that has to be the same. They are
 * compared when
 *
 *	a wait is long	the process sends its call to the others. Where all wait for each other, or
 *			where a message has no receive, at least one process waits
 *	bsp_end		all send their last call, and with it its number, to process 0
 *	barriers	a process in the barrier of a superstep, in which another waits for a call
 *			that it has not made, would make it too late: both wait for ever
 *	bsprun --check	all send every call to process 0 when they make it
 *
 * The receiver compares with its own call, or keeps the note until it makes that call. So a
 * mistake that makes a program hang is named, and nothing is sent while all is well.
 *
 * On emulated networks a long wait sends nothing: such notes would arrive at other times in every
 * run.
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

/* A call, as it is sent. */
struct call_note {
	uint32_t turn;
	uint32_t step;
	int64_t site;		/* packed */
	uint64_t bytes;
	int32_t kind, root;
	int32_t op, type;	/* op: BSPI_BY_USER */
	uint32_t blocking;
	uint32_t waits;		/* for it: superstep and 1; 0: not yet, or it is not known */
	uint64_t lengths;	/* a hash of those of all processes, if all know them */
	uint8_t apart, neighbor;	/* a length for each process; only with neighbours */
	uint16_t zero;
	uint32_t named;		/* then: how often it has the receiver of this note in its list */
};

/* A note of a call that this process has not made. */
struct early {
	struct call_note note;
	int from;
};

/* Neighbours of a call. */
struct named {
	int n, room;
	int *pids;
};

static struct {
	uint32_t turn;			/* calls made */
	struct call_note own[REMEMBERED];	/* the last of them */
	struct named own_lists[REMEMBERED];	/* of neighbours, for the calls that have one */
	struct early *early;
	size_t nearly, early_room;
	bool *ended;			/* on process 0: those that have sent it their last call */
} calls_made;

/* ---- Names --- */

static const char *agree_name(const struct call_note *t)
{
	static const char *const names[GOAL_KINDS] = {
		[GOAL_BCAST] = "bcast", [GOAL_SCATTER] = "scatter", [GOAL_GATHER] = "gather",
		[GOAL_ALLGATHER] = "allgather", [GOAL_EXCHANGE] = "exchange",
		[GOAL_REDUCE] = "reduce", [GOAL_ALLREDUCE] = "allreduce", [GOAL_SCAN] = "prefix",
		[GOAL_REDUCE_SCATTER] = "reduce_scatter",
	};
	static const char *const apart[GOAL_KINDS] = {
		[GOAL_SCATTER] = "scatterv", [GOAL_GATHER] = "gatherv",
		[GOAL_ALLGATHER] = "allgatherv", [GOAL_EXCHANGE] = "exchangev",
		[GOAL_REDUCE_SCATTER] = "reduce_scatter",
	};
	bool by_user = t->op == BSPI_BY_USER;

	if (t->kind <= GOAL_BARRIER || t->kind >= GOAL_KINDS)
		return "nothing";
	if (t->neighbor)
		return "neighbor_exchange";
	if (t->apart && apart[t->kind])
		return apart[t->kind];
	return !by_user ? names[t->kind] : t->kind == GOAL_SCAN ? "scan" : "fold";
}

/* " of 8 bytes"; of lengths that not all processes know there is nothing to say */
static int agree_describe_size(const struct call_note *t, char *text, size_t len)
{
	unsigned long long bytes = t->bytes;

	if (!t->apart || t->neighbor)
		return snprintf(text, len, " of %llu byte%s", bytes, bspi_plural(bytes));
	if (!t->lengths)
		return 0;
	return snprintf(text, len, " of %llu byte%s in all (a hash of the lengths is %08x)", bytes,
			bspi_plural(bytes), (unsigned int)t->lengths);
}

/* "bsp_reduce of 8 bytes to process 2, BSP_SUM of BSP_DOUBLE" */
static void agree_describe(const struct call_note *t, char *text, size_t len)
{
	const char *type, *op = bspi_coll_names(t->op, t->type, &type);
	int n = snprintf(text, len, "bsp_%s%s", t->blocking ? "" : "i", agree_name(t));

	n += agree_describe_size(t, text + n, len - n);
	if (bspi_coll_is_rooted(t->kind))
		n += snprintf(text + n, len - n, ", root %d", t->root);
	if (op)
		snprintf(text + n, len - n, ", %s of %s", op, type);
}

/* ---- Comparing --- */

static bool agree_is_same(const struct call_note *a, const struct call_note *b)
{
	return a->kind == b->kind && a->root == b->root && a->bytes == b->bytes && a->op == b->op &&
	       a->type == b->type && a->apart == b->apart && a->lengths == b->lengths &&
	       a->neighbor == b->neighbor;
}

static _Noreturn __attribute__((cold)) void agree_refuse(const struct call_note *own,
							 const struct call_note *other,
							 int from)
{
	char own_text[200], other_text[200], call[32];

	agree_describe(own, own_text, sizeof(own_text));
	agree_describe(other, other_text, sizeof(other_text));
	snprintf(call, sizeof(call), "bsp_%s%s", own->blocking ? "" : "i", agree_name(own));
	bspi_fail_of(bspi.me, own->step, call, own->site, "this is %s, but process %d calls %s in "
		     "superstep %u at %s; all processes make the same collective calls in the same "
		     "order",
		     own_text, from, other_text, other->step,
		     bspi_site_text(bspi_site_unpack(other->site)));
}

/* ---- Neighbours --- */

/* How often the list of call @turn has @pid. */
static uint32_t agree_count(uint32_t turn, int pid)
{
	const struct named *l = &calls_made.own_lists[turn % REMEMBERED];
	uint32_t n = 0;

	for (int k = 0; k < l->n; k++)
		n += l->pids[k] == pid;
	return n;
}

static void agree_keep_list(const struct bspi_coll *c)
{
	struct named *l = &calls_made.own_lists[calls_made.turn % REMEMBERED];

	if (c->npids > l->room) {
		free(l->pids);
		l->pids = malloc((size_t)c->npids * sizeof(*l->pids));
		l->room = l->pids ? c->npids : 0;
		if (!l->pids)
			bspi_fail_memory(c->call, c->site);
	}
	l->n = c->npids;
	if (l->n)
		memcpy(l->pids, c->pids, (size_t)l->n * sizeof(*l->pids));
}

static void agree_compare_lists(const struct call_note *own, const struct call_note *other,
				int from)
{
	uint32_t mine = agree_count(own->turn, from);

	if (mine != other->named)
		bspi_fail_of(from, other->step, "bsp_neighbor_exchange", other->site,
			     "process %d names process %d as a neighbour %u times, and process %d "
			     "names process %d %u times; neighbours have to be mutual",
			     from, bspi.me, other->named, bspi.me, from, mine);
}

/* ---- Comparing notes --- */

static void agree_compare(const struct call_note *other, int from)
{
	const struct call_note *own = &calls_made.own[other->turn % REMEMBERED];

	if (own->turn != other->turn)
		return;
	if (!agree_is_same(own, other))
		agree_refuse(own, other, from);
	if (own->neighbor)
		agree_compare_lists(own, other, from);
}

static void agree_keep(const struct call_note *other, int from)
{
	calls_made.early = bspi_grow(calls_made.early, calls_made.nearly,
				     sizeof(*calls_made.early), &calls_made.early_room);
	calls_made.early[calls_made.nearly++] = (struct early){ *other, from };
}

/* ---- Barriers --- */

/*
 * @from cannot end this superstep before we make its call, and we cannot make it before @from
 * ends it.
 */
static void agree_require_possible(const struct call_note *other, int from)
{
	char text[160];

	if (other->waits != bspi.step + 1)
		return;
	agree_describe(other, text, sizeof(text));
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_site(),
		  "process %d waits for %s in superstep %u at %s, which this process has not "
		  "called; all processes make the same collective calls in the same order, and "
		  "those of bsp_sync as well",
		  from, text, bspi.step, bspi_site_text(bspi_site_unpack(other->site)));
}

void bspi_coll_agree_at_barrier(void)
{
	for (size_t i = 0; i < calls_made.nearly; i++)
		agree_require_possible(&calls_made.early[i].note, calls_made.early[i].from);
}

/* ---- Sending --- */

static void agree_send_note(int pid, const struct call_note *t)
{
	struct bspi_outgoing p = { .pid = pid };
	struct call_note note = *t;

	if (t->neighbor)
		note.named = agree_count(t->turn, pid);
	bspi_outgoing_alone(&p, bspi_note_bytes(sizeof(note)));
	memcpy(bspi_note_fill(p.rec, &(struct bspi_note){ .kind = BSPI_NOTE_CALL }, sizeof(note)),
	       &note, sizeof(note));
	bspi_outgoing_send(&p);
}

static struct call_note agree_note_of(const struct bspi_coll *c)
{
	return (struct call_note){
		.turn = calls_made.turn, .step = bspi.step, .site = bspi_site_pack(c->site),
		.bytes = c->bytes, .kind = c->kind, .root = c->root,
		.op = c->by_user ? BSPI_BY_USER : c->op, .type = c->type,
		.neighbor = c->neighbor, .apart = c->apart, .lengths = c->lengths,
		.blocking = c->call[4] != 'i',
		.waits = c->call[4] != 'i' ? bspi.step + 1 : 0,
	};
}

uint32_t bspi_coll_agree_note(const struct bspi_coll *c)
{
	struct call_note *own = &calls_made.own[++calls_made.turn % REMEMBERED];

	*own = agree_note_of(c);
	if (c->neighbor)
		agree_keep_list(c);
	if (BSPI_UNLIKELY(calls_made.nearly)) {
		size_t left = 0;	/* notes of later calls */

		for (size_t i = 0; i < calls_made.nearly; i++)
			if (calls_made.early[i].note.turn == calls_made.turn)
				agree_compare(&calls_made.early[i].note, calls_made.early[i].from);
			else
				calls_made.early[left++] = calls_made.early[i];
		calls_made.nearly = left;
	}
	if (BSPI_UNLIKELY(bspi.env.check) && bspi.me != 0)
		agree_send_note(0, own);
	return calls_made.turn;
}

/* Each once. */
static void agree_ask_neighbors(const struct call_note *own)
{
	const struct named *l = &calls_made.own_lists[own->turn % REMEMBERED];

	for (int k = 0; k < l->n; k++) {
		int j = 0;

		while (l->pids[j] != l->pids[k])
			j++;
		if (j == k && l->pids[k] != bspi.me)
			agree_send_note(l->pids[k], own);
	}
}

/*
 * To all others, or where these are many, to neighbours and at distances 1, 2, 4, ...: a process
 * that differs has a neighbour that does not.
 */
void bspi_coll_agree_ask(uint32_t turn)
{
	struct call_note *own = &calls_made.own[turn % REMEMBERED];

	if (own->turn != turn || bspi.clock)
		return;
	own->waits = bspi.step + 1;
	if (own->neighbor && bspi.nprocs > ASK_ALL)
		agree_ask_neighbors(own);
	for (int d = 1; d < bspi.nprocs; d = bspi.nprocs <= ASK_ALL ? d + 1 : 2 * d)
		agree_send_note((bspi.me + d) % bspi.nprocs, own);
}

static void agree_on_note(int from, const struct bspi_note *note, size_t n,
			  const struct bspt_event *event)
{
	const struct call_note *t = (const struct call_note *)(note + 1);

	(void)event;
	if (n != sizeof(*t))
		bspi_fail_damaged(from);
	if (!bspi_before(calls_made.turn, t->turn)) {
		agree_compare(t, from);
		return;
	}
	agree_keep(t, from);
	if (bspi_engine.stage == BSPI_STAGE_BARRIER)
		agree_require_possible(t, from);
}

/* ---- The end --- */

void bspi_coll_agree_send(void)
{
	const struct call_note *own = &calls_made.own[calls_made.turn % REMEMBERED];
	struct bspi_rec *rec;

	if (calls_made.turn == 0 || bspi.me == 0)
		return;
	rec = bspi_out_room(0, sizeof(*rec) + sizeof(*own));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_CALL, 0), .nbytes = sizeof(*own) };
	memcpy(rec + 1, own, sizeof(*own));
	if (own->neighbor)
		((struct call_note *)(rec + 1))->named = agree_count(own->turn, 0);
}

static void agree_note_ended(int pid)
{
	if (!calls_made.ended)
		calls_made.ended = calloc(bspi.nprocs, sizeof(*calls_made.ended));
	if (!calls_made.ended)
		bspi_fail_memory("bsp_end", bspi_own_site());
	calls_made.ended[pid] = true;
}

static const char *agree_on_last(int from, const char *at, const char *end)
{
	const struct call_note *t = (const struct call_note *)((const struct bspi_rec *)at + 1);
	const char *next = bspi_after(from, at, end);
	char what[160], count[32];

	agree_note_ended(from);
	if (t->turn == calls_made.turn) {
		agree_compare(t, from);
		return next;
	}
	agree_describe(t, what, sizeof(what));
	snprintf(count, sizeof(count), calls_made.turn ? "%u" : "none", calls_made.turn);
	bspi_fail_of(from, t->step, "bsp_end", t->site, "process %d has made %u collective "
		     "call%s, the last of them %s, and process 0 %s; all processes make the same",
		     from, t->turn, bspi_plural(t->turn), what, count);
}

void bspi_coll_agree_settle(void)
{
	struct bspi_list without = { .len = 0 };
	bool some = false;

	if (bspi.me != 0 || calls_made.turn == 0 || bspi.nprocs == 1)
		return;
	agree_note_ended(0);
	for (int q = 0; q < bspi.nprocs; q++)
		some |= calls_made.ended[q] = !calls_made.ended[q];
	if (!some)
		return;
	bspi_list_processes(&without, calls_made.ended);
	bspi_fail("bsp_end", bspi_own_site(), "process 0 has made %u collective call%s, and %s "
		  "none; all processes make the same",
		  calls_made.turn, bspi_plural(calls_made.turn), without.text);
}

void bspi_coll_agree_open(void)
{
	bspi_note_handle(BSPI_NOTE_CALL, agree_on_note);
	bspi_record_handle(BSPI_CALL, BSPI_AT_END, agree_on_last);
}

void bspi_coll_agree_close(void)
{
	for (int i = 0; i < REMEMBERED; i++)
		free(calls_made.own_lists[i].pids);
	free(calls_made.early);
	free(calls_made.ended);
	memset(&calls_made, 0, sizeof(calls_made));
}
