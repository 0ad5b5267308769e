/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_call.c - a superstep of this process: its calls, and what it does by itself between them. */

#include "soak.h"

#include <sched.h>

enum {
	WAITING_MOST = 200,	/* messages before they are expected for certain */
	SELDOM = 16,		/* supersteps of a terse phase for one that is looked at */
};

static unsigned char fixed[ARENA], *arena;

void soak_arena_open(void)
{
	arena = soak.heap ? memory(ARENA) : fixed;
}

void soak_arena_close(void)
{
	if (soak.heap)
		free(arena);
}

unsigned char *soak_arena(void)
{
	return arena;
}

void *soak_address(int area)
{
	return area == NONE ? NULL : arena + soak_areas[area].start;
}

/* ---- The calls ----------------------------------------------------------- */

static void call_send(const struct op *op, void *here)
{
	unsigned char tag[MOST_TAG];
	bsp_size_t nbytes = (bsp_size_t)op->nbytes;

	if (op->hp) {
		bsp_hpsend((bsp_pid_t)op->pid, op->tag, here, nbytes);
		return;
	}
	memcpy(tag, op->tag, MOST_TAG);
	bsp_send((bsp_pid_t)op->pid, soak.tag_sent ? tag : NULL, nbytes ? here : NULL, nbytes);
	memset(tag, 0, MOST_TAG);
}

static void call_transfer(const struct op *op)
{
	void *named = soak_address(op->slot.area[op->owner]), *here = arena + op->local;
	bsp_size_t offset = (bsp_size_t)op->offset, nbytes = (bsp_size_t)op->nbytes;
	bsp_pid_t pid = (bsp_pid_t)op->pid;

	if (op->kind == PUT && op->hp)
		bsp_hpput(pid, here, named, offset, nbytes);
	else if (op->kind == PUT)
		bsp_put(pid, here, named, offset, nbytes);
	else if (op->hp)
		bsp_hpget(pid, named, offset, here, nbytes);
	else
		bsp_get(pid, named, offset, here, nbytes);
}

static void call_tagsize(const struct op *op, size_t set_before)
{
	bsp_size_t nbytes = (bsp_size_t)op->nbytes;

	bsp_set_tagsize(&nbytes);
	if ((size_t)nbytes != set_before)
		soak_fail("bsp_set_tagsize returns %ld, expected %zu", (long)nbytes, set_before);
}

/* After a classic superstep no number is wrong. */
static void call_read(const struct op *op)
{
	const void *area = soak_address(op->slot.area[soak.me]);

	if (pick_own(3) == 0)
		while (!bsp_read_test(area, op->n))
			sched_yield();
	bsp_read(area, soak.was_relaxed ? op->n : (int)pick_own(4));
	soak_check_area(&op->slot);
}

static void call_nothing(void)
{
	bsp_put((bsp_pid_t)4711, NULL, NULL, (bsp_size_t)-1, 0);
	bsp_hpget((bsp_pid_t)-4711, arena + 1, 1 << 30, NULL, 0);
}

static void call(struct op *op, size_t set_before)
{
	switch (op->kind) {
	case PUSH:
		bsp_push_reg(soak_address(op->slot.area[soak.me]),
			     (bsp_size_t)op->slot.size[soak.me]);
		break;
	case POP:
		bsp_pop_reg(soak_address(op->slot.area[soak.me]));
		break;
	case TAGSIZE:
		call_tagsize(op, set_before);
		break;
	case NEIGHBORS:
		soak_call_neighbors(op);
		break;
	case WRITE:
		fill(arena + op->local, op->nbytes, op->seed);
		break;
	case READ:
		call_read(op);
		break;
	case NOTHING:
		call_nothing();
		break;
	case SEND:
		call_send(op, arena + op->local);
		break;
	case COLLECTIVE:
	case SCHEDULE:
		soak_call_collective(op);
		break;
	default:
		call_transfer(op);
	}
}

static void call_set_sync(void)
{
	int mode = bsp_set_sync(soak.relaxed ? BSP_RELAXED : BSP_CLASSIC);

	if (mode != (soak.was_relaxed ? BSP_RELAXED : BSP_CLASSIC) && !soak.forced)
		soak_fail("bsp_set_sync returns %d, expected the other one", mode);
}

/* ---- Of its own accord --------------------------------------------------- */

