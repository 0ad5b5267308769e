/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.h - bulk-synchronous programs: the calls, and what each of them means. */

/*
 * A program is a sequence of supersteps. In a superstep every process computes
 * on its own data and asks for communication; bsp_sync() ends the superstep,
 * and its communication takes effect then.
 *
 *	#include <bsp.h>
 *	#include <stdio.h>
 *
 *	int main(void)
 *	{
 *		int left = -1;
 *
 *		bsp_begin(bsp_nprocs());
 *		bsp_push_reg(&left, sizeof left);
 *		bsp_sync();
 *		int me = bsp_pid();
 *		bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
 *		bsp_sync();
 *		printf("%d has %d on its left\n", me, left);
 *		bsp_end();
 *	}
 *
 * Order at the end of a superstep: the sources of all gets are read, then the
 * results of the gets are written, then the puts are written. A get of data
 * that a put of the same superstep overwrites returns the old data; where a put
 * and a get write the same bytes, those of the put remain.
 *
 * Errors. No call returns an error: an error ends all processes of the job with
 * one message on standard error,
 *	bsp_put: process 7 does not exist, there are 4 (process 1, superstep 3, ring.c:12)
 * and a non-zero exit status. Each call below lists its cases after "Aborts if";
 * every call but bsp_init(), bsp_begin(), bsp_nprocs(), bsp_abort() and bsp_cputime() also
 * aborts outside the part of the program between bsp_begin() and bsp_end(), and on a negative size.
 *
 * Cost is given for a machine with parameters g (time per byte or word in an
 * h-relation) and l (time of a synchronisation): a superstep costs
 * w + g h + l, where w is the longest computation and h the most that any
 * process sends or receives.
 *
 * Two interfaces share these names: that of 1998 has int for processes and sizes,
 * that of MulticoreBSP (bspcc --mcbsp, which defines BSP_MCBSP) has unsigned int
 * and size_t. Both are in the library, as bsp_* and
 * mcbsp_*, and one program may mix objects compiled either way.
 * The types below let a program be written for both.
 *
 * The names are macros with arguments in C and function objects in C++, so that messages have the
 * line of a call; BSP_NO_CALL_SITES, if defined, leaves plain functions. See bsp(7).
 *
 * Only one thread of each process may make the calls.
 *
 * Source: Hill et al., BSPlib: The BSP programming library, Parallel Computing
 * 24 (1998) 1947-1980; where it contradicts itself, see bsp(7).
 */
#ifndef BSP_H
#define BSP_H

#include <stdarg.h>
#include <stddef.h>
/* As the headers of this name in MulticoreBSP and in the Oxford toolset do. */
#ifdef BSP_MCBSP
#include <stdint.h>
#else
#include <stdio.h>
#endif

#define BSP_VERSION_MAJOR 0
#define BSP_VERSION_MINOR 1

#ifdef BSP_MCBSP
typedef unsigned int bsp_pid_t;
typedef unsigned int bsp_nprocs_t;
typedef size_t bsp_size_t;
#else
typedef int bsp_pid_t;		/* a process, or a number of messages */
typedef int bsp_nprocs_t;	/* a number of processes */
typedef int bsp_size_t;		/* bytes: sizes, offsets, lengths */
#endif

#define bsp_size_unavailable ((bsp_size_t)-1)

#include <bsp_site.h>

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- Starting and ending ------------------------------------------------ */

/**
 * bsp_init - announce the function that holds the SPMD part
 * @spmd: the function whose first statement is bsp_begin()
 * @argc, @argv: as given to main()
 *
 * Needed only if bsp_begin() is not the first statement of main(); then it is
 * the first statement of main() itself. main() continues on one process, and
 * calls @spmd when it is ready; after bsp_end() only process 0 returns from
 * @spmd, the others exit with status 0.
 *
 * Aborts if: called twice before bsp_begin(), or inside the SPMD part; @spmd is NULL.
 */
void bsp_init(void (*spmd)(void), int argc, char **argv);

