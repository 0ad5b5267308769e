/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_make.c - the operations of a superstep: random ones, but only with one outcome. */

#include "soak.h"

enum {
	UNREAD_MOST = 50,		/* puts to an area before it is read for certain */
	UNREAD_BYTES_MOST = 1 << 20,
	TRIES = 8,			/* to make one operation */
};

struct range {
	size_t start, end;
};

/* Ranges of an arena that something was said about in this superstep. */
struct ranges {
	int n;
	struct range range[2 * OPS];
};

static struct ranges reads[PROCS], writes[PROCS], fixed[PROCS], taboo[PROCS];
static struct ranges put_to[PROCS], got_to[PROCS];

/* ---- Ranges -------------------------------------------------------------- */

static bool meets(const struct ranges *r, size_t start, size_t nbytes)
{
	for (int i = 0; i < r->n; i++)
		if (start < r->range[i].end && r->range[i].start < start + nbytes)
			return true;
	return false;
}

static void add(struct ranges *r, size_t start, size_t nbytes)
{
	r->range[r->n++] = (struct range) { start, start + nbytes };
}

/* May this process read here, if nothing may change before bsp_sync when @hp? */
static bool may_read(int pid, size_t start, size_t nbytes, bool hp)
{
	return !meets(&taboo[pid], start, nbytes) && !(hp && meets(&writes[pid], start, nbytes)) &&
	       !soak_is_unread(pid, start, nbytes);
}

/* Not by a put, which may come to an area that was not read. */
static bool may_write(int pid, size_t start, size_t nbytes, bool hp)
{
	return !meets(&taboo[pid], start, nbytes) && !meets(&fixed[pid], start, nbytes) &&
	       !(hp && (meets(&writes[pid], start, nbytes) || meets(&reads[pid], start, nbytes)));
}

static void note_read(int pid, size_t start, size_t nbytes, bool hp)
{
	add(&reads[pid], start, nbytes);
	if (hp)
		add(&fixed[pid], start, nbytes);
}

static void note_write(int pid, size_t start, size_t nbytes, bool hp)
{
	add(&writes[pid], start, nbytes);
	if (hp)
		add(&taboo[pid], start, nbytes);
}

static void forget_ranges(void)
{
	for (int i = 0; i < soak.nprocs; i++)
		reads[i].n = writes[i].n = fixed[i].n = taboo[i].n = put_to[i].n = got_to[i].n = 0;
}

/* ---- Transfers ----------------------------------------------------------- */

size_t soak_remote(const struct op *op)
{
	return soak_areas[op->slot.area[op->pid]].start + op->offset;
}

/* Where no area is plain nothing waits to be read: in relaxed epochs most of the rest may. */
static size_t pick_local(size_t nbytes)
{
	if (soak.relaxed && nbytes <= ARENA - ALL_PLAIN && pick(4))
		return ALL_PLAIN + pick(ARENA - ALL_PLAIN - nbytes + 1);
	return pick(ARENA - nbytes + 1);
}

/* In a relaxed superstep a transfer lies inside the area as its owner has registered it, too. */
static bool choose_bytes(struct op *op)
{
	size_t most = op->slot.size[op->pid];

	if (soak.relaxed && op->slot.size[op->owner] < most)
		most = op->slot.size[op->owner];
	if (!most || op->slot.area[op->pid] == NONE)
		return false;
	op->nbytes = pick_length(most);
	op->offset = pick(2) ? pick(most - op->nbytes + 1) : most - op->nbytes;
	op->local = pick_local(op->nbytes);
	return !(op->hp && op->pid == op->owner && op->local < soak_remote(op) + op->nbytes &&
		 soak_remote(op) < op->local + op->nbytes);
}

/* Also in the superstep that turns classic: those that have asked come last (bsp_set_sync(3)). */
static bool puts_may_ask(void)
{
	return soak.relaxed || soak.was_relaxed;
}

