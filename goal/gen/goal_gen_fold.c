/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_fold.c - where values lie, and what waits for what. */
#include "goal/gen/goal_gen_fold.h"

#include <assert.h>

enum {
	TARGET = 0,			/* number of its slot */
	ROOM = 16384,			/* bytes of scratchpad, before a slot is reused */
};

const char *goal_fold_refuses(const struct goal_task *task, int nprocs)
{
	uint64_t element = goal_fold_element(task);
	bool bitwise = task->function >= GOAL_AND && task->function <= GOAL_XOR;
	bool floating = task->datatype == GOAL_F32 || task->datatype == GOAL_F64;

	(void)nprocs;
	if (element == 0)
		return "there is no such type of element";
	if (task->bytes % element)
		return "it has not a whole number of elements";
	if (task->call >= 0)
		return NULL;
	if (task->function != GOAL_ADD && task->function != GOAL_MUL &&
	    task->function != GOAL_MAX && task->function != GOAL_MIN && !bitwise)
		return "the function is not associative";
	if (bitwise && floating)
		return "bits of floating-point numbers are not folded";
	return NULL;
}

uint64_t goal_fold_element(const struct goal_task *task)
{
	if (task->call >= 0)
		return task->element;
	return task->datatype == GOAL_NONE ? 0 : goal_datatype_bytes(task->datatype);
}

bool goal_fold_commutes(const struct goal_task *task)
{
	return task->call < 0 && task->datatype != GOAL_F32 && task->datatype != GOAL_F64;
}

/* ---- Slots ----------------------------------------------------------------------- */

static bool in_place(const struct goal_fold *f)
{
	return f->has_target && f->task->source == f->task->target;
}

void goal_fold_begin(struct goal_fold *f, struct goal_graph *g, const struct goal_task *task,
		     int rank, uint64_t slot_bytes, int least)
{
	*f = (struct goal_fold){
		.g = g,
		.task = task,
		.rank = rank,
		.slot_bytes = slot_bytes,
		.least = least,
		.nslots = 1,
		.has_target = task->kind != GOAL_REDUCE || task->root == rank,
	};
	goal_fold_range(f, 0, task->bytes);
}

void goal_fold_range(struct goal_fold *f, uint64_t at, uint64_t bytes)
{
	struct goal_slot *target = &f->slot[TARGET];

	f->at = at;
	f->bytes = bytes;
	target->at = GOAL_AT(f->task->target, at);
	target->taken = !f->has_target || in_place(f);
	target->nuses = 0;
}

void goal_fold_by_segments(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
			   void (*fold)(struct goal_fold *f, int nprocs, int rank, uint32_t tag))
{
	uint64_t segment = task->algorithm->has_segment ? task->segment : 0;
	struct goal_cut cut = goal_cut(task->bytes, segment, goal_fold_element(task));
	struct goal_fold f;

	goal_fold_begin(&f, g, task, rank, cut.segment, cut.n > 1 ? 4 : 1);
	for (int i = 0; i < cut.n; i++) {
		goal_fold_range(&f, goal_cut_at(&cut, i), goal_cut_bytes(&cut, i));
		fold(&f, nprocs, rank, (uint32_t)i);
	}
}

struct goal_value goal_fold_narrow(struct goal_fold *f, struct goal_value v, uint64_t at,
				   uint64_t bytes)
{
	v.at.offset += at - f->at;
	f->at = at;
	f->bytes = bytes;
	f->slot[TARGET].at.offset = at;
	return v;
}

/* The slot of the scratchpad that is longest free, or -1. */
static int free_slot(const struct goal_fold *f)
{
	int best = -1;

	for (int i = TARGET + 1; i < f->nslots; i++) {
		if (f->slot[i].taken)
			continue;
		if (best < 0 || f->slot[i].freed < f->slot[best].freed)
			best = i;
	}
	return best;
}

/* No generator has so many values at a time that all GOAL_SLOTS_MOST are taken. */
static int fold_take(struct goal_fold *f, bool target_if_free)
{
	bool enough = f->nslots > f->least && (uint64_t)f->nslots * f->slot_bytes > ROOM;
	int i = TARGET;

	if (!target_if_free || f->slot[TARGET].taken) {
		i = enough || f->nslots == GOAL_SLOTS_MOST ? free_slot(f) : -1;
		if (i < 0) {
			i = f->nslots++;
			f->slot[i] = (struct goal_slot){
				.at = GOAL_AT(GOAL_SCRATCHPAD, goal_scratch(f->g, f->slot_bytes)),
			};
		}
	}
	f->slot[i].taken = true;
	return i;
}

void goal_fold_drop(struct goal_fold *f, struct goal_value v)
{
	if (v.slot < 0)
		return;
	f->slot[v.slot].taken = false;
	f->slot[v.slot].freed = ++f->now;
}

/* @op reads from @v. One that waits for the value stands for what made it. */
static void reads(struct goal_fold *f, struct goal_value v, int op)
{
	struct goal_slot *s;

	goal_after(f->g, op, v.ready);
	if (v.slot < 0)
		return;
	s = &f->slot[v.slot];
	if (s->nuses == 1 && s->uses[0] == v.ready)
		s->nuses = 0;
	assert(s->nuses < GOAL_SLOT_USES_MOST);
	s->uses[s->nuses++] = op;
}

