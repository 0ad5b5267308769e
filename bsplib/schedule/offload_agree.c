// SPDX-License-Identifier: BSD-3-Clause
/* offload_agree.c - processes agree on which of the program's schedules the transport runs. */

/*
 * A schedule runs beside the process on all processes or on none, and whether a process has room
 * for its part depends on that part. So each votes when it loads a schedule, by a note to all
 * others, and goes on; nothing waits but runs that are started before all votes have come. One vote
 * against a schedule decides at once, else the last one does.
 *
 * The n-th vote of a process is on the n-th schedule that it has offered, which is the same on all.
 * Votes of a process come in order, at times before this process has loaded the schedule.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

#include <stdlib.h>
#include <string.h>

static struct {
	uint32_t nloads;		/* votes of this process */
	uint32_t *nvotes;		/* of each process, that have come */
	/* against schedules that are not loaded here yet */
	uint32_t *refused;
	size_t nrefused, refused_room;
	struct goal_schedule *undecided, *decided;
} votes;

/* ---- What is decided ---------------------------------------------------------------- */

static void vote_unlink(struct goal_schedule **list, const struct goal_schedule *s)
{
	while (*list && *list != s)
		list = &(*list)->next_undecided;
	if (*list)
		*list = s->next_undecided;
}

static void vote_count(struct goal_schedule *s)
{
	if (!s->refused && s->nvotes + 1 < (uint32_t)bspi.nprocs)
		return;
	vote_unlink(&votes.undecided, s);
	s->next_undecided = votes.decided;
	votes.decided = s;
	bspi.goal_work |= BSPI_GOAL_DECIDED;
}

struct goal_schedule *bspi_offload_next_decided(void)
{
	struct goal_schedule *s = votes.decided;

	if (s)
		votes.decided = s->next_undecided;
	else
		bspi.goal_work &= ~BSPI_GOAL_DECIDED;
	return s;
}

void bspi_offload_forget(struct goal_schedule *s)
{
	vote_unlink(&votes.undecided, s);
	vote_unlink(&votes.decided, s);
}

/* ---- Votes of others ---------------------------------------------------------------- */

static struct goal_schedule *vote_find(uint32_t load)
{
	struct goal_schedule *s = votes.undecided;

	while (s && s->load != load)
		s = s->next_undecided;
	return s;
}

static void vote_keep_refusal(uint32_t load)
{
	votes.refused = bspi_grow(votes.refused, votes.nrefused, sizeof(*votes.refused),
				  &votes.refused_room);
	votes.refused[votes.nrefused++] = load;
}

/* It is marked only: bspi_schedules_progress() starts the runs. */
static void vote_on_note(int from, const struct bspi_note *note, size_t n,
			 const struct bspt_event *event)
{
	uint32_t load = votes.nvotes[from]++;
	struct goal_schedule *s = vote_find(load);

	(void)n;
	(void)event;
	if (s) {
		s->nvotes++;
		s->refused |= !note->number;
		vote_count(s);
	} else if (!note->number && !bspi_before(load, votes.nloads)) {
		vote_keep_refusal(load);
	}
}

/* Count the votes that came before the schedule was loaded. */
static void vote_count_early(struct goal_schedule *s)
{
	size_t left = 0;

	for (int q = 0; q < bspi.nprocs; q++)
		s->nvotes += q != bspi.me && bspi_before(s->load, votes.nvotes[q]);
	for (size_t i = 0; i < votes.nrefused; i++)
		if (votes.refused[i] == s->load)
			s->refused = true;
		else
			votes.refused[left++] = votes.refused[i];
	votes.nrefused = left;
}

/* ---- That of this process ------------------------------------------------------------ */

static void vote_send(int pid, bool may)
{
	struct bspi_outgoing p;

	bspi_outgoing_open(&p, pid, bspi_note_bytes(0));
	bspi_note_fill(p.rec, &(struct bspi_note){ .kind = BSPI_NOTE_VOTE, .number = may }, 0);
	bspi_outgoing_send(&p);
}

void bspi_offload_vote(struct goal_schedule *s, bool may)
{
	s->load = votes.nloads++;
	s->refused = !may;
	s->next_undecided = votes.undecided;
	votes.undecided = s;
	vote_count_early(s);
	vote_count(s);
	for (int d = 1; d < bspi.nprocs; d++)
		vote_send((bspi.me + d) % bspi.nprocs, may);
}

/* ---- Open, close ---------------------------------------------------------------------- */

void bspi_offload_agree_open(void)
{
	votes.nvotes = calloc(bspi.nprocs, sizeof(*votes.nvotes));
	if (!votes.nvotes)
		bspi_fail_memory("bsp_begin", NULL);
	bspi_note_handle(BSPI_NOTE_VOTE, vote_on_note);
}

void bspi_offload_agree_close(void)
{
	free(votes.nvotes);
	free(votes.refused);
	memset(&votes, 0, sizeof(votes));
}