static bool make_put(struct op *op)
{
	if (!soak_choose_slot(op) || !choose_bytes(op) ||
	    !may_read(op->owner, op->local, op->nbytes, op->hp) ||
	    !may_write(op->pid, soak_remote(op), op->nbytes, op->hp) ||
	    (puts_may_ask() && meets(&put_to[op->pid], soak_remote(op), op->nbytes)) ||
	    soak_is_put_to(op->pid, soak_remote(op), op->nbytes))
		return false;
	note_read(op->owner, op->local, op->nbytes, op->hp);
	note_write(op->pid, soak_remote(op), op->nbytes, op->hp);
	add(&put_to[op->pid], soak_remote(op), op->nbytes);
	return true;
}

static bool make_get(struct op *op)
{
	if (!soak_choose_slot(op) || !choose_bytes(op) ||
	    !may_read(op->pid, soak_remote(op), op->nbytes, op->hp) ||
	    !may_write(op->owner, op->local, op->nbytes, op->hp) ||
	    soak_is_unread(op->owner, op->local, op->nbytes) ||
	    (soak.relaxed && meets(&got_to[op->owner], op->local, op->nbytes)))
		return false;
	note_read(op->pid, soak_remote(op), op->nbytes, op->hp);
	note_write(op->owner, op->local, op->nbytes, op->hp);
	add(&got_to[op->owner], op->local, op->nbytes);
	return true;
}

/* Messages of the last superstep would never be expected if it is relaxed. */
static bool make_send(struct op *op)
{
	if (soak.relaxed && soak.step == soak.steps - 1)
		return false;
	op->nbytes = pick(6) ? pick_length(ARENA / 3) : 0;
	op->local = pick_local(op->nbytes);
	if (!may_read(op->owner, op->local, op->nbytes, op->hp))
		return false;
	note_read(op->owner, op->local, op->nbytes, op->hp);
	return true;
}

static bool make_write(struct op *op)
{
	op->nbytes = pick_length(20000);
	op->local = pick_local(op->nbytes);
	if (!may_write(op->owner, op->local, op->nbytes, false) ||
	    soak_is_unread(op->owner, op->local, op->nbytes))
		return false;
	note_write(op->owner, op->local, op->nbytes, false);
	return true;
}

/* Unbuffered puts may come to the bytes of puts that wait: they are of a later superstep. */
static bool read_slot(struct op *op, struct slot *slot)
{
	if (slot->area[op->owner] == NONE)
		return false;
	op->slot = *slot;
	op->n = slot->read[op->owner] ? 0 : slot->unread[op->owner];
	slot->read[op->owner] = true;
	return true;
}

static bool make_read(struct op *op)
{
	return soak_choose_slot(op) && read_slot(op, soak_slot(op->slot.number));
}

/* ---- All kinds ----------------------------------------------------------- */

static bool make_collective(struct op *op)
{
	op->owner = NONE;
	switch (op->kind) {
	case PUSH:
		return soak_push(op);
	case POP:
		return soak_pop(op);
	case TAGSIZE:
		op->nbytes = pick(MOST_TAG + 1);
		return true;
	case NEIGHBORS:
		soak_make_neighbors(op);
		return true;
	default:
		return soak_make_collective(op, op->kind == SCHEDULE);
	}
}

static bool make_own(struct op *op)
{
	switch (op->kind) {
	case PUT:
		return make_put(op);
	case GET:
		return make_get(op);
	case SEND:
		return make_send(op);
	case WRITE:
		return make_write(op);
	case READ:
		return make_read(op);
	default:
		return true;
	}
}

static bool is_collective(enum kind kind)
{
	return kind == PUSH || kind == POP || kind == TAGSIZE || kind == COLLECTIVE ||
	       kind == SCHEDULE || kind == NEIGHBORS;
}

static int pick_owner(void)
{
	int owner = (int)pick((size_t)soak.nprocs);

	if (soak.from != NONE)
		return soak.from;
	return owner == soak.silent ? (owner + 1) % soak.nprocs : owner;
}

static int pick_other(void)
{
	int other = (int)pick((size_t)soak.nprocs);

	return soak.to != NONE ? soak.to : other;
}

