/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_format.h - a compiled schedule: one block of bytes, the same for user space and kernel. */

/*
 * A block is the part of one process. It can be copied anywhere (on a multiple of 8): there are
 * offsets in it and no pointers. All numbers are little-endian. It follows Schneider, Eckelmann,
 * Hoefler and Rehm, "Kernel-Based Offload of Collective Operations", Fig. 1:
 *
 *	struct goal_header
 *	struct goal_buffer [nbuffers]
 *	operation [nops], each on a multiple of 8:
 *		struct goal_op
 *		struct goal_part [nparts]	destinations first, see struct goal_op
 *		u32 [nfollowers + ndependents]	offsets of operations, padded with 0
 *
 * Operations are in traversal order: first the nindep that wait for none, then each behind all that
 * it waits for. So every offset in a list is larger than that of the operation whose list it is,
 * and a schedule without a cycle is one whose offsets all point forward. The offsets of the
 * followers ascend, and so do those of the dependents: nothing is named twice in either.
 *
 * Memory. An operation names bytes as parts: so many at an offset of one of the buffers that are
 * bound when the schedule starts, or of the scratchpad, which is the interpreter's and zero when a
 * schedule is loaded (not when it is started again).
 */
#ifndef GOAL_FORMAT_H
#define GOAL_FORMAT_H

#include "goal_env.h"

#define GOAL_MAGIC 0x4c414f47u		/* "GOAL" */

enum {
	GOAL_VERSION = 1,
	GOAL_LAST_COMPATIBLE = 1,	/* oldest reader that understands this version */
	GOAL_SCRATCHPAD = 0xffff,	/* buffer number of the scratchpad */
	GOAL_BUFFERS_MOST = 1024,
	GOAL_OPS_MOST = 1 << 24,
	GOAL_PROCESSES_MOST = 1 << 24,
	GOAL_ALIGN = 8,
};

#define GOAL_BLOCK_MOST 0x40000000u	/* bytes of a block */
#define GOAL_SCRATCH_MOST (1ull << 40)	/* bytes of a scratchpad */
#define GOAL_BYTES_MOST (1ull << 40)	/* bytes of a buffer, a part, a message */
#define GOAL_ANY 0xffffffffu		/* of a receive: any process; any tag. No send's tag. */

/* The first byte of an operation. */
enum goal_type {
	GOAL_SEND = 1,		/* the bytes of its parts to @peer */
	GOAL_RECV = 2,		/* a message of @peer with @tag to its parts */
	GOAL_LOCAL = 3,		/* see enum goal_function */
	GOAL_CALC = 4,		/* takes time only: @bytes, in the unit of the simulator */
	GOAL_MULTICAST = 5,	/* as a send to every other process; @peer is GOAL_ANY */
	GOAL_CALL = 6,		/* the host's function number @tag; not in the kernel */
};

/* A GOAL_LOCAL does this for each element; dst has first been given, then src. */
enum goal_function {
	GOAL_COPY = 1,		/* dst = src; bytes, the type is GOAL_NONE */
	GOAL_TIMESTAMP = 2,	/* dst = nanoseconds, 8 bytes; no src; the type is GOAL_U64 */
	GOAL_ADD = 3,		/* dst = dst + src, modulo 2^n for integers */
	GOAL_SUB = 4,		/* dst = dst - src */
	GOAL_MUL = 5,
	GOAL_DIV = 6,		/* integers: x / 0 is 0, and the least number / -1 is itself */
	GOAL_MAX = 7,		/* floating point: the other one if one is NaN; dst if equal */
	GOAL_MIN = 8,
	GOAL_AND = 9,		/* bit by bit; integers only, as the next two */
	GOAL_OR = 10,
	GOAL_XOR = 11,
	GOAL_FUNCTIONS,
};

enum goal_datatype {
	GOAL_NONE = 0,
	GOAL_I8 = 1, GOAL_I16 = 2, GOAL_I32 = 3, GOAL_I64 = 4,
	GOAL_U8 = 5, GOAL_U16 = 6, GOAL_U32 = 7, GOAL_U64 = 8,
	GOAL_F32 = 9, GOAL_F64 = 10,
	GOAL_DATATYPES,
};

enum goal_flag {
	GOAL_REVERSED = 1 << 0,	/* of sub and div: dst = src - dst, src / dst */
};

