/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_register.c - registrations by the model: pushes, pops, the area of an address. */

#include "soak.h"

enum { USABLE_LEAST = 5 };	/* slots that all processes can use */

/* Small and large, on multiples of powers of two and not; the plain ones do not meet. */
const struct soak_area soak_areas[AREAS] = {
	{ 0, 8, true }, { 21, 100, true }, { 192, 64, true }, { 300, 4096, true },
	{ 4501, 5000, true }, { 10000, 70000, true }, { 90112, 200000, true },
	{ 290201, 1000, true },
	{ 5, 200, false }, { 3001, 5000, false }, { 50000, 60000, false },
	{ 100001, 180000, false },
};

static uint64_t pushes;		/* so far */

static bool is_null_everywhere(const struct slot *s)
{
	for (int i = 0; i < soak.nprocs; i++)
		if (s->area[i] != NONE)
			return false;
	return true;
}

struct slot *soak_slot(uint64_t number)
{
	for (int s = 0; s < soak.nslots; s++)
		if (soak.slots[s].number == number)
			return &soak.slots[s];
	soak_fail("the model has lost registration %llu", (unsigned long long)number);
}

/* ---- Overlaps ------------------------------------------------------------ */

/* On this process, if both last; an area of 0 bytes is still a name. */
static bool overlap(const struct slot *a, const struct slot *b, int pid)
{
	size_t start, other;

	if (a->area[pid] == NONE || b->area[pid] == NONE)
		return false;
	start = soak_areas[a->area[pid]].start;
	other = soak_areas[b->area[pid]].start;
	return start == other || (start < other + b->size[pid] && other < start + a->size[pid]);
}

static bool overlaps_any(const struct slot *a)
{
	for (int s = 0; s < soak.nslots; s++)
		for (int i = 0; i < soak.nprocs; i++)
			if (&soak.slots[s] != a && !soak.slots[s].popped &&
			    overlap(a, &soak.slots[s], i))
				return true;
	return false;
}

bool soak_is_tidy(void)
{
	for (int s = 0; s < soak.nslots; s++)
		if (overlaps_any(&soak.slots[s]))
			return false;
	return true;
}

/* ---- Pushes -------------------------------------------------------------- */

/* Is the whole area free on this process, once this superstep is over? */
static bool is_free(int area, int pid)
{
	const struct slot whole = { .area = { [0 ... PROCS - 1] = area },
				    .size = { [0 ... PROCS - 1] = soak_areas[area].most } };

	for (int s = 0; s < soak.nslots; s++)
		if (!soak.slots[s].popped && overlap(&whole, &soak.slots[s], pid))
			return false;
	return true;
}

static bool may_push(int area, int pid)
{
	return !(soak.relaxed || soak.tidies) || (soak_areas[area].plain && is_free(area, pid));
}

static void append(struct op *op)
{
	op->slot.number = pushes++;
	soak.slots[soak.nslots++] = op->slot;
}

static size_t pick_size(size_t most)
{
	return pick(3) ? most : pick(most + 1);
}

/* On most processes the same area, or on each another; somewhere or everywhere none. */
bool soak_push(struct op *op)
{
	bool nowhere = pick(12) == 0, alike = pick(3) != 0;
	int area = (int)pick(AREAS);

	if (soak.nslots == SLOTS)
		return false;
	for (int i = 0; i < soak.nprocs; i++) {
		int mine = alike ? area : (int)pick(AREAS);

		op->slot.area[i] = nowhere || pick(8) == 0 || !may_push(mine, i) ? NONE : mine;
		op->slot.size[i] = 0;
		if (op->slot.area[i] != NONE && pick(8))
			op->slot.size[i] = pick_size(soak_areas[mine].most);
	}
	append(op);
	return true;
}

void soak_push_alike(struct op *op, int area)
{
	for (int i = 0; i < soak.nprocs; i++) {
		op->slot.area[i] = area;
		op->slot.size[i] = soak_areas[area].most;
	}
	append(op);
}

static bool is_usable(const struct slot *s)
{
	for (int i = 0; i < soak.nprocs; i++)
		if (s->area[i] == NONE || s->size[i] == 0 || s->popped)
			return false;
	return true;
}

static bool is_free_everywhere(int area)
{
	for (int i = 0; i < soak.nprocs; i++)
		if (!is_free(area, i))
			return false;
	return true;
}

int soak_lacks_area(void)
{
	int usable = 0;

	for (int s = 0; s < soak.nslots; s++)
		usable += is_usable(&soak.slots[s]);
	if (usable >= USABLE_LEAST || soak.nslots == SLOTS)
		return NONE;
	for (int tries = 0; tries < 3 * AREAS; tries++) {
		int area = (int)pick(AREAS);

		if (soak_areas[area].plain && is_free_everywhere(area))
			return area;
	}
	return NONE;
}

/* ---- Pops ---------------------------------------------------------------- */

/* Would every process, popping its address of this slot, mean this slot? */
static bool may_pop(int s)
{
	bool null = is_null_everywhere(&soak.slots[s]);

	if (soak.slots[s].popped)
		return false;
	for (int other = 0; other < s; other++)
		if (null && !soak.slots[other].popped && is_null_everywhere(&soak.slots[other]))
			return false;
	for (int other = s + 1; other < soak.nslots; other++)
		for (int i = 0; i < soak.nprocs; i++)
			if (!soak.slots[other].popped && soak.slots[s].area[i] != NONE &&
			    soak.slots[other].area[i] == soak.slots[s].area[i])
				return false;
	return true;
}

static void pop(struct op *op, int s)
{
	soak.slots[s].popped = true;
	op->slot = soak.slots[s];
}

bool soak_pop(struct op *op)
{
	for (int tries = 0; tries < 4 && soak.nslots; tries++) {
		int s = (int)pick((size_t)soak.nslots);

		if (may_pop(s)) {
			pop(op, s);
			return true;
		}
	}
	return false;
}

/* From the newest one on, so that each can be popped: a later one of its address overlapped too. */
bool soak_pop_overlapping(struct op *op)
{
	for (int s = soak.nslots - 1; s >= 0; s--)
		if (!soak.slots[s].popped && overlaps_any(&soak.slots[s])) {
			pop(op, s);
			return true;
		}
	return false;
}

/* ---- Names --------------------------------------------------------------- */

bool soak_choose_slot(struct op *op)
{
	int s;

	if (!soak.neffective)
		return false;
	s = (int)pick((size_t)soak.neffective);
	if (soak.slots[s].area[op->owner] == NONE)
		return false;
	for (int other = s + 1; other < soak.neffective; other++)
		if (soak.slots[other].area[op->owner] == soak.slots[s].area[op->owner])
			s = other;
	op->slot = soak.slots[s];
	return true;
}

void soak_settle_slots(void)
{
	int n = 0;

	for (int s = 0; s < soak.nslots; s++) {
		memset(soak.slots[s].read, 0, sizeof soak.slots[s].read);
		if (!soak.slots[s].popped)
			soak.slots[n++] = soak.slots[s];
	}
	soak.neffective = soak.nslots = n;
}