/**
 * bsp_begin - start the SPMD part on up to @maxprocs processes
 * @maxprocs: upper bound on the number of processes, which bsp_nprocs() returns then
 *
 * Starts as many processes as there are processors, or as bsprun -n says, but
 * not more than @maxprocs. On one machine variables have on each process the
 * values of process 0; on a cluster they have not, so do not rely on it.
 * Standard input is that of process 0.
 *
 * On one machine process 0 may call it again after bsp_end(), for another SPMD part.
 *
 * Aborts if: @maxprocs <= 0; called inside the SPMD part, or after it where a launcher has started
 * the processes; processes cannot be started. Cost: about 0.3 ms for each process.
 */
void bsp_begin(bsp_nprocs_t maxprocs);

/**
 * bsp_end - end the SPMD part
 *
 * All processes call it. Communication requested since the last bsp_sync() is
 * dropped. Every process returns, and all return from main(); after bsp_init()
 * only process 0 returns.
 *
 * Aborts if: another process is in bsp_sync(). A program that ends without
 * bsp_end() is ended with a message and a non-zero status.
 * Cost: l.
 */
void bsp_end(void);

/**
 * bsp_abort - end all processes with a message
 * @format, ...: as for printf()
 *
 * Any process may call it at any time, also outside the SPMD part. The message
 * goes to standard error as "bsp_abort: text (process p, superstep s)"; when
 * several processes abort, that of one of them appears. Never returns.
 */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void bsp_abort(const char *format, ...);

/** bsp_abort_va - bsp_abort() for a list of arguments */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 0)))
#endif
void bsp_abort_va(const char *format, va_list args);

/** bsp_vabort - the same by its name in MulticoreBSP */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 0)))
#endif
void bsp_vabort(const char *format, va_list args);

/** bsp_nprocs - processes of the SPMD part; outside it, the largest possible number */
bsp_nprocs_t bsp_nprocs(void);

/** bsp_pid - number of this process, 0 <= bsp_pid() < bsp_nprocs() */
bsp_pid_t bsp_pid(void);

/**
 * bsp_time - seconds since bsp_begin() on this process
 *
 * Monotonic, resolution about 1 ns; clocks of different processes differ.
 */
double bsp_time(void);

/**
 * bsp_sync - end the superstep
 *
 * Returns when all communication of this superstep that concerns this process
 * has taken effect, in the order given at the top, and registrations and tag
 * sizes set in it are in effect. Messages of the previous superstep that were
 * not moved are gone.
 *
 * Aborts if: another process is in bsp_end(); the processes did not push, pop
 * and set tag sizes alike; a put or get exceeds its target.
 * Cost: l, and g h for what the superstep communicates.
 */
void bsp_sync(void);

/* ---- Registration of memory ---------------------------------------------- */

/**
 * bsp_push_reg - let other processes put to and get from an area
 * @area: start of the area on this process; NULL where there is none
 * @nbytes: its size here, may differ between processes; 0 on a process that
 *	only names the areas of the others by it
 *
 * Takes effect at the next bsp_sync(). All processes push, in the same order;
 * the i-th pushes belong together. The same address may be pushed again: the
 * newest registration counts until it is popped.
 *
 * Aborts if: @area is NULL and @nbytes > 0.
 * Cost: 32 bytes to every process with the next bsp_sync(), 4 for each further
 * push. With more than 64 processes instead 2 log8(nprocs) latencies there, and
 * as many bytes to at most 9 processes.
 */
BSP_NAMED(1) void bsp_push_reg(const void *area, bsp_size_t nbytes);

/**
 * bsp_pop_reg - withdraw the newest registration of an area
 * @area: its address here; NULL where NULL was pushed
 *
 * Takes effect at the next bsp_sync(): in this superstep the area may still be
 * used. All processes pop the same registrations in the same order, not
 * necessarily the reverse of the pushes. A registration
 * of the same superstep may be popped. If all pop NULL, it is the oldest
 * registration that is NULL everywhere.
 *
 * Aborts if: @area is not registered; in bsp_sync(), if the processes popped
 * different registrations.
 */
