/* SPDX-License-Identifier: BSD-3-Clause */
/* internal.h - what the files of job/ share; the library sees job.h alone. */
#ifndef BSPJ_INTERNAL_H
#define BSPJ_INTERNAL_H

#include "job/job.h"

#include <limits.h>

/*
 * discover.c: bspj_join() where how->discover is set. Finds the other parts of the job, of
 * how->nprocs processes in all, and forks those of this part. 1 in each of them; a negative
 * errno and the reason in @why.
 */
int bspj_discover(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len);
/* The same where how->nodes is more than 1: all parts are nodes of this machine. */
int bspj_simulate_nodes(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len);

/*
 * abort.c. Has a launcher started this process? It has not started a child that the program has
 * forked, though the child has a copy of the job.
 */
bool bspj_has_launcher(const struct bspj_job *job);
/* Then end all processes by the launcher, from any thread; or this one, if it takes long. */
_Noreturn void bspj_launcher_abort(const struct bspj_job *job, int status);

/*
 * lifeline.c: one thread in each process, which sleeps until a process is lost. Called by all of
 * the job. 0, or a negative errno and the reason in @why.
 */
int bspj_lifeline_open(struct bspj_job *job, const struct bspj_start *how, char *why, size_t len);
/*
 * This process has reported an error; a process that sees it end does not report another. From
 * any thread.
 */
void bspj_lifeline_send_fault(const struct bspj_job *job);
/* Has another process sent that, and the thread not read it yet? For one that ends then. */
bool bspj_lifeline_has_fault(const struct bspj_lifeline *l);
/* From here on the end of a process is no failure. */
void bspj_lifeline_close(struct bspj_job *job);

/*
 * wire_launched.c: the wire of processes that a launcher has started, @node by process; they
 * wait so long for each other in an exchange, 0 for ever. NULL: *@err, of this process alone.
 */
struct bspt_wire *bspj_wire_launched(const struct bspj_job *job, int *node, int nnodes,
				     double timeout_s, int *err);
/*
 * An exchange has failed here, maybe in share(): its negative errno, or 0. The job has to end, as
 * processes no longer make the same calls.
 */
int bspj_wire_launched_error(const struct bspt_wire *w);
void bspj_wire_launched_free(struct bspt_wire *w);

/*
 * watchdog.c: processes whose rank are looked at, and when they last moved.
 *
 * Time is counted in looks, not by the clock: a job that is stopped and continued (by a terminal, a
 * freezer, a scheduler) makes no progress meanwhile, and its supervisor does not look. At most
 * look_ms of the time between two looks count, so a stop of whatever length counts as one look. A
 * process that is stopped alone is still counted, as the others are looked at.
 */
struct bspj_watchdog {
	const struct bspj_words *words;
	const struct bspj_status_table *table;
	int nprocs;
	const int *node;	/* only those with node[p] == here; NULL: all */
	int here;
	/* number of that process for the kernel, 0: ended; NULL: not known */
	int (*pid)(const void *of, int p);
	const void *pid_of;
	bool is_leaving;	/* none of them has a right to take its time any more */
	/* what to add to the addresses of each, to find their texts here; NULL: nothing */
	const int64_t *shift;
	double timeout_s;
	uint64_t progress;	/* sum over all processes when last looked at */
	int look_ms;		/* time between two looks: bspj_watchdog_look_ms() */
	uint64_t looked_ns;	/* the last one, by the clock; 0: none yet */
	uint64_t ran_ns;	/* counted by then */
	uint64_t progress_ns;	/* counted when progress changed */
	double warned_s;	/* after so long it was last warned of that; 0: not since */
};

/* How often to look, for what happens after @timeout_s or, without a timeout, after @warn_s. */
int bspj_watchdog_look_ms(double timeout_s, double warn_s);
/* A look: has any of them moved since the last one, or is all over? */
bool bspj_watchdog_moved(struct bspj_watchdog *watchdog);
/* Processes elsewhere have moved. */
void bspj_watchdog_note_progress(struct bspj_watchdog *watchdog);
/* They have not for longer than the timeout. */
bool bspj_watchdog_has_expired(const struct bspj_watchdog *watchdog);
/* Seconds since one of them moved last, as counted at the last look. */
double bspj_watchdog_still_s(const struct bspj_watchdog *watchdog);
/* Have they not for @warn_s (0: never), and for twice as long as when it was last warned? */
bool bspj_watchdog_must_warn(const struct bspj_watchdog *watchdog, double warn_s);
/* Do they move neither now nor for a second? */
bool bspj_watchdog_sees_hang(struct bspj_watchdog *watchdog);
/*
 * Report @why, and where each process is; @who says which processes these are: "", or " on host
 * b"; @so what comes of it.
 */
void bspj_watchdog_report_all(const struct bspj_watchdog *watchdog, const char *why,
			      const char *who, const char *so);
/* The same: that nothing moves, and the job goes on; that @signo ends a job that hangs. */
void bspj_watchdog_warn(struct bspj_watchdog *watchdog, const char *who);
void bspj_watchdog_report_hang(const struct bspj_watchdog *watchdog, int signo, const char *who);
/*
 * deadlock.c, see lifeline/deadlock.h: what a wave saw, of all processes or of some; and the last
 * wave of a watchdog that sees all processes.
 */
