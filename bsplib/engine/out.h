/* SPDX-License-Identifier: BSD-3-Clause */
/* out.h - sending: the open chunk of each process. */
#ifndef BSPI_OUT_H
#define BSPI_OUT_H

#include "bsplib/engine/engine.h"

#include <string.h>

/* Room for @bytes (a multiple of BSPI_ALIGN) in the open chunk to @pid; opens one when needed. */
void *bspi_out_slow(int pid, size_t bytes, size_t *got);

/*
 * The lines that the next records go to were last read by the peer, and those that
 * are read next were last written by it: they are prefetched so many bytes ahead.
 */
enum { BSPI_AHEAD = 768 };

/*
 * A record ends on a multiple of BSPI_ALIGN. The bytes there that its data leave unused travel,
 * too, and are zero.
 */
static inline void bspi_end_in_zeros(char *end)
{
	memset(end - BSPI_ALIGN, 0, BSPI_ALIGN);
}

static inline void *bspi_out_room(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	char *at = o->at;

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - at)))
		return bspi_out_slow(pid, bytes, NULL);
	o->at = at + bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	return at;
}

static inline bool bspi_has_records(const struct bspi_out *o)
{
	return o->chunk && o->at > o->chunk + sizeof(struct bspi_head);
}

/* The open chunk to @pid leaves, with the flags that are set; all of them that have records. */
void bspi_out_send(int pid);
void bspi_out_send_all(void);
/* The epoch goes on after a superstep without a barrier: what was sent is that of the last one. */
void bspi_out_begin_superstep(void);
/* Before the barrier that ends a relaxed epoch: all that were sent to in it are touched. */
void bspi_out_recall(void);
/* In bsp_end: the records in open chunks are left out. */
void bspi_out_forget(void);
/* A chunk to @pid besides the open one, with room for @bytes. */
char *bspi_out_chunk(int pid, size_t bytes, size_t *room);
/*
 * During a wait: open the first chunks of the next superstep for the processes that got more
 * than a short chunk in this one or the last, and ask for their lines, which the peers have
 * read. The wait is about as long as these take to come.
 */
void bspi_make_ready(void);

#endif
