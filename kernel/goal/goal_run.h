/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_run.h - verify a compiled schedule once, and run it any number of times. */

/*
 * Freestanding: no allocation, no input or output, no recursion, and floating point only in
 * goal_float.c. The host is the code that runs schedules: it owns all memory, moves messages, and
 * calls these functions from one thread at a time for each run.
 *
 *	goal_check()		an untrusted block of bytes -> struct goal_prog, which proves that
 *				it is valid. In the kernel: a copy that the process cannot change.
 *	goal_run_init()		a run of it, in memory that the host gives
 *	goal_run_start()	bind buffers; the independent operations are ready
 *	goal_run_step()		start what is ready: local operations are done, sends and receives
 *				are given to the host
 *	goal_run_done()		the host reports that one of those has ended: others become ready
 *	goal_run_is_over()
 *
 * After that it can be started again. Cost: each operation and each dependency is visited once,
 * without any check: goal_check() has made them all.
 */
#ifndef GOAL_RUN_H
#define GOAL_RUN_H

#include "goal_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Why a block is refused: goal_check() returns one, negative, and the offset at which it was found.
 */
enum goal_error {
	GOAL_OK = 0,
	GOAL_ETRUNCATED = 1,	/* shorter than its header, or than the header says; or longer */
	GOAL_EMAGIC = 2,	/* not a schedule */
	GOAL_EVERSION = 3,	/* of an unknown version */
	GOAL_EALIGN = 4,	/* memory or length not on a multiple of 8 */
	GOAL_EHEADER = 5, /* numbers of the header contradict each other or exceed their bounds */
	GOAL_ERANK = 6, /* rank or peer out of range, or both the same; a send with GOAL_ANY */
	GOAL_EBUFFER = 7,	/* the entry of a buffer is not what the operations need */
	GOAL_ETYPE = 8,		/* no such operation, function, datatype, flag or combination */
	GOAL_ERANGE = 9,	/* a part is outside its buffer, or the buffer does not exist */
	GOAL_ELENGTH = 10,	/* lengths of parts do not add up, or are not whole elements */
	GOAL_EORDER = 11,	/* independent operations are not first, or an index is wrong */
	GOAL_EEDGE = 12, /* an entry of a list is not a later operation, or does not ascend */
	GOAL_ECOUNT = 13,	/* dependencies are not as many as there are entries */
	GOAL_EPADDING = 14,	/* an unused field is not 0 */
	GOAL_EMEMORY = 15,	/* the work space is too small */
	GOAL_ECALL = 16,	/* no such function of the header, or of this host */
	GOAL_ERRORS,
};

/* A description for messages: "a part is outside its buffer". */
const char *goal_strerror(int error);

/* A block that goal_check() has accepted; made by it alone. */
struct goal_prog {
	const struct goal_header *header;
};

static inline const struct goal_buffer *goal_buffers(const struct goal_prog *prog)
{
	return (const struct goal_buffer *)(prog->header + 1);
}

/* The operation at an offset, as lists have it. */
static inline const struct goal_op *goal_op_at(const struct goal_prog *prog, uint32_t offset)
{
	return (const struct goal_op *)((const unsigned char *)prog->header + offset);
}

/* The first operation, if there is one. */
static inline const struct goal_op *goal_first_op(const struct goal_prog *prog)
{
	return goal_op_at(prog, prog->header->ops_at);
}

/*
 * Work space that goal_check() needs for any block of @len bytes; memory of a run of a valid one
 * (counters, queue, not the scratchpad).
 */
size_t goal_check_bytes(size_t len);
size_t goal_run_bytes(const struct goal_prog *prog, bool timed);

/*
 * Verify a block. @block on a multiple of 8; @work of goal_check_bytes(@len), likewise. @ncalls:
 * functions that the host has for GOAL_CALL. Returns 0 and *@prog; or a negative enum goal_error,
 * and the offset in *@at, and leaves @prog as it is. Time: linear in @len.
 */
int goal_check(const void *block, size_t len, uint32_t ncalls, void *work, size_t work_bytes,
	       struct goal_prog *prog, size_t *at);

struct goal_run;