struct bspj_wave {
	bool all_wait;
	uint64_t sent, received;	/* sums, of chunks */
	uint64_t turns;			/* their sum: the same in two waves if each is the same */
	uint64_t in_barrier;		/* 1 + the epoch of those; 0: none; UINT64_MAX: several */
	uint64_t within_step;		/* 1 + the latest epoch of those that wait there; 0: none */
};

struct bspj_deadlock {
	struct bspj_wave last;
	uint64_t looked_ns;
};

/* A wave, if the last one is long enough ago: do all wait for ever, and nothing is on its way? */
bool bspj_deadlock_look(struct bspj_deadlock *deadlock, const struct bspj_watchdog *watchdog);
/* Report it; @who as bspj_watchdog_report_all(). */
void bspj_deadlock_report(const struct bspj_watchdog *watchdog, const char *who);

/* "bsp: REASON (process p, STEP 14, after prog.c:12)" */
__attribute__((format(printf, 3, 4)))
void bspj_watchdog_report(const struct bspj_watchdog *watchdog, int p, const char *format, ...);

/*
 * The file @fd, or anonymous memory if it is -1, at an address on the start of a huge page, as
 * in the file, so that it can have them. Only the first @usable bytes are accessible. NULL on
 * failure.
 */
void *bspj_map_shared(int fd, size_t bytes, size_t usable);

/* report.c: the message that a process could not print, by one that sees it end. */
void bspj_report_unsaid(struct bspj_status_table *table);
/* findings.c: what is still in the table, by a supervisor whose processes have ended. */
void bspj_findings_report(const struct bspj_status_table *table, const char *step, int nprocs);
/* Before there is a job that processes share, process 0 reports first. */
void bspj_let_process_0_speak(const struct bspj_job *job);

/* bind.c: where processes run */
struct bspj_binding;
/* NULL: not to be bound, not enough cores, or not known. */
struct bspj_binding *bspj_binding_create(const struct bspj_start *how);
void bspj_binding_apply(const struct bspj_binding *b, int p);
void bspj_binding_destroy(struct bspj_binding *b);
/* The only process of the job, which is not copied: to those that the user has named. */
void bspj_binding_alone(void);

/* supervise.c */
struct bspj_child {
	int pid;		/* 0: has ended */
	int status;		/* of a process that has ended */
	int out, err;		/* its output, if tagged; else -1 */
	int held;		/* open until it is gone: bspj_follow_open(); -1: none */
};

struct bspj_children {
	const struct bspj_start *how;
	struct bspj_status_table *table;
	int first;		/* number of the first process, the others follow */
	int nprocs;
	struct bspj_child *child;
	/* by which process 0 says that there is another SPMD part; -1: it cannot */
	int control;
};

/*
 * The message about another SPMD part, with descriptors: first its table, @process being 0; then
 * for each other process that has some: the ends of its pipes if output is tagged, and what is to
 * be held, if there are one or three. The answer is 0 or a negative errno, an int.
 */
struct bspj_again {
	int nprocs;
	int process;
	int left;		/* messages that follow */
};

enum { BSPJ_AGAIN_FDS = 3 };

/* ---- output.c: what the children write, tagged. No call waits for a reader. ---- */

struct pollfd;
struct bspj_output;

/* NULL: no memory. */
struct bspj_output *bspj_output_open(const struct bspj_children *children);
/* Descriptors to wait for: at most 2 and two for each child. Returns how many. */
enum { BSPJ_OUTPUT_FDS = 2 };
int bspj_output_poll(const struct bspj_output *o, struct pollfd *fds);
/* One more process, @process; false: no memory. Then there is more to wait for. */
bool bspj_output_add(struct bspj_output *o, const struct bspj_child *child, int process);
int bspj_output_fds(const struct bspj_output *o);
/* Milliseconds until bspj_output_see_to() has a part of a line to show; -1: there is none. */
int bspj_output_timeout_ms(const struct bspj_output *o);
/* Hand on what there is; @fds as bspj_output_poll() has set them. */
void bspj_output_see_to(struct bspj_output *o, const struct pollfd *fds);
/*
 * Pass on bytes that ended processes left in their pipes: true if some wait for a reader. A child
 * of theirs may still hold them open: no waiting.
 */
bool bspj_output_finish(struct bspj_output *o);
/* Output was lost since a write failed, as on a full disk. A message has said so. */
bool bspj_output_failed(const struct bspj_output *o);
/*
 * A message of ours on standard error. A reader that does not read is waited for only once, for
 * a second.
 */
__attribute__((format(printf, 1, 2))) void bspj_say(const char *format, ...);

/* A number of seconds for a message, with a decimal point in every locale: 10, 0.5. */
struct bspj_seconds {
	char text[32];
};

struct bspj_seconds bspj_seconds(double seconds);

/* Milliseconds for poll() until @end, of bspt_now_ns(), which may be UINT64_MAX; 0: it is over. */
static inline int bspj_ms_until(uint64_t end)
{
	uint64_t now = bspt_now_ns();

	if (now >= end)
		return 0;
	return (end - now) / 1000000 >= INT_MAX ? INT_MAX : (int)((end - now) / 1000000) + 1;
}

/* Watch over the children until all have ended, then end as the job ended. */
_Noreturn void bspj_supervise(struct bspj_children *children);

#endif