BSP_NAMED(1) void bsp_pop_reg(const void *area);

/* ---- Direct remote memory access ----------------------------------------- */

/**
 * bsp_put - copy local data into another process's registered memory
 * @pid: destination process, may be this one
 * @src: local data; free to change as soon as the call returns
 * @dst: address that this process registered
 * @offset: bytes from the start of the area on @pid
 * @nbytes: bytes to copy; 0 does nothing, and then nothing is checked
 *
 * Takes effect at the end of the superstep, after all gets. Puts that overlap land
 * in the order of the processes that make them, those of one process in the order of
 * its calls. (In relaxed supersteps, and that in which bsp_set_sync() ends them, they
 * must not overlap: bsp_read().)
 *
 * Aborts if: @pid does not exist; @src or @dst is NULL; @dst is not registered,
 * or only since the last bsp_sync(); @offset + @nbytes exceeds the size
 * registered on @pid.
 * Cost: @nbytes to the h of this process and of @pid. Waits only when memory for
 * communication has run out and a slower process may still give some back.
 */
void bsp_put(bsp_pid_t pid, const void *src, void *dst, bsp_size_t offset,
	     bsp_size_t nbytes);

/**
 * bsp_hpput - bsp_put() without buffers
 *
 * The bytes may be copied at any time between the call and the return from the
 * next bsp_sync(); until then no other access to source or destination is
 * allowed, on either process: an area that @pid reads in a superstep is not put to
 * in that one, but another in turn, or after one more bsp_sync(). Large transfers to
 * an area that is used this way are copied once instead of twice, in memory that
 * processes share (BSP_SHARE in bsp(7)), but for those of relaxed supersteps.
 *
 * Aborts if: as bsp_put().
 */
void bsp_hpput(bsp_pid_t pid, const void *src, void *dst, bsp_size_t offset,
	       bsp_size_t nbytes);

/**
 * bsp_get - copy another process's registered memory to local memory
 * @pid: the process that has the data, may be this one
 * @src: address that this process registered
 * @offset: bytes from the start of the area on @pid
 * @dst: local destination, need not be registered
 * @nbytes: bytes to copy; 0 does nothing, and then nothing is checked
 *
 * Takes effect at the end of the superstep: reads what the area holds when
 * @pid has finished computing, before anything is written. Results that overlap
 * land in the order of @pid, those of one @pid in the order of the calls.
 *
 * Aborts if: as bsp_put(), with @src registered.
 * Cost: @nbytes to the h of both; bsp_sync() waits for the data.
 */
BSP_NAMED(2) void bsp_get(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst,
	     bsp_size_t nbytes);

/**
 * bsp_hpget - bsp_get() without buffers
 *
 * As bsp_hpput() is to bsp_put().
 */
BSP_NAMED(2) void bsp_hpget(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst,
	       bsp_size_t nbytes);

/**
 * bsp_direct_get - read another process's registered memory at once
 * @pid, @src, @offset, @dst, @nbytes: as of bsp_get()
 *
 * A call of MulticoreBSP. Returns when the bytes are in @dst: those that the area has at some time
 * of the current superstep of this process (relaxed: or of a later one). It is not ordered with
 * writes of the owner and of other calls.
 *
 * On the same node the memory is read directly. Over a network the owner answers in its next
 * call that waits, such as bsp_sync() or bsp_end(), or by the thread of BSP_PROGRESS.
 *
 * Aborts if: as bsp_get(); called by an operator of bsp_fold() or bsp_scan().
 * Cost: a round trip, or a copy, and the time until the owner answers.
 */
BSP_NAMED(2) void bsp_direct_get(bsp_pid_t pid, const void *src, bsp_size_t offset, void *dst,
	     bsp_size_t nbytes);

/* ---- Messages ------------------------------------------------------------ */

