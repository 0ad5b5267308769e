/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal.h - schedules in user space: build a graph, compile it, read and write it as text. */

/*
 * A schedule is one process's part of a collective operation: sends, receives and local operations,
 * and what waits for what (Hoefler, Siebert and Lumsdaine, "Group Operation Assembly Language",
 * 2009; Schneider and others, "Kernel-Based Offload of Collective Operations", sections 2.1 and
 * 2.2).
 *
 *	struct goal_graph *g = goal_graph_create(nprocs, rank);
 *	int in = goal_buffer(g), got, sent;
 *	goal_scratch(g, 64);
 *	got = goal_recv(g, 64, GOAL_AT(GOAL_SCRATCHPAD, 0), left, 0);
 *	sent = goal_send(g, 64, GOAL_AT(in, 0), right, 0);
 *	goal_requires(g, sent, got);
 *	block = goal_compile(g, &len);
 *
 * Nothing here can fail halfway: a call that is wrong, or lacks memory, is remembered, the graph is
 * then broken, and goal_compile() returns the first error. Not for use by several threads on one
 * graph.
 */
#ifndef GOAL_H
#define GOAL_H

#include "goal_format.h"
#include "goal_run.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct goal_graph;

/* A place in a buffer or in the scratchpad. */
struct goal_place {
	int buffer;
	uint64_t offset;
};

/* A piece of a scatter/gather list. */
struct goal_piece {
	struct goal_place at;
	uint64_t bytes;
};

static inline struct goal_place GOAL_AT(int buffer, uint64_t offset)
{
	struct goal_place place = { buffer, offset };

	return place;
}

/* The place of bytes that mean nothing, in sends and receives. */
#define GOAL_NOWHERE GOAL_AT(-1, 0)

/**
 * goal_graph_create - begin the schedule of one process
 * @nprocs: processes that take part, 1 <= nprocs <= GOAL_PROCESSES_MOST
 * @rank:   whose part it is
 *
 * Returns NULL only if there is no memory.
 */
struct goal_graph *goal_graph_create(int nprocs, int rank);
void goal_graph_destroy(struct goal_graph *g);

/*
 * One more buffer, bound when the schedule starts; returns its number, from 0. Its size is what is
 * used of it.
 */
int goal_buffer(struct goal_graph *g);
/* The buffer must have at least so many bytes, even if fewer are used. */
void goal_buffer_at_least(struct goal_graph *g, int buffer, uint64_t bytes);
/* So many more bytes of scratchpad, on a multiple of 16; returns their offset. */
uint64_t goal_scratch(struct goal_graph *g, uint64_t bytes);

/*
 * Operations. Each returns its number, from 0. A message matches a receive of the same source and
 * tag; those of the same source and tag in the order in which they were sent. bytes may be 0.
 */
int goal_send(struct goal_graph *g, uint64_t bytes, struct goal_place from, int to, uint32_t tag);
int goal_recv(struct goal_graph *g, uint64_t bytes, struct goal_place to, int from, uint32_t tag);
/* The same with a list of @n pieces, copied. */
int goal_send_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n, int to,
		   uint32_t tag);
int goal_recv_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n, int from,
		   uint32_t tag);
/* To all other processes; they receive it as from any send. */
int goal_multicast(struct goal_graph *g, uint64_t bytes, struct goal_place from, uint32_t tag);
int goal_multicast_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n,
			uint32_t tag);
/* dst = dst function src, over @bytes. GOAL_TIMESTAMP: 8 bytes, @src is GOAL_NOWHERE. */
int goal_local(struct goal_graph *g, enum goal_function function, enum goal_datatype datatype,
	       uint64_t bytes, struct goal_place dst, struct goal_place src);
/* The same with lists, whose lengths add up alike; @flags: enum goal_flag. */
int goal_local_list(struct goal_graph *g, enum goal_function function, enum goal_datatype datatype,
		    unsigned int flags, const struct goal_piece *dst, size_t ndst,
		    const struct goal_piece *src, size_t nsrc);
/* @cost of time in the simulator; nothing else. */
int goal_calc(struct goal_graph *g, uint64_t cost);
/* The host's function number @number; the first @ndst of @n pieces are written. */
int goal_call(struct goal_graph *g, uint32_t number, const struct goal_piece *pieces, size_t n,
	      size_t ndst);

/*
 * @op does not start before @before has ended; before it has started. Both are numbers of
 * operations.
 */
void goal_requires(struct goal_graph *g, int op, int before);
void goal_irequires(struct goal_graph *g, int op, int before);
/*
 * Put a send, multicast, receive or calc on a processor and network of the process. 0 by default.
 */
void goal_place_on(struct goal_graph *g, int op, unsigned int cpu, unsigned int nic);

/* How many operations there are. */
int goal_nops(const struct goal_graph *g);
/* NULL, or the first error, with the number of the operation. */
const char *goal_graph_error(const struct goal_graph *g);

