// SPDX-License-Identifier: BSD-3-Clause
/* lifeline_deadlock.c - launched processes find out whether all of them wait for ever. */

/*
 * deadlock.h says what is looked for and why it is one. On one node process 0 sees the status of
 * all processes. With several nodes it asks the first process of each below it, which looks at
 * those of its node, asks those below itself if they all wait, and answers for all of them; a wave
 * is over when all have answered. Process 0 begins one only if its own node waits, and the next one
 * as long after the end of that as its looks are apart, so that a job that gets on sends nothing,
 * and stores between two waves become visible however slow the first was.
 *
 * An answer is the wave of a subtree in digits of four bits, 'A' to 'P', which are none of the
 * bytes that mean something on a line. It is sent whole, but may arrive in pieces.
 */

#include "lifeline.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum {
	NUMBERS = 6,
	DIGITS_EACH = 16,
	DIGITS = NUMBERS * DIGITS_EACH,
};

/* ---- Answers ------------------------------------------------------------------- */

static uint64_t *wave_number(struct bspj_wave *wave, int i, uint64_t *all_wait)
{
	uint64_t *const numbers[NUMBERS] = {
		all_wait, &wave->sent, &wave->received, &wave->turns, &wave->in_barrier,
		&wave->within_step,
	};

	return numbers[i];
}

static void wave_answer(struct bspj_lifeline *l)
{
	uint64_t all_wait = l->wave.all_wait;
	char digits[DIGITS];

	for (int i = 0; i < DIGITS; i++) {
		uint64_t number = *wave_number(&l->wave, i / DIGITS_EACH, &all_wait);

		digits[i] = (char)('A' + (number >> 4 * (DIGITS_EACH - 1 - i % DIGITS_EACH) & 15));
	}
	if (send(l->lines[0].fd, digits, sizeof(digits), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;			/* a closed peer needs no answer */
}

bool bspj_lifeline_takes_digit(struct bspj_line *line, char byte)
{
	uint64_t all_wait = line->wave.all_wait, *number;

	if (byte < 'A' || byte > 'P')
		return false;
	if (line->ndigits >= DIGITS)
		return true;		/* of no answer that was asked for */
	number = wave_number(&line->wave, line->ndigits / DIGITS_EACH, &all_wait);
	*number = *number << 4 | (uint64_t)(byte - 'A');
	line->wave.all_wait = all_wait & 1;
	line->ndigits++;
	return true;
}

/* ---- Waves ---------------------------------------------------------------------- */

/* Is it the line to the first process of a node below ours? */
static bool deadlock_is_below(const struct bspj_lifeline *l, const struct bspj_line *line)
{
	const int *node = l->job->wire->node;

	return line->peer != l->parent && node[line->peer] != node[l->job->me];
}

/* A node whose first process has left does not wait. */
static bool some_have_left(const struct bspj_lifeline *l)
{
	for (int i = 0; i < l->nlines; i++)
		if (deadlock_is_below(l, &l->lines[i]) && l->lines[i].over)
			return true;
	return false;
}

/* One that cannot be asked never answers, so this wave stays open, and there is no other. */
static void wave_open(struct bspj_lifeline *l)
{
	static const char ask = BSPJ_LIFELINE_ASK;

	l->wave = bspj_wave_look(&l->watchdog);
	l->wave.all_wait = l->wave.all_wait && !some_have_left(l);
	l->is_wave_open = l->wave.all_wait;
	if (!l->is_wave_open) {
		l->deadlock.last = (struct bspj_wave){ .all_wait = false };
		return;
	}
	for (int i = 0; i < l->nlines; i++) {
		struct bspj_line *line = &l->lines[i];

		if (!deadlock_is_below(l, line))
			continue;
		line->ndigits = 0;
		line->wave = (struct bspj_wave){ .all_wait = false };
		if (send(line->fd, &ask, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			continue;
	}
}

/* Have all answered? Then what they said is in l->wave. */
static bool wave_close(struct bspj_lifeline *l)
{
	for (int i = 0; i < l->nlines; i++)
		if (deadlock_is_below(l, &l->lines[i]) && l->lines[i].ndigits < DIGITS)
			return false;
	for (int i = 0; i < l->nlines; i++)
		if (deadlock_is_below(l, &l->lines[i]))
			l->wave = bspj_wave_join(&l->wave, &l->lines[i].wave);
	l->is_wave_open = false;
	return true;
}

void bspj_lifeline_answer_ask(struct bspj_lifeline *l)
{
	wave_open(l);
	if (l->is_wave_open)
		bspj_lifeline_pass_on_answers(l);
	else
		wave_answer(l);
}

void bspj_lifeline_pass_on_answers(struct bspj_lifeline *l)
{
	if (l->parent >= 0 && l->is_wave_open && wave_close(l))
		wave_answer(l);
}

bool bspj_lifeline_sees_deadlock(struct bspj_lifeline *l)
{
	struct bspj_wave last = l->deadlock.last;
	uint64_t now = bspt_now_ns();

	if (l->job->wire->nnodes == 1)
		return bspj_deadlock_look(&l->deadlock, &l->watchdog);
	if (l->is_wave_open) {
		if (!wave_close(l))
			return false;
		l->deadlock.looked_ns = now;
		l->deadlock.last = l->wave;
		return bspj_wave_is_deadlock(&last, &l->wave);
	}
	if (now - l->deadlock.looked_ns < l->watchdog.look_ms * UINT64_C(1000000))
		return false;
	l->deadlock.looked_ns = now;
	wave_open(l);
	return false;
}