/**
 * bsp_set_tagsize - set the size of the tags of messages
 * @nbytes: in: size from the next superstep on; out: size last set before
 *
 * All processes call it and set the same; the last call of a superstep counts; 0 at first.
 * Messages sent in a superstep have the tag size in effect when it began, and
 * keep it in the superstep in which they are read.
 *
 * Aborts if: @nbytes is NULL; in bsp_sync(), if the processes set different sizes, or only
 * some of them called it.
 */
void bsp_set_tagsize(bsp_size_t *nbytes);

/**
 * bsp_send - send a message
 * @pid: destination process, may be this one
 * @tag: tag of the size in effect; NULL allowed if that is 0
 * @payload: the data; NULL allowed if @nbytes is 0
 * @nbytes: length of the data; an empty message is a message
 *
 * Tag and data are copied at the call. The message is in the queue of @pid
 * throughout the next superstep, then gone. The order of messages is arbitrary.
 *
 * Aborts if: @pid does not exist; @tag or @payload is NULL with a length above 0.
 * Cost: tag and @nbytes to the h of this process and of @pid. Waits as bsp_put().
 */
void bsp_send(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes);

/** bsp_hpsend - bsp_send(), but tag and data must stay unchanged until bsp_sync() returns */
void bsp_hpsend(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes);

/**
 * bsp_qsize - messages and bytes in the queue
 * @nmessages: out: messages not yet moved
 * @nbytes: out: sum of their lengths without tags; may be NULL
 *
 * Aborts if: @nmessages is NULL; a number does not fit its type.
 */
void bsp_qsize(bsp_nprocs_t *nmessages, bsp_size_t *nbytes);

/**
 * bsp_get_tag - look at the first message
 * @status: out: its length, or -1 if the queue is empty
 * @tag: out: its tag; untouched if the queue is empty; NULL allowed for tags of size 0
 *
 * The message stays first in the queue.
 *
 * Aborts if: @status is NULL; @tag is NULL and tags have a size above 0.
 */
void bsp_get_tag(bsp_size_t *status, void *tag);

/**
 * bsp_move - copy the data of the first message and remove it
 * @payload: destination
 * @nbytes: its size; the rest of a longer message is lost; 0 only removes it
 *
 * Aborts if: the queue is empty; @payload is NULL and @nbytes > 0.
 */
void bsp_move(void *payload, bsp_size_t nbytes);

/**
 * bsp_hpmove - remove the first message without copying it
 * @tag: out: address of its tag
 * @payload: out: address of its data
 *
 * Returns its length, or -1 if the queue is empty. The addresses are aligned for
 * each type and valid until the next bsp_sync() or bsp_end(); the memory is the library's.
 *
 * Aborts if: @tag or @payload is NULL.
 */
bsp_size_t bsp_hpmove(void **tag, void **payload);

/* ---- Relaxed barriers: an extension ---------------------------------------- */

/*
 * A relaxed superstep ends without a barrier: bsp_sync() sends the data and returns.
 * Instead, a process that reads a registered area states the number of puts that it
 * depends on, and waits for these alone:
 *
 *	bsp_set_sync(BSP_RELAXED);
 *	for (;;) {
 *		bsp_put(right, &edge, halo, 0, sizeof edge);
 *		bsp_sync();
 *		bsp_read(halo, 1);		(one put of the superstep before)
 *		... uses halo ...
 *	}
 *
 * Each transfer carries the number of its superstep, and takes effect at a
 * process only when that superstep is over there, however far ahead its sender
 * is. So a well-formed program computes the same as with barriers:
 * registered areas do not overlap, every put has a bsp_read() that depends on it, and
 * puts that one bsp_read() depends on do not overlap. bsprun --check verifies this
 * and every count; bsprun --sync classic runs the same program with barriers.
 *
 * A superstep with bsp_push_reg(), bsp_pop_reg(), bsp_set_tagsize() or a change of mode,
 * which are the same on all processes, ends with a barrier all the same.
 *
 * Source: Kim, Ha and Jhon, Relaxed barrier synchronization for the BSP model of
 * computation on message-passing architectures, Information Processing Letters 66
 * (1998) 247-253. See bsp_relaxed(7).
 */