static struct op *begin_op(enum kind kind)
{
	struct op *op = &soak.ops[soak.nops];

	memset(op, 0, sizeof *op);
	op->kind = kind;
	op->hp = soak.hp && (kind == PUT || kind == GET || kind == SEND) && pick(2);
	op->owner = pick_owner();
	op->pid = soak_within_reach(op->owner, pick_other());
	op->seed = (uint32_t)pick(1u << 31);
	fill(op->tag, MOST_TAG, op->seed);
	memcpy(op->tag, &op->seed, sizeof op->seed);
	return op;
}

/* Append such an operation; if it is not possible, none. */
static bool make(enum kind kind)
{
	struct op *op = begin_op(kind);

	if (soak.nops == OPS - 1 || soak.without[kind])
		return false;
	if (is_collective(kind) ? !make_collective(op) : !make_own(op))
		return false;
	soak.nops++;
	return true;
}

/* ---- What must be -------------------------------------------------------- */

static void make_pops_of_overlapping(void)
{
	struct op *op = begin_op(POP);

	op->owner = NONE;
	while (soak_pop_overlapping(op)) {
		soak.nops++;
		op = begin_op(POP);
		op->owner = NONE;
	}
}

static void make_missing_pushes(void)
{
	int area;

	while ((area = soak_lacks_area()) != NONE) {
		struct op *op = begin_op(PUSH);

		op->owner = NONE;
		soak_push_alike(op, area);
		soak.nops++;
	}
}

static bool is_due(const struct slot *slot, int pid)
{
	return slot->unread[pid] >= UNREAD_MOST || pick(3) == 0 ||
	       soak_unread_bytes(pid, slot) >= UNREAD_BYTES_MOST;
}

/* Some of the areas with puts to be read, and all where they have become many. */
static void make_due_reads(void)
{
	for (int s = 0; s < soak.neffective; s++)
		for (int pid = 0; pid < soak.nprocs; pid++) {
			struct slot *slot = &soak.slots[s];
			struct op *op;

			if (!slot->unread[pid] || !is_due(slot, pid))
				continue;
			op = begin_op(READ);
			op->owner = pid;
			soak.nops += read_slot(op, slot);
		}
}

/* ---- A superstep --------------------------------------------------------- */

static bool make_one(void)
{
	for (int tries = 0; tries < TRIES; tries++)
		if (make(pick_kind()))
			return true;
	return false;
}

static void make_one_each(void)
{
	for (int owner = 0; owner < soak.nprocs; owner++) {
		soak.from = owner;
		soak.to = (owner + soak.distance) % soak.nprocs;
		make_one();
	}
	soak.from = soak.to = NONE;
}

static void make_some(bool at_least_one)
{
	size_t most = (size_t)soak.phase->ops * (size_t)soak.nprocs, n = pick(most + 1);

	if (at_least_one && make_one() && n > 0)
		n--;
	for (; n > 0; n--)
		make(pick_kind());
}

static void make_usual(void)
{
	switch (soak.phase->share) {
	case ONE_IN_ALL:
		make_one();
		break;
	case ONE_EACH:
		make_one_each();
		break;
	default:
		make_some(soak.phase->share == SOME_AT_LEAST_ONE);
	}
}

static bool makes_barrier(const struct op *op)
{
	return op->kind == PUSH || op->kind == POP || op->kind == TAGSIZE || op->kind == NEIGHBORS;
}

void soak_make(void)
{
	soak.nops = 0;
	forget_ranges();
	if (soak.tidies)
		make_pops_of_overlapping();
	if (soak.begins || soak.tidies)
		make_missing_pushes();
	if (soak.begins && pick(2))
		make(NEIGHBORS);
	make_due_reads();
	if (!soak.tidies)
		make_usual();
	soak.barrier = soak.relaxed && !soak.was_relaxed;
	for (int i = 0; i < soak.nops; i++)
		soak.barrier = soak.barrier || (soak.relaxed && makes_barrier(&soak.ops[i]));
}
