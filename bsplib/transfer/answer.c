// SPDX-License-Identifier: BSD-3-Clause
/* answer.c - answers to our gets: written in the order of the processes that give them. */

/*
 * Answers of one process are written as they come, after all of the processes before it. One that
 * comes before its turn stays in its chunk, in a chain of its process. So a superstep takes time in
 * proportion to what has come, in whatever order the processes answer that were asked.
 */

#include "bsplib/transfer/answer.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/effect.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/bulk.h"

#include <stdlib.h>
#include <string.h>

static struct {
	size_t *first, *last;		/* of each process: indices of bspi_engine.held, plus 1 */
	size_t *next;			/* of each held chunk, likewise */
	size_t room;
	int *owing;			/* processes that have something to answer, ascending */
	int nowing;
} early;

void bspi_answers_open(void)
{
	early.first = calloc(bspi.nprocs, sizeof(*early.first));
	early.last = calloc(bspi.nprocs, sizeof(*early.last));
	early.owing = calloc(bspi.nprocs, sizeof(*early.owing));
	if (!early.first || !early.last || !early.owing)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_answers_forget(void)
{
	for (int i = 0; bspi_engine.owed && i < bspi_engine.ntouched; i++)
		bspi_engine.out[bspi_engine.touched[i]].owed = 0;
	bspi_engine.owed = 0;
}

void bspi_answers_close(void)
{
	free(early.first);
	free(early.last);
	free(early.next);
	free(early.owing);
	memset(&early, 0, sizeof(early));
}

static void write_chunk(size_t i)
{
	bspi_handle(&bspi_engine.held.at[i], BSPI_AT_ANSWER);
}

static void keep_for_its_turn(size_t i)
{
	int q = bspi_engine.held.at[i].from;

	while (early.room <= i)
		early.next = bspi_grow(early.next, early.room, sizeof(*early.next), &early.room);
	early.next[i] = 0;
	if (early.first[q])
		early.next[early.last[q] - 1] = i + 1;
	else
		early.first[q] = i + 1;
	early.last[q] = i + 1;
}

static bool out_owes(const struct bspi_out *o)
{
	return o->owed;
}

/* Requests went to them in this epoch, so they are touched. */
static void find_owing(void)
{
	early.nowing = 0;
	for (int i = 0; i < bspi_engine.ntouched; i++)
		if (out_owes(&bspi_engine.out[bspi_engine.touched[i]]))
			early.owing[early.nowing++] = bspi_engine.touched[i];
	bspi_put_in_order(early.owing, early.nowing, out_owes);
}

/*
 * The first of early.owing from @turn on that still has something to answer, after what came of
 * those before it is written.
 */
static int take_turns(int turn)
{
	while (turn < early.nowing && !out_owes(&bspi_engine.out[early.owing[turn]])) {
		turn++;
		if (turn < early.nowing) {
			int q = early.owing[turn];

			for (size_t i = early.first[q]; i; i = early.next[i - 1])
				write_chunk(i - 1);
			early.first[q] = 0;
		}
	}
	return turn;
}

static bool is_answer(const struct bspi_arrival *a)
{
	const struct bspi_head *h = bspi_head_of(a->chunk);

	return h->step == bspi.step && (h->flags & BSPI_REPLY);
}

void bspi_await_answers(void)
{
	unsigned int idle = 0;
	size_t seen = 0;
	int turn = 0;

	find_owing();
	for (;;) {
		for (; seen < bspi_engine.held.n; seen++) {
			int from = bspi_engine.held.at[seen].from;

			if (!is_answer(&bspi_engine.held.at[seen]))
				continue;
			if (!out_owes(&bspi_engine.out[from]))
				bspi_fail_damaged(from);	/* nothing, or nothing more */
			if (from == early.owing[turn])
				write_chunk(seen);
			else
				keep_for_its_turn(seen);
		}
		turn = take_turns(turn);
		if (turn == early.nowing)
			break;
		bspi_pump_for(&idle, BSPI_WAIT_ANSWERS, bspi_engine.owed, 0);
	}
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_wait_ordered();
	bspi_clock_need_held(BSPI_REPLY);
	bspi_clock_advance();
}