/**
 * goal_compile - make the block of bytes that is run
 * @g:   the graph, which stays as it is
 * @len: bytes of the block
 *
 * NULL for cycles and for errors while the graph was built; goal_graph_error() returns the
 * reason. The result passes goal_check() and is the same for the same calls. free() it.
 * Cost: linear in operations and dependencies.
 */
void *goal_compile(struct goal_graph *g, size_t *len);

/* The graph of a block that goal_check() has found good; NULL if there is no memory. */
struct goal_graph *goal_decompile(const struct goal_prog *prog);

/* The work that goal_optimize() and goal_set_optimize() have done. */
struct goal_gain {
	uint64_t edges;			/* dependencies dropped: others imply them */
	uint64_t locals, messages;	/* operations and messages that are now part of others */
	uint64_t followed;		/* edges followed to find that out */
	uint64_t cut;			/* searches that ended before they knew */
	const char *skipped;		/* why no messages were merged; NULL: they were */
};

/**
 * goal_optimize - the same schedule with fewer dependencies and local operations
 * @g:    the graph; its operations get other numbers, so this comes last before goal_compile()
 * @gain: what was done; may be NULL
 *
 * Drops dependencies that others imply, and merges local operations of one function and type that
 * wait for the same and for which the same waits, or of which one waits for the other alone. No
 * other process can see a difference, so each may do it or not. Operations that race, as one writes
 * what the other accesses and no dependencies order them, do so afterwards, too.
 *
 * False, and the graph stays as it is: no memory, or goal_compile() would refuse it.
 * Cost: n log n in operations and dependencies. Searches are bounded, so that of a very large graph
 * some dependencies may stay that others imply.
 */
bool goal_optimize(struct goal_graph *g, struct goal_gain *gain);

/* ---- All processes of a collective operation ------------------------------ */

/*
 * A set of blocks, one for each process: what goalc writes and reads. In a file: struct
 * goal_set_header, nprocs offsets of 8 bytes, and the blocks in order, without gaps.
 */
#define GOAL_SET_MAGIC 0x53414f47u	/* "GOAS" */

struct goal_set_header {
	uint32_t magic;
	uint16_t version;		/* GOAL_VERSION */
	uint16_t last_compatible;
	uint32_t nprocs;
	uint32_t zero;
	uint64_t bytes;			/* of all */
};

struct goal_set {
	int nprocs;
	void **block;			/* nprocs, malloc()ed */
	size_t *len;
};

/* Where in a text or file something is wrong, and what. */
struct goal_where {
	int line, column;		/* of a text, from 1; else 0 */
	uint64_t at;			/* of a file: offset */
	char what[160];
};

void goal_set_free(struct goal_set *set);
/* 0, or -1 and *@where. Checks every block. The input is untrusted. */
int goal_set_read(struct goal_set *set, FILE *in, struct goal_where *where);
int goal_set_write(const struct goal_set *set, FILE *out);
/**
 * goal_set_optimize - the same schedules of all processes with fewer operations
 * @set:      the schedules, which stay as they are
 * @messages: merge messages, too
 * @result:   those that do the same; all processes must run them then. goal_set_free() it
 * @gain:     what was done; may be NULL
 *
 * goal_optimize() of each process. Messages become one where their sends wait for the same and the
 * same waits for them, likewise their receives, and where it is certain which receive gets which:
 * not where a receive is open to any process or any tag. A schedule can become slower by that, as
 * a longer message takes the network before one to another process: goal_sim() tells.
 *
 * False, and *@result is not written: no memory. @set is one of goal_set_read() or goal_parse().
 */
bool goal_set_optimize(const struct goal_set *set, bool messages, struct goal_set *result,
		       struct goal_gain *gain);
/* The head before the blocks, which needs only their lengths; then each follows as it is. */
int goal_set_write_front(const struct goal_set *set, FILE *out);

/* ---- Text: goal_parse.c, goal_dump.c ------------------------------------------- */

/*
 * The language of LogGOPSim. Things that it has no words for (buffers, local operations, empty
 * messages) are written in comments that begin with "//!" and that LogGOPSim passes over: see
 * goal(7).
 */
int goal_parse(struct goal_set *set, const char *text, size_t len, struct goal_where *where);
/* The text of a set; parsed again it gives the same blocks. */
int goal_dump(const struct goal_set *set, FILE *out);
/* The same in parts: what precedes the blocks, and each of them. */
int goal_dump_front(int nprocs, FILE *out);
int goal_dump_block(const struct goal_prog *prog, FILE *out);
/* For people: the operations of one block, one a line, with offsets. */
int goal_list_block(const struct goal_prog *prog, FILE *out);

/* ---- Pictures: goal_draw_dot.c; as time goes by: goal_sim.h ----------------------- */

/*
 * For Graphviz: a box for each process, operations and what waits for what, and messages. -1: no
 * memory, or not written.
 */
int goal_draw_dot(const struct goal_set *set, FILE *out);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