#define BSP_CLASSIC 0
#define BSP_RELAXED 1
#define BSP_ANY (-1)		/* a count that bsprun --check --suggest is to find */

/**
 * bsp_set_sync - set how supersteps end from this one on
 * @mode: BSP_CLASSIC, as at first, or BSP_RELAXED
 *
 * All processes set the same. Takes effect with the next bsp_sync(): the mode set when
 * a superstep ends is the mode of that superstep. The first classic superstep after
 * relaxed ones is a full synchronisation: all data sent so far have arrived, all
 * counts are zero.
 *
 * Returns the previous mode. bsprun --sync classic overrides it.
 *
 * Aborts if: @mode is neither; in bsp_sync(), if the processes set different modes.
 */
int bsp_set_sync(int mode);

/**
 * bsp_read - wait until an area has been updated as often as this reader depends on
 * @area: address that this process registered
 * @n: puts to it, of supersteps before this one and since its last bsp_read(), from
 *	all processes with this one; a put counts once, whatever its size
 *
 * Call it before the first access to the area in a superstep. Returns when @n have been
 * written, and takes them off the count. Returns at once if the last superstep was classic.
 *
 * Aborts if: @area is not registered; @n is negative; more than @n puts have arrived,
 * here or, as soon as it arrives, for a put of a superstep before this one.
 * Cost: none if the puts have arrived; else the time until they have.
 */
BSP_NAMED(1) void bsp_read(const void *area, int n);

/**
 * bsp_read_test - would bsp_read() return at once?
 *
 * Receives chunks that have arrived, and leaves the count as it is. 1 or 0; 1 if the last
 * superstep was classic.
 *
 * Aborts if: @area is not registered; @n is negative.
 */
BSP_NAMED(1) int bsp_read_test(const void *area, int n);

/**
 * bsp_serve - announce gets from an area of this process in this superstep
 * @area: address that this process registered
 * @n: bsp_get() and bsp_hpget() of this superstep that ask for data of the area here,
 *	from all processes with this one
 *
 * The bsp_sync() that ends the superstep waits for them and answers; they read the area
 * before the puts of this superstep are written. Several calls add up. Has no effect in
 * a superstep that ends with a barrier, where it is not needed.
 *
 * Aborts if: @area is not registered; @n is negative; in bsp_sync(), if more than @n
 * gets come; later, if one comes too late.
 */
BSP_NAMED(1) void bsp_serve(const void *area, int n);

/**
 * bsp_expect - wait for messages of relaxed supersteps
 * @n: messages that are to be in the queue
 *
 * Messages sent in relaxed supersteps stay outside the queue until this call, which waits
 * until @n of earlier supersteps have arrived and moves @n of them to the queue, the oldest
 * first. They are in the queue until the next bsp_sync(). Messages that are never expected
 * are dropped, with a warning, when a classic superstep ends.
 *
 * Aborts if: @n is negative; if the program runs with barriers, less than @n were sent.
 */
void bsp_expect(int n);

/* ---- Only with neighbours: an extension ------------------------------------ */

#define BSP_ALL (-1)

/**
 * bsp_set_neighbors - say which processes this one communicates with from the next superstep on
 * @n: how many names are in @pids; 0: this process communicates only with itself; BSP_ALL: with
 *	all again, as at first
 * @pids: the others, in any order; it may name a process twice, or this one; copied in the call;
 *	not read if @n is 0 or BSP_ALL
 *
 * All processes call it in the same superstep, and name each other: if p names q, q names p. If
 * one says BSP_ALL, all do. The last call of a superstep counts.
 *
 * From the next superstep on a classic bsp_sync() sends one word to each neighbour, waits for
 * theirs alone, and means what it always means: all that was sent to this process in the
 * superstep is there, nothing of a later one is. So neighbours are one superstep apart at most,
 * and other processes as many as there are steps between them on the graph of neighbours.
 *
 * A superstep with bsp_push_reg(), bsp_pop_reg(), bsp_set_tagsize(), bsp_set_neighbors() or a
 * change of mode, and bsp_end(), make all processes wait for each other. Relaxed supersteps end
 * as always, and collective operations are with all processes. bsp_begin() begins with all.
 *
 * Aborts if: @n is negative and not BSP_ALL; @pids is NULL and @n > 0; a process does not exist;
 * in bsp_sync(), if not all have called it, or a process is named that does not name this one
 * in turn; later, if a process is put to, read or sent to that is no neighbour.
 * Cost: the superstep of the call one barrier more than without; afterwards l is that of n
 * messages, whatever the number of processes.
 */
