/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_run.h - a compiled schedule is checked once and run as often as one likes. */

/*
 * Freestanding: no allocation, no input or output, no recursion, and floating point only in
 * goal_float.c. The host is whoever runs schedules: it owns all memory, moves messages, and calls
 * from one thread at a time for each run.
 *
 *	goal_check()		a block of bytes from a stranger -> struct goal_prog, which says
 *				that it is good. In the kernel: a copy that the process can no
 *				longer change.
 *	goal_run_init()		a run of it, in memory that the host gives
 *	goal_run_start()	bind buffers; the independent operations are ready
 *	goal_run_step()		start what is ready: local operations are done, sends and receives
 *				are given to the host
 *	goal_run_done()		the host says that one of those has ended: others get ready
 *	goal_run_is_over()
 *
 * After that it can be started again. Cost: every operation is looked at once, every dependency
 * once, without any check: goal_check() has made them all.
 */
#ifndef GOAL_RUN_H
#define GOAL_RUN_H

#include "goal_format.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * What is wrong with a block. goal_check() returns it negative, and the offset at which it was
 * found. Every one has a file in t/goal/ that is refused for it.
 */
enum goal_error {
	GOAL_OK = 0,
	GOAL_ETRUNCATED = 1,	/* shorter than its header, or than the header says; or longer */
	GOAL_EMAGIC = 2,	/* no schedule */
	GOAL_EVERSION = 3,	/* of a version that is not understood */
	GOAL_EALIGN = 4,	/* memory or length not on a multiple of 8 */
	GOAL_EHEADER = 5,	/* numbers of the header do not fit each other or their bounds */
	GOAL_ERANK = 6,		/* rank or a peer is no process, or oneself; a send with GOAL_ANY */
	GOAL_EBUFFER = 7,	/* a buffer's entry is wrong, or not what operations do */
	GOAL_ETYPE = 8,		/* no such operation, function, datatype, flag; or not together */
	GOAL_ERANGE = 9,	/* a part lies outside its buffer or names one that is not there */
	GOAL_ELENGTH = 10,	/* lengths of parts do not add up, or are not of whole elements */
	GOAL_EORDER = 11,	/* independent operations not first, or an index out of turn */
	GOAL_EEDGE = 12,	/* an entry of a list is no later operation, or does not ascend */
	GOAL_ECOUNT = 13,	/* dependencies are not as many as there are entries */
	GOAL_EPADDING = 14,	/* what must be 0 is not */
	GOAL_EMEMORY = 15,	/* the work space is too small */
	GOAL_ECALL = 16,	/* a call that the header, or this host, does not have */
	GOAL_ERRORS,
};

/* In words, for messages: "a part lies outside its buffer". */
const char *goal_strerror(int error);

/* A block that goal_check() has found good; made by nothing else. */
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

/* Where those begin, if there are any. */
static inline const struct goal_op *goal_first_op(const struct goal_prog *prog)
{
	return goal_op_at(prog, prog->header->ops_at);
}

/*
 * How much work space goal_check() needs for a block of @len bytes, whatever is in it, and how much
 * memory a run of a good one (counters, queue, not the scratchpad).
 */
size_t goal_check_bytes(size_t len);
size_t goal_run_bytes(const struct goal_prog *prog, bool timed);

/*
 * Is it good? @block on a multiple of 8; @work of goal_check_bytes(@len), likewise. A host that has
 * no functions gives @ncalls as 0. 0 and *@prog, or a negative enum goal_error and in *@at the
 * offset (@prog is then untouched). Time: linear in @len.
 */
int goal_check(const void *block, size_t len, uint32_t ncalls, void *work, size_t work_bytes,
	       struct goal_prog *prog, size_t *at);

struct goal_run;

/* What the host does. */
struct goal_host {
	/*
	 * Begin a send, multicast or receive. True: it has ended already, i.e. all bytes may be
	 * read and changed. False: the host will call goal_run_done(). Never fails; a host that
	 * loses a peer ends the job. Must not call back into the run.
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
	uint32_t *left;			/* by index: what it still waits for */
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

/* Start at most @most of those that are ready; returns how many there were. */
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

/* Where a part lies. */
static inline unsigned char *goal_run_at(const struct goal_run *run, const struct goal_part *part)
{
	unsigned char *base = part->buffer == GOAL_SCRATCHPAD ? run->scratch :
							       run->buffers[part->buffer];

	return base + part->offset;
}

/* The flags that a local function may have: enum goal_flag. */
static inline uint32_t goal_function_flags(uint32_t function)
{
	bool turns = function == GOAL_SUB || function == GOAL_DIV;

	return turns ? (uint32_t)GOAL_REVERSED : 0;
}

/* What it does with the parts that it writes: enum goal_access. */
static inline uint32_t goal_function_access(uint32_t function)
{
	bool folds = function != GOAL_COPY && function != GOAL_TIMESTAMP;

	return (uint32_t)GOAL_WRITE | (folds ? (uint32_t)GOAL_READ : 0);
}

/* Bytes of an element, 1 of GOAL_NONE; 0: no such type. goal_arith.c, as the next two */
size_t goal_datatype_bytes(uint32_t datatype);
/* Is there such a function, and does it work on such elements? */
bool goal_function_takes(uint32_t function, uint32_t datatype);

/*
 * @n elements: dst[i] = dst[i] function src[i], one after the other. Both aligned to the element.
 * Does integers itself, and goal_float() the others, around which a kernel saves its registers.
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
