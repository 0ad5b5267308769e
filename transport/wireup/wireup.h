/* SPDX-License-Identifier: BSD-3-Clause */
/* wireup.h - how the processes of a job come to be, and who watches over them. */

/*
 * On one machine: the process that calls bspt_start() becomes the supervisor. It
 * forks the processes of the job, waits for them, and ends with their
 * status; it never returns. The call returns in the processes. So the processes
 * are nobody's children but the supervisor's, and wait() in a program sees
 * only children of the program.
 *
 * However one of them dies, the supervisor learns it at once, names it and ends
 * the others; if it dies itself, the kernel ends them all (PR_SET_PDEATHSIG).
 * All there is lies in shared memory without a name and goes with the last of them.
 */
#ifndef BSPT_WIREUP_H
#define BSPT_WIREUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bspt_state {
	BSPT_STARTING,
	BSPT_COMPUTING,
	BSPT_SYNCING,		/* in bsp_sync or bsp_end */
	BSPT_READING,		/* waiting for what seat.waits_for says */
	BSPT_ENDED,		/* has left bsp_end */
};

/*
 * Where a process is. Written by it, read by the supervisor for its messages;
 * relaxed, because a message may be a moment late. The places are addresses of texts
 * that all have inherited, or NULL.
 */
struct bspt_seat {
	_Alignas(64) _Atomic uint32_t step;
	_Atomic uint32_t state;		/* enum bspt_state */
	const char *_Atomic place;	/* of the last bsp_sync, or of the one it is in */
	char waits_for[256];		/* with BSPT_READING, in words; may be torn */
};

/* What the job shares with its supervisor. */
struct bspt_board {
	_Atomic int culprit;		/* process that reported an error + 1; 0: none */
	struct bspt_seat seats[];
};

struct bspt_start {
	int nprocs;
	bool bind;			/* to cores, if there are enough */
	bool tag_output;
	bool supervise;			/* also a single process */
	double watchdog_s;		/* 0: none */
};

/* What a process knows of its job. */
struct bspt_job {
	int me;
	int nprocs;
	bool supervised;
	struct bspt_board *board;
};

/* Processors that this process may use. */
int bspt_processors(void);

/*
 * Start the processes. Returns 0 in each of them, with @job filled in; in the
 * original process only on failure: a negative errno, and nothing is left.
 */
int bspt_start(const struct bspt_start *how, struct bspt_job *job);

/* May this process report an error? True once in a job: only one message is to appear. */
bool bspt_claim_fault(struct bspt_job *job);

/* bind.c: where processes run */
struct bspt_binding;
struct bspt_binding *bspt_binding_create(int nprocs);	/* NULL: not enough cores, or not known */
void bspt_binding_apply(const struct bspt_binding *b, int p);
void bspt_binding_destroy(struct bspt_binding *b);

/* supervise.c */
struct bspt_child {
	int pid;		/* 0: gone */
	int status;		/* of a process that is gone */
	int out, err;		/* its output, if tagged; else -1 */
};

struct bspt_crew {
	const struct bspt_start *how;
	struct bspt_board *board;
	int nprocs;
	struct bspt_child *children;
};

/* output.c: one stream of a process, from its pipe to our output. */
struct bspt_stream {
	int from, to;		/* from is -1 when closed */
	int process;
	size_t len;
	char *line;		/* what came since the last newline */
};

/* Two for each process; NULL: no memory. */
struct bspt_stream *bspt_streams_open(const struct bspt_crew *crew);
/* Hand on what there is to read. */
void bspt_stream_relay(struct bspt_stream *s);
/* What the dead left in their pipes. A child of theirs may still hold them open: no waiting. */
void bspt_streams_drain(struct bspt_stream *streams, int nprocs);

/* Watch over the children until all are gone, then end as the job ended. */
_Noreturn void bspt_supervise(struct bspt_crew *crew);

#endif
