/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_loss.h - for prof_load(): what each wait was for. */
#ifndef PROF_LOSS_H
#define PROF_LOSS_H

#include "prof.h"

struct prof_wait {
	uint64_t waited;		/* ns */
	uint64_t late;			/* of these before the last process it needed had come */
	int by;				/* that process; -1: none was late */
	uint64_t bytes;			/* that came meanwhile */
	int messages;			/* one after the other, by the model */
};

/* Adds to p->loss: late first, then bytes, then latency, each no more than what is left. */
void prof_loss_add(struct prof *p, const struct prof_wait *w);

/* A collective call of one process in the superstep under way. */
struct prof_collective {
	uint64_t begin, waited;
	uint32_t row;
};

struct prof_collectives {
	struct prof_collective *at;
	size_t n, room;
};

/*
 * The superstep is over; @of has the calls of each process, in their order. If all processes of the
 * recording made the same calls, a call waited for the last to make it. Empties them.
 */
void prof_loss_collectives(struct prof *p, struct prof_collectives *of);

#endif
