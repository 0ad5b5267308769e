/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - schedules run over the transports of a job: the base of barriers and collectives. */

/*
 * Terms
 *	schedule	a block that goal_check() has found good, loaded: the same number on all
 *			processes, because all load in the same order.
 *	run		one start of it (struct goal_request). Runs of a schedule are numbered from
 *			0 in the order of
 *			their starts, which is the same on all processes. A message belongs to
 *			(schedule, run, tag, sender).
 *
 * Messages. A small one travels eagerly, as a record of BSPI_GOAL behind what is in the open
 * chunk to that process, and the chunk leaves. If its receive is posted the bytes go there, else
 * into a copy that waits for it. The bytes that a process has sent eagerly and the other has not
 * taken are bounded (EAGER_ALL for each pair); beyond that, and for large ones, the sender asks
 * first and the receiver grants when its receive is posted: then the bytes go in bulk where the
 * transport can, else as records, straight into place. So memory is bounded however far ahead one
 * is.
 *
 * Such chunks are urgent: handled when they arrive, whatever the superstep, and not counted,
 * unless they carry other records of this superstep as well.
 *
 * A message of another length than its receive, which has a place for it, ends the job. One that
 * no receive of a run has taken is dropped when the run is over.
 *
 * Progress. bspi_schedules_progress() moves all runs on; bspi_take_in(), bspi_pump() and
 * bspi_drain() call it when something has come for one, and every BSP call looks for chunks while
 * runs of the program are under way (bspi.flying, which also keeps transfers off the short
 * way). With BSP_PROGRESS=thread a thread does it between calls.
 *
 * A schedule may be offloaded to the transport (offload.c), which then does all that: its
 * messages are not seen here, and it progresses without calls. Runs of the program's schedules that
 * are started before all processes have agreed to that (offload_agree.c) begin when they have.
 *
 * Virtual time. If the transport has a clock a run is timed (goal_run.h): its messages leave
 * and are received at the times that the graph gives, as though the schedule had a processor to
 * itself; the process that waits for it moves on to its end. All of its messages are then eager,
 * each in a chunk of its own.
 */
#ifndef BSPI_SCHEDULE_H
#define BSPI_SCHEDULE_H

#include "goal/goal.h"

struct bspi_arrival;
struct goal_schedule;
struct goal_request;

void bspi_schedules_open(void);
/* Ends all runs without waiting; frees all schedules. */
void bspi_schedules_close(void);

/* A function for GOAL_CALL: pieces as the operation has them. */
typedef void bspi_goal_call(void *owner, const struct goal_op *op, void *const *at);

/*
 * A part of the runtime that runs schedules of its own; the functions get the owner of the
 * run.
 */
struct bspi_schedule_user {
	bspi_goal_call *const *calls;	/* of GOAL_CALL, by number */
	uint32_t ncalls;
	/* Process @from has sent @sent bytes for a receive of @expected. Ends the job. */
	__attribute__((noreturn))
	void (*length_mismatch)(const void *owner, int from, uint64_t sent, uint64_t expected);
	/* The name of the program's call that has started it, for messages. */
	const char *(*call_name)(const void *owner);
};

/*
 * Load a block (copied), collectively. @user: NULL, or whose it is, which stays where it is. The
 * block may hold anything: 0 and *@s, or a negative enum goal_error and *@at; a block for another
 * number of processes or another process is GOAL_ERANK.
 */
int bspi_schedule_load(const void *block, size_t len, const struct bspi_schedule_user *user,
		       struct goal_schedule **s, size_t *at);
/*
 * Load a block of this process alone, when it likes: a member of @family, a schedule that all have
 * loaded. Runs of members are counted as those of the family, and the n-th of them on all processes
 * belong together. It is unloaded when its runs have been ended, and not offloaded.
 */
int bspi_schedule_load_member(const void *block, size_t len, const struct bspi_schedule_user *user,
			      struct goal_schedule *family, struct goal_schedule **s, size_t *at);