void bsp_set_neighbors(int n, const int *pids);

/* ---- Sections: an extension -------------------------------------------------- */

/**
 * bsp_section - from here on the program is in a section of this name
 * @name: 1 to 100 bytes; copied in the call
 *
 * Local: no process waits for another, and processes need not make the same calls. Sections may
 * hold others, also of the same name, and last for any number of supersteps. Profiles, timelines
 * and comparisons show and select them: bsprun --only, --without. A section that is open at
 * bsp_end() ends there. Outside the SPMD part the call does nothing.
 *
 * Aborts if: @name is NULL, empty or longer.
 * Cost: none in the model; without a recording about 50 ns.
 */
void bsp_section(const char *name);

/**
 * bsp_section_end - the section that began last ends
 * @name: its name
 *
 * Outside the SPMD part the call does nothing.
 *
 * Aborts if: @name is not the name of the section that began last and is open; as bsp_section().
 */
void bsp_section_end(const char *name);

/* ---- BSP parameters of this machine and number of processes: bsp_s(3) -------- */

/*
 * As bspprobe --save has measured them, else estimates. A superstep of w flops in which a process
 * sends or receives at most h words of 4 bytes takes w + h g + l flops. Between bsp_begin and
 * bsp_end; no communication.
 */
double bsp_s(void);	/* speed of a process, Mflop/s */
double bsp_l(void);	/* a bsp_sync(), flops */
double bsp_g(void);	/* a word, in large messages, flops */
int bsp_nhalf(void);	/* words of a message in which a word costs twice that */

/* ---- Names of the Oxford toolset, for old programs: bsp_legacy(3) --------- */

void bsp_pushregister(const void *area, bsp_size_t nbytes);	/* bsp_push_reg */
void bsp_popregister(const void *area);				/* bsp_pop_reg */
void bsp_set_tag_size(bsp_size_t *nbytes);			/* bsp_set_tagsize */
void bsp_bsmp_info(bsp_nprocs_t *nmessages, bsp_size_t *nbytes);/* bsp_qsize */
void bsp_sync_end(void);					/* bsp_sync */
void bsp_fix_argv(int *argc, char ***argv);	/* does nothing */
double bsp_dtime(void);		/* seconds since the last call, at first since bsp_begin() */
double bsp_cputime(void);	/* seconds of processor time of this process */

/*
 * The interface before BSPlib (Miller and Reed, The Oxford BSP Library: Users'
 * Guide, 1993). Addresses of static data stand for themselves on every process
 * and need no registration; a transfer outside the program's static data aborts.
 */
/* @maxprocs: 0: as many as there can be */
void bspstart(int argc, char **argv, int maxprocs, int *nprocs, int *pid);
void bspfinish(void);
void bspsstep(int label);	/* does nothing */
void bspsstep_end(int label);	/* bsp_sync */
void bspstore(int pid, const void *src, void *dst, int nbytes);
void bspfetch(int pid, const void *src, void *dst, int nbytes);
double bsptime(void);
double bspdtime(void);
/* @op(result, left, right, nbytes): not the type of bsp_fold(); the result is on all processes */
void bspreduce(void (*op)(void *, void *, void *, int), const void *src, void *dst, int nbytes);
void bspbroadcast(int pid, const void *src, void *dst, int nbytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

#include <bsp_names.h>

#endif