/* Functions of the host. */
struct goal_host {
	/*
	 * Begin a send, multicast or receive. True: it has ended already, so all bytes may be
	 * read and changed. False: the host will call goal_run_done(). Cannot fail: if a peer
	 * fails, the host ends the job. Must not call functions of the run.
	 */
	bool (*move)(struct goal_run *run, const struct goal_op *op);
	/* Function @op->tag, on memory found by goal_run_at(). NULL if there are none. */
	void (*call)(struct goal_run *run, const struct goal_op *op);
	/* Nanoseconds, for GOAL_TIMESTAMP. */
	uint64_t (*now)(struct goal_run *run);
};

/*
 * One run. In memory of the host, which may keep it in a struct of its own.
 *
 * A timed run has a time for each operation: it is ready at the latest end of those it waits for.
 * Local ones take none; goal_run_time() tells the host when a send or receive was ready, and by
 * goal_run_end_at() it tells when that ended.
 */
struct goal_run {
	struct goal_prog prog;
	const struct goal_host *host;
	void *owner;			/* the host's */
	unsigned char *scratch;
	unsigned char *const *buffers;	/* nbuffers; the host's, bound by goal_run_start() */
	/* private: */
	uint32_t *left;			/* by index: operations that it still waits for */
	uint32_t *ready;		/* offsets of operations that can start: a ring of nops */
	uint64_t *times;		/* by index, or NULL */
	uint32_t first_ready, nready;
	uint32_t unfinished;		/* operations that have not ended */
	uint64_t last;			/* the latest end until now */
};

/*
 * @memory: goal_run_bytes(), on a multiple of 8; @scratch: header->scratch_bytes, zeroed, on a
 * multiple of 16, may be NULL if there are none. Both stay the host's, until the run is no longer
 * used.
 */
void goal_run_init(struct goal_run *run, const struct goal_prog *prog, const struct goal_host *host,
		   void *owner, bool timed, void *memory, void *scratch);

/*
 * Start it. @buffers: nbuffers addresses, of at least the bytes and the access that the block says,
 * aligned for the datatypes that are computed with; stay as they are until it is over. @now: of a
 * timed run, when.
 */
void goal_run_start(struct goal_run *run, unsigned char *const *buffers, uint64_t now);

/* Start at most @most ready operations; returns their number. */
uint32_t goal_run_step(struct goal_run *run, uint32_t most);

/* A send or receive has ended. Starts nothing: goal_run_step() does. */
void goal_run_done(struct goal_run *run, const struct goal_op *op);

/*
 * In a timed run, before that, or before move() returns true: when it has ended; else when it was
 * ready.
 */
void goal_run_end_at(struct goal_run *run, const struct goal_op *op, uint64_t end);
/* When what it waited for had ended; after its end, when that was. */
uint64_t goal_run_time(const struct goal_run *run, const struct goal_op *op);
/* The latest end of all, of a timed run that is over. */
uint64_t goal_run_last(const struct goal_run *run);

static inline bool goal_run_is_over(const struct goal_run *run)
{
	return run->unfinished == 0;
}

/* The address of a part. */
static inline unsigned char *goal_run_at(const struct goal_run *run, const struct goal_part *part)
{
	unsigned char *base = part->buffer == GOAL_SCRATCHPAD ? run->scratch :
							       run->buffers[part->buffer];

	return base + part->offset;
}

/* The flags that a local function may have: enum goal_flag. */
static inline uint32_t goal_function_flags(uint32_t function)
{
	bool reversible = function == GOAL_SUB || function == GOAL_DIV;

	return reversible ? (uint32_t)GOAL_REVERSED : 0;
}

/* The access to the parts that it writes: enum goal_access. */
static inline uint32_t goal_function_access(uint32_t function)
{
	bool reads_dst = function != GOAL_COPY && function != GOAL_TIMESTAMP;

	return (uint32_t)GOAL_WRITE | (reads_dst ? (uint32_t)GOAL_READ : 0);
}

/* Bytes of an element, 1 of GOAL_NONE; 0: no such type. goal_arith.c, as the next two */
size_t goal_datatype_bytes(uint32_t datatype);
/* Is there such a function of such elements? */
bool goal_function_takes(uint32_t function, uint32_t datatype);

/*
 * @n elements: dst[i] = dst[i] function src[i], one after the other. Both aligned to the element.
 * goal_float() computes floating point; a kernel saves its registers around it.
 */
void goal_compute(enum goal_function function, enum goal_datatype datatype, bool reversed,
		  void *dst, const void *src, size_t n);
/* goal_float.c */
void goal_float(enum goal_function function, enum goal_datatype datatype, bool reversed, void *dst,
		const void *src, size_t n);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
