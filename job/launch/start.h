/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - the first moments of a process, for local.c and again.c. */
#ifndef BSPJ_START_H
#define BSPJ_START_H

#include "job/internal.h"

#include <sys/resource.h>

/* Two ends of pipes, or -1. */
struct bspj_ends {
	int out, err;
};

void bspj_ends_close(struct bspj_ends ends);

size_t bspj_status_table_bytes(int nprocs);
/* The children for processes that have no pipes yet; NULL: no memory. */
struct bspj_child *bspj_children_create(int nprocs);
/* All that is open of the child: in the supervisor, when it is gone; in a new process. */
void bspj_child_close(struct bspj_child *child);
/* The same of the first @n, by few calls: in a new process, which has inherited all that. */
void bspj_children_close(const struct bspj_child *child, int n);

/* Is @process the one whose number + 1 is in @claimed? It puts it there if that is 0. */
bool bspj_claim_once(_Atomic int *claimed, int process);

/*
 * Before any is forked: may there be so many processes more? -EAGAIN: a limit is lower; others of
 * the user or of the group may leave fewer, which fork() says. -ENOMEM: the machine or the
 * container has no memory for them. Else 0.
 */
int bspj_processes_fit(int nprocs);

/*
 * Before any is forked: the supervisor needs descriptors for each. As far as it may it raises its
 * own limit, of which @own is what it was: for the processes. -EMFILE: the pipes for their output
 * would be too many.
 */
int bspj_descriptors_raise(const struct bspj_start *how, struct rlimit *own);

/*
 * Pipes for the output of a child: the supervisor reads child->out and err, the child writes
 * @ends. 0 or a negative errno.
 */
int bspj_pipes_open(struct bspj_child *child, struct bspj_ends *ends);

/* In a new process: only process 0 has the standard input; and the output goes to the pipes. */
void bspj_input_detach(void);

/* gprof.c: in the copy that is @process: its profile, if it was compiled with -pg */
void bspj_gprof_resume(int process);

/* streams.c: before a process is copied: write what streams of C have, and the usual ones of C++ */
void bspj_streams_flush(void);
/* In the copy: standard input has read nothing ahead; its descriptor is detached already. */
void bspj_streams_drop_input(void);
void bspj_output_redirect(struct bspj_ends ends);

/*
 * Each process dies with its supervisor, also one that has changed its user, with which the kernel
 * forgets PR_SET_PDEATHSIG. The supervisor can hold an end of so many processes of @how that
 * descriptors are left; the caller takes @each of them for one.
 */
int bspj_follow_most(const struct bspj_start *how, int each);
/* Before the fork: child->held is for the supervisor alone. Returns the child's end; -1: none. */
int bspj_follow_open(struct bspj_child *child);
/*
 * In the child, when it has closed what is held of others; @end is its own from now on. False: the
 * supervisor has died before.
 */
bool bspj_follow(pid_t supervisor, int end);

/*
 * again.c: another SPMD part: as bspj_start(). Called by process 0 of the last one. On failure
 * it is still that.
 */
int bspj_start_again(const struct bspj_start *how, struct bspj_job *job);

#endif