static void overwrites(struct goal_fold *f, int slot, int op)
{
	struct goal_slot *s = &f->slot[slot];

	for (int i = 0; i < s->nuses; i++)
		goal_requires(f->g, op, s->uses[i]);
	s->uses[0] = op;
	s->nuses = 1;
}

static struct goal_value value_in(const struct goal_fold *f, int slot, int ready)
{
	return (struct goal_value){ f->slot[slot].at, slot, ready };
}

/* ---- Messages --------------------------------------------------------------------- */

struct goal_value goal_fold_own(struct goal_fold *f)
{
	if (!in_place(f))
		return (struct goal_value){ GOAL_AT(f->task->source, f->at), -1, -1 };
	return value_in(f, TARGET, -1);
}

/* The operand that is overwritten is best in the target. */
void goal_fold_receive_list(struct goal_fold *f, struct goal_value *v, size_t n, int from,
			    uint32_t tag)
{
	bool overwritten = f->task->call < 0 && (from < f->rank || goal_fold_commutes(f->task));
	struct goal_piece pieces[2] = { { .bytes = 0 } };
	int op;

	for (size_t i = 0; i < n; i++) {
		v[i] = value_in(f, fold_take(f, overwritten), -1);
		pieces[i] = (struct goal_piece){ v[i].at, f->bytes };
	}
	op = goal_recv_list(f->g, pieces, n, from, tag);
	for (size_t i = 0; i < n; i++) {
		overwrites(f, v[i].slot, op);
		v[i].ready = op;
	}
}

struct goal_value goal_fold_receive(struct goal_fold *f, int from, uint32_t tag)
{
	struct goal_value v;

	goal_fold_receive_list(f, &v, 1, from, tag);
	return v;
}

int goal_fold_send_list(struct goal_fold *f, const struct goal_value *v, size_t n, int to,
			uint32_t tag)
{
	struct goal_piece pieces[2] = { { .bytes = 0 } };
	int op;

	for (size_t i = 0; i < n; i++)
		pieces[i] = (struct goal_piece){ v[i].at, f->bytes };
	op = goal_send_list(f->g, pieces, n, to, tag);
	for (size_t i = 0; i < n; i++)
		reads(f, v[i], op);
	return op;
}

int goal_fold_send(struct goal_fold *f, struct goal_value v, int to, uint32_t tag)
{
	return goal_fold_send_list(f, &v, 1, to, tag);
}

int goal_fold_send_part(struct goal_fold *f, struct goal_value v, uint64_t at, uint64_t bytes,
			int to, uint32_t tag)
{
	struct goal_place from = GOAL_AT(v.at.buffer, v.at.offset + at - f->at);
	int op = goal_send(f->g, bytes, from, to, tag);

	reads(f, v, op);
	return op;
}

/* ---- Folds ------------------------------------------------------------------------ */

struct goal_value goal_fold_into(struct goal_fold *f, struct goal_value into,
				 struct goal_value other)
{
	int op =
		goal_local(f->g, f->task->function, f->task->datatype, f->bytes, into.at, other.at);

	overwrites(f, into.slot, op);
	reads(f, other, op);
	into.ready = op;
	return into;
}

static struct goal_value fold_call(struct goal_fold *f, struct goal_value left,
				   struct goal_value right)
{
	struct goal_value result = value_in(f, fold_take(f, true), -1);
	struct goal_piece pieces[3] = {
		{ result.at, f->bytes }, { left.at, f->bytes }, { right.at, f->bytes },
	};

	result.ready = goal_call(f->g, (uint32_t)f->task->call, pieces, 3, 1);
	overwrites(f, result.slot, result.ready);
	reads(f, left, result.ready);
	reads(f, right, result.ready);
	goal_fold_drop(f, left);
	goal_fold_drop(f, right);
	return result;
}

struct goal_value goal_fold_copy(struct goal_fold *f, struct goal_value v)
{
	struct goal_value copy = value_in(f, fold_take(f, true), -1);

	copy.ready = goal_copy(f->g, copy.at, v.at, f->bytes);
	overwrites(f, copy.slot, copy.ready);
	reads(f, v, copy.ready);
	return copy;
}

/* Without a copy if that is possible, and best of all into the target. */
struct goal_value goal_fold(struct goal_fold *f, struct goal_value left, struct goal_value right)
{
	bool commutes = goal_fold_commutes(f->task);
	bool to_right = commutes && right.slot >= 0 && (left.slot < 0 || right.slot == TARGET);

	if (f->task->call >= 0)
		return fold_call(f, left, right);
	if (to_right) {
		right = goal_fold_into(f, right, left);
		goal_fold_drop(f, left);
		return right;
	}
	if (left.slot < 0)
		left = goal_fold_copy(f, left);
	left = goal_fold_into(f, left, right);
	goal_fold_drop(f, right);
	return left;
}

/* ---- The result --------------------------------------------------------------------- */

int goal_fold_end(struct goal_fold *f, struct goal_value v)
{
	struct goal_place to = GOAL_AT(f->task->target, f->at);
	int op;

	if (v.slot == TARGET)
		return v.ready;
	op = goal_copy(f->g, to, v.at, f->bytes);
	goal_fold_overwrites(f, op);
	reads(f, v, op);
	goal_fold_drop(f, v);
	return op;
}

int goal_fold_target_uses(const struct goal_fold *f, const int **uses)
{
	*uses = f->slot[TARGET].uses;
	return f->slot[TARGET].nuses;
}

void goal_fold_overwrites(struct goal_fold *f, int op)
{
	overwrites(f, TARGET, op);
}