void bspi_schedule_unload_member(struct goal_schedule *s);
/* Schedules that may be offloaded, by BSP_OFFLOAD. */
enum bspi_offload { BSPI_OFFLOAD_BARRIER, BSPI_OFFLOAD_ALL };
/* Is it, here and on all processes? */
bool bspi_offload_is_on(enum bspi_offload what);
/*
 * Then, before its first run: the transport runs it, which has no calls. So many bytes of its
 * scratchpad go there with a run and come back; the rest, in which only the schedule itself looks,
 * does not.
 *
 * The first is for schedules that the transport has room for on all processes, by what is the same
 * on all: it ends the job if it is refused. The second lets the processes agree.
 */
void bspi_schedule_offload(struct goal_schedule *s, size_t scratch_bytes, const char *call,
			   const char *site);
void bspi_schedule_offer(struct goal_schedule *s, const char *call, const char *site);
/* As length_mismatch() of struct bspt_plan. */
void bspi_offload_length_mismatch(uint32_t run, uint32_t operation, int from, uint64_t bytes);
/* When all its runs have been ended. Collective, too. */
void bspi_schedule_unload(struct goal_schedule *s);
/* Its messages are the library's own: statistics do not count their bytes. */
void bspi_schedule_not_counted(struct goal_schedule *s);
/* NULL: it was unloaded, and nothing has been loaded in its place. */
const struct goal_header *bspi_schedule_header(const struct goal_schedule *s);

/*
 * Start. @buffers: as many addresses as the header says, copied; what they point to is the
 * schedule's until the run is over. @owner is handed to calls; @site is that of the program's
 * call, for messages, or NULL. Ends the job when memory has run out. Its scratchpad is that of a
 * run that has ended, or zeroed.
 */
struct goal_request *bspi_run_start(struct goal_schedule *s, void *const *buffers, void *owner,
				      const char *site);
/*
 * Lengths as arguments (goal_task.apart): before its first run, the blocks of the schedule, which
 * is not offloaded, have @unit bytes, and each run says how long they are, and where.
 */
struct bspi_blocks {
	const uint64_t *at, *bytes;	/* by number of a block: offset in the buffer, and length */
};

void bspi_schedule_takes_lengths(struct goal_schedule *s, uint32_t unit);
/*
 * Start it. @blocks: of each buffer, then of the scratchpad; not used when this has returned.
 * @buffers and @scratch are NULL where there are no bytes. @scratch stays the caller's, as the
 * buffers.
 */
struct goal_request *bspi_run_start_apart(struct goal_schedule *s, void *const *buffers,
					 const struct bspi_blocks *blocks, void *scratch,
					 void *owner, const char *site);
/* The scratchpad that the next run will have: a barrier puts its counts there. */
void *bspi_schedule_scratch(struct goal_schedule *s);
/* And that of a run that is over, until it is ended. */
void *bspi_run_scratch(struct goal_request *r);
/* Is it over? Makes progress, does not wait. Virtual time moves to its end. */
bool bspi_run_test(struct goal_request *r);
/* Wait until it is; virtual time moves to its end. */
void bspi_run_wait(struct goal_request *r);
/* Give it back; it is over. */
void bspi_run_end(struct goal_request *r);

/*
 * Does its first step send to @pid, from here? Then the records in the open chunk to it may leave
 * with that.
 */
bool bspi_schedule_begins_with(const struct goal_schedule *s, int pid);

/*
 * Move everything on that can; has anything moved? Only what has come already, see
 * bspi_schedules_poll().
 */
bool bspi_schedules_progress(void);
/* A superstep has begun, and reads wait that may be of it. */
void bspi_schedules_next_step(void);
/* Take in what has come, and move on: calls of the program do it while bspi.flying. */
void bspi_schedules_poll(void);
/* How many runs are not over. */
size_t bspi_runs_under_way(void);

/* ---- goal_api.c: the calls of bsp_goal.h --------------------------------------------------- */

/* In bsp_end: fails if a run of the program has not been waited for. */
void bspi_goal_end(const char *site);

#endif