static void compute(size_t most)
{
	volatile size_t spun = 0;

	for (size_t n = pick_own(most); spun < n;)
		spun++;
}

/* More than there can be, so that the answer is known. */
static void test_read(void)
{
	const struct slot *slot;
	int answer;

	if (!soak.neffective)
		return;
	slot = &soak.slots[pick_own((size_t)soak.neffective)];
	if (slot->area[soak.me] == NONE)
		return;
	answer = bsp_read_test(soak_address(slot->area[soak.me]),
			       slot->unread[soak.me] + 1 + (int)pick_own(3));
	if (answer != (soak.forced || !soak.was_relaxed))
		soak_fail("bsp_read_test says %d", answer);
}

/* All that wait, as in a well-formed program; after a classic superstep this does nothing. */
static void expect(void)
{
	int n = soak_waiting()->n, first = pick_own(3) ? n : (int)pick_own((size_t)n + 1);

	if (!soak.was_relaxed || !n)
		return;
	bsp_expect(first);
	if (first < n)
		bsp_expect(n - first);
	soak_model_expect();
	soak_check_counts();
}

static void act(void)
{
	switch (pick_own(24)) {
	case 0:
		soak_move(pick_own(20));
		break;
	case 1:
		expect();
		break;
	case 2:
		test_read();
		break;
	case 3:
		soak_finish_some(false);
		break;
	case 4:
		sched_yield();
		break;
	case 5:
		compute(2000);
		break;
	case 6:
		soak_check_counts();
		break;
	default:
		break;
	}
}

/* ---- Gets that come here ------------------------------------------------- */

static int gets_from(const struct slot *slot)
{
	int n = 0;

	for (int i = 0; i < soak.nops; i++)
		n += soak.ops[i].kind == GET && soak.ops[i].pid == soak.me &&
		     soak.ops[i].slot.number == slot->number;
	return n;
}

/* Not needed where there is a barrier. */
static void serve(void)
{
	for (int s = 0; s < soak.neffective; s++) {
		const struct slot *slot = &soak.slots[s];
		int n = gets_from(slot), first;

		if (!n || ((!soak.relaxed || soak.barrier) && pick_own(2)))
			continue;
		first = (int)pick_own((size_t)n + 1);
		bsp_serve(soak_address(slot->area[soak.me]), first);
		if (first < n)
			bsp_serve(soak_address(slot->area[soak.me]), n - first);
	}
}

/* ---- A superstep --------------------------------------------------------- */

static void run_ops(bool thorough)
{
	bool changes = soak.relaxed != soak.was_relaxed || pick_own(50) == 0;
	int mode_at = (int)pick_own((size_t)soak.nops + 1);
	bool served = pick_own(3) == 0;

	if (served)
		serve();
	for (int i = 0; i <= soak.nops; i++) {
		struct op *op = &soak.ops[i];
		size_t set_before = soak.tag_set;

		if (changes && i == mode_at)
			call_set_sync();
		if (i == soak.nops)
			break;
		soak_model_call(op);
		if (op->owner == soak.me || op->owner == NONE) {
			call(op, set_before);
			if (thorough)
				act();
		}
	}
	if (!served)
		serve();
}

/* Before the last relaxed superstep is over nothing must be left that was not expected. */
static void run_last(bool thorough)
{
	if (thorough)
		act();
	soak_finish_some(true);
	if (!soak.relaxed || soak.step == soak.steps - 1 || soak_waiting()->n > WAITING_MOST)
		expect();
	if (thorough && pick_own(3))
		soak_move(pick_own(2) ? SIZE_MAX : pick_own(20));
	soak_check_shown();
	if (soak.me == soak.slow)
		compute(40000);
	if (thorough)
		soak_check_memory();
}

static void run_first(void)
{
	soak_check_memory();
	soak_check_counts();
	if (pick_own(4) == 0)
		soak_move(pick_own(20));
}

void soak_run(void)
{
	bool thorough = !soak.terse || soak.step % SELDOM == 0 || soak.step == soak.spoil;

	if (soak.step == soak.spoil && soak.me == soak.nprocs - 1)
		arena[ARENA - 1] ^= 1;
	soak_start_owed();
	if (thorough)
		run_first();
	run_ops(thorough);
	run_last(thorough);
	bsp_sync();
	soak_model_sync();
	soak_settle_neighbors();
	soak_forget_collectives();
}
