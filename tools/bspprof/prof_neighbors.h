/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_neighbors.h - with which others each process of a recorded run exchanges anything. */
#ifndef PROF_NEIGHBORS_H
#define PROF_NEIGHBORS_H

#include "common/recording.h"

/* As bsp_set_neighbors would have them: mutual, ascending, each once, without the process. */
struct prof_neighbors {
	int nprocs;
	size_t *first;		/* nprocs + 1: where the list of each process begins in ... */
	int *pids;
	int least, most;	/* of one process */
};

/* From all puts, gets and messages of the run. False: there is no memory for them. */
bool prof_neighbors_find(struct prof_neighbors *nb, const struct recording *r);
void prof_neighbors_free(struct prof_neighbors *nb);

/* The list of a process, and in @n how many they are. */
static inline const int *prof_neighbors_of(const struct prof_neighbors *nb, int pid, size_t *n)
{
	*n = nb->first[pid + 1] - nb->first[pid];
	return nb->pids + nb->first[pid];
}

/* Does some process exchange nothing with some other? Else lists would change nothing. */
static inline bool prof_neighbors_limit(const struct prof_neighbors *nb)
{
	return nb->least < nb->nprocs - 1;
}

#endif
