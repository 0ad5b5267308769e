/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - the first moments of a process, for local.c and again.c. */
#ifndef BSPT_START_H
#define BSPT_START_H

#include "job/job.h"

/* Two ends of pipes, or -1. */
struct bspt_ends {
	int out, err;
};

void bspt_ends_close(struct bspt_ends ends);

size_t bspt_status_table_bytes(int nprocs);
/* The children for processes that have no pipes yet; NULL: no memory. */
struct bspt_child *bspt_children_create(int nprocs);

/*
 * Pipes for the output of a child: the supervisor reads child->out and err, the child writes
 * @ends. 0 or a negative errno.
 */
int bspt_pipes_open(struct bspt_child *child, struct bspt_ends *ends);

/* In a new process: only process 0 has the standard input; and the output goes to the pipes. */
void bspt_input_detach(void);

/* gprof.c: in the copy that is @process: its profile, if it was compiled with -pg */
void bspt_gprof_resume(int process);

/* streams.c: before a process is copied: write what streams of C have, and the usual ones of C++ */
void bspt_streams_flush(void);
/* In the copy: standard input has read nothing ahead; its descriptor is detached already. */
void bspt_streams_drop_input(void);
void bspt_output_redirect(struct bspt_ends ends);

/* It dies with the supervisor, which may have died before. */
bool bspt_follow(pid_t supervisor);

/*
 * again.c: another SPMD part: as bspt_start(). Called by process 0 of the last one. On failure
 * it is still that.
 */
int bspt_start_again(const struct bspt_start *how, struct bspt_job *job);

#endif
