/* SPDX-License-Identifier: BSD-3-Clause */
/* handshake.h - the launched processes: the data that each publishes about itself. */
#ifndef BSPJ_HANDSHAKE_H
#define BSPJ_HANDSHAKE_H

#include "job/internal.h"
#include "transport/hostname.h"

enum { BSPJ_TOKEN = 16, BSPJ_PROTOCOL = 7 };

/*
 * Published in the first exchange, so its size and the offsets of the first two members are the
 * same in every version.
 */
struct bspj_member {
	uint64_t mark;			/* that it is this, and in our order of bytes */
	char version[24];		/* of the library */
	uint32_t protocol;		/* what bytes mean between processes */
	/* asked for by the program; 0: for none, it ends without a job */
	uint32_t nprocs;
	uint64_t program;		/* a hash of its build-id, or of its file */
	uint64_t base;			/* where it is loaded */
	unsigned char token[BSPJ_TOKEN];	/* known only to processes of the job */
	int32_t pid;
	char host[BSPT_HOSTNAME];
	uint32_t follows;		/* process 0 in how many there are, whatever nprocs says */
	uint64_t number;		/* random; that of process 0 is the job's, and no secret */
	char build_id[17];		/* the beginning of the program's; "": it has none */
	char name[64];			/* of the program */
	bool in_home;			/* was started in the home folder */
	uint16_t node_size;		/* as struct bspj_start has it: all have one map of nodes */
	uint32_t common;		/* a hash of the text that is to be the same on all */
	uint64_t folder;		/* a hash of the folder in which it was started */
};

_Static_assert(sizeof(struct bspj_member) == 256, "the size of the first exchange");

/*
 * A process keeps as much of it as it asks for: with thousands of processes that of all would be
 * megabytes. Where a supervisor watches, it keeps what process 0 has published; else the lifeline
 * needs the processes of this node, and of each other node the first one.
 */
struct bspj_members {
	int n;
	int pid;			/* of this process, when it took part */
	int *node;			/* of each, as the launcher says */
	int *at;			/* its place in @member, or that of the first of its node */
	struct bspj_member *member;	/* process 0 first; without @at, it alone */
};

static inline const struct bspj_member *bspj_member_of(const struct bspj_members *members, int p)
{
	return &members->member[members->at ? members->at[p] : 0];
}

/*
 * By all that were launched, job->nprocs; this one asks for how->nprocs, or follows process 0.
 * All run the same program, so what is in it is equally far apart in all. Sets job->nprocs to the
 * number that process 0 asks for, and job->members. 0, or a negative errno and the reason in @why.
 */
int bspj_handshake(struct bspj_job *job, const struct bspj_start *how, char *why, size_t len);

/* Now that nodes are known, @node by process: forget what @me does not need. 0 or -ENOMEM. */
int bspj_members_keep(struct bspj_members *members, const int *node, int me);
void bspj_members_free(struct bspj_members *members);

/* Why an exchange has failed, in words. */
void bspj_explain_exchange(int err, char *why, size_t len);

/* An error that all processes find: process 0 is to report it, and the others give it time to. */
int bspj_handshake_fail(const struct bspj_job *job, int err);

#endif
