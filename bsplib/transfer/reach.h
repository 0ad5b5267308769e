/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h - which processes the program may put to, read and send to: all, or its neighbours. */
#ifndef BSPI_REACH_H
#define BSPI_REACH_H

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"

/* The list of bsp_set_neighbors that is in effect. */
struct bspi_neighbors {
	bool limited;		/* there is one; else all others are neighbours */
	int *pids;		/* ascending, each once, without this process */
	int n;
	bool *is;		/* of nprocs */
	const char *site;	/* of its call */
	unsigned int number;	/* of lists that have taken effect, with those of all */
};

extern struct bspi_neighbors bspi_neighbors;

/* Is @pid a neighbour, or this process? */
static inline bool bspi_is_neighbor(int pid)
{
	return BSPI_LIKELY(!bspi_neighbors.limited) || pid == bspi.me || bspi_neighbors.is[pid];
}

/* End the job if it is not; @pid exists. */
void bspi_require_neighbor(const char *call, const char *site, int64_t pid);
/*
 * A list takes effect: @pids as above, whose memory is this part's from now on; NULL: all are
 * neighbours again.
 */
void bspi_reach_limit(const char *site, int *pids, int n);
/*
 * Between two supersteps: no chunk is open to processes that are no neighbours, so the fast path
 * of puts and gets, which looks for room alone, finds none.
 */
void bspi_reach_shut_others(void);
void bspi_reach_open(void);
void bspi_reach_close(void);

#endif