enum goal_access {
	GOAL_READ = 1 << 0,	/* an operation reads from the buffer */
	GOAL_WRITE = 1 << 1,	/* or writes to it */
};

struct goal_header {
	uint32_t magic;			/*  0 */
	uint16_t version;		/*  4 */
	uint16_t last_compatible;	/*  6 */
	uint32_t bytes;			/*  8: of the block */
	uint32_t nprocs;		/* 12 */
	uint32_t rank;			/* 16: of the process whose part it is */
	uint32_t nops;			/* 20 */
	uint32_t nindep;		/* 24: operations at the beginning that wait for none */
	uint32_t nbuffers;		/* 28 */
	uint64_t scratch_bytes;		/* 32 */
	uint32_t ops_at;		/* 40: offset of the first operation: behind the buffers */
	uint32_t ncalls;		/* 44: the largest number of a GOAL_CALL and one, or 0 */
	uint64_t zero[2];		/* 48 */
};					/* 64 */

/* A buffer that is bound to a schedule when it starts. */
struct goal_buffer {
	uint64_t bytes;			/*  0: no part goes beyond; may be 0 */
	uint32_t access;		/*  8: enum goal_access, exactly what the operations do */
	uint32_t align;			/* 12: the largest element computed with, or 1 */
};					/* 16 */

struct goal_part {
	uint64_t offset;		/*  0: a multiple of the datatype's size */
	uint64_t bytes;			/*  8: not 0; a multiple of the datatype's size */
	uint32_t buffer;		/* 16: number, or GOAL_SCRATCHPAD */
	uint32_t zero;			/* 20 */
};					/* 24 */

/*
 * Sends and receives have parts of @bytes in all, or none: then the @bytes mean nothing, those sent
 * are zeros and those received are dropped. A local function has ndst parts that are written, then
 * those that are read, of @bytes in all on each side. It is done piece by piece, and a piece ends
 * where a part of either side does; where both sides overlap, the elements of a piece are done in
 * order, and a copy of it is as by memmove(). With @bytes 0 there are no parts and nothing is done.
 * A call has any parts, the first ndst written; @bytes is the sum of all.
 */
struct goal_op {
	uint8_t type;			/*  0: enum goal_type */
	uint8_t function;		/*  1: enum goal_function of a local one, else 0 */
	uint8_t datatype;		/*  2: enum goal_datatype of a local one, else GOAL_NONE */
	uint8_t flags;			/*  3: enum goal_flag */
	uint8_t cpu;			/*  4: as the text has it; 0 of local ones and calls */
	uint8_t nic;			/*  5: the network it goes over; 0 likewise */
	uint16_t ndst;			/*  6: parts that are written; receives: nparts; sends: 0 */
	uint32_t index;			/*  8: operations before it */
	uint32_t dependencies;		/* 12: entries of all lists that name it */
	uint32_t nparts;		/* 16 */
	uint32_t nfollowers;		/* 20: operations that wait for its start ... */
	uint32_t ndependents;		/* 24: ... and for its end, listed in this order */
	uint32_t peer;			/* 28: of sends and receives, another process; else 0 */
	uint32_t tag;			/* 32: of sends and receives; number of a call; else 0 */
	uint32_t zero;			/* 36 */
	uint64_t bytes;			/* 40 */
};					/* 48 */

goal_static_assert(sizeof(struct goal_header) == 64, "as written above");
goal_static_assert(sizeof(struct goal_buffer) == 16, "as written above");
goal_static_assert(sizeof(struct goal_part) == 24, "as written above");
goal_static_assert(sizeof(struct goal_op) == 48, "as written above");

static inline const struct goal_part *goal_parts(const struct goal_op *op)
{
	return (const struct goal_part *)(op + 1);
}

/* Followers, then dependents. */
static inline const uint32_t *goal_list(const struct goal_op *op)
{
	return (const uint32_t *)(goal_parts(op) + op->nparts);
}

/* How many of both. */
static inline size_t goal_list_len(const struct goal_op *op)
{
	return (size_t)op->nfollowers + op->ndependents;
}

/* The operation behind it, if there is one. */
static inline const struct goal_op *goal_op_next(const struct goal_op *op)
{
	return (const struct goal_op *)(goal_list(op) + (goal_list_len(op) + 1) / 2 * 2);
}

#endif
