/* SPDX-License-Identifier: BSD-3-Clause */
/* rivals.h - operations behind computing, through the calls of a library: what the files share. */
#ifndef BENCH_RIVALS_H
#define BENCH_RIVALS_H

#include <stdbool.h>

enum rival_operation { RIVAL_TREE, RIVAL_DISSEMINATION, RIVAL_ALLREDUCE, RIVAL_OPERATIONS };

/* The measured library; one job, of which this is a process. */
struct rival_job {
	int nprocs, rank;
};

struct rival_job rival_begin(int *argc, char ***argv);
/* All have called it. */
void rival_meet(void);
/* Does it have this operation? Then it is made ready. */
bool rival_has(enum rival_operation what);
/* Start it; wait for its end. The allreduce adds one double of each process, which is checked. */
void rival_start(enum rival_operation what, double mine);
double rival_finish(enum rival_operation what);
void rival_end(void);

#endif
