/* SPDX-License-Identifier: BSD-3-Clause */
/* chunk.h - chunks, which travel between processes, and their records. */
#ifndef BSPI_CHUNK_H
#define BSPI_CHUNK_H

#include "bsplib/core/base.h"

enum bspi_chunk_flag {
	/* last chunk of the superstep to this process: @sent and @sum count */
	BSPI_END = 1 << 0,
	BSPI_GETS = 1 << 1,	/* has requests */
	BSPI_MSGS = 1 << 2,	/* has messages */
	BSPI_REPLY = 1 << 3,	/* answers to gets: not counted */
	BSPI_DETAIL = 1 << 4,	/* the calls of this process, for process 0: not counted */
	BSPI_URGENT = 1 << 5,	/* handled on arrival, in any superstep: not counted */
	/*
	 * last chunk of the second phase of a superstep to this process: @sent counts; with
	 * BSPI_END it is the last of the superstep, and is acknowledged: sync/consensus.c
	 */
	BSPI_LAST = 1 << 6,
	BSPI_GOALS = 1 << 7,	/* has BSPI_GOAL, from @sum bytes on to its end */
	BSPI_EPOCH_SHIFT = 8,	/* above: the epoch */
};

enum { BSPI_UNCOUNTED = BSPI_REPLY | BSPI_DETAIL | BSPI_URGENT };

/* A chunk begins with this; records follow, each on a multiple of 8 from the start of the chunk. */
struct bspi_head {
	uint32_t step;
	uint32_t flags;
	union {
		/*
		 * with BSPI_END: chunks of this epoch to this process, with this one;
		 * with BSPI_LAST: those after BSPI_END
		 */
		uint32_t sent;
		/* else: how much of ours the sender has taken in in this epoch, see flow.c */
		uint32_t taken;
	};
	/* with BSPI_END: of the collective calls of this superstep, see classic.c */
	uint32_t sum;
};

enum bspi_kind {
	BSPI_PAD,		/* struct bspi_pad: nothing */
	BSPI_PUT,		/* data follow; the last piece of a put */
	BSPI_PUT_PART,		/* the same, another piece */
	/* the address it goes to follows, 8 bytes; the last piece of a get */
	BSPI_GET,
	BSPI_GET_PART,		/* the same, another piece */
	BSPI_DATA,		/* answer to a get: data follow */
	BSPI_MSG,		/* struct bspi_msg, on a multiple of 16 */
	/* registrations: struct bspi_reg_note and int32_t's follow */
	BSPI_REG,
	BSPI_WINDOW,		/* answer to BSPI_WANT: struct bspi_window_note follows */
	BSPI_WHAT,		/* a detail of difference.c follows */
	BSPI_STAT,		/* a row of stat.c follows */
	BSPI_ASK,		/* may this put be sent? struct ask_note of ask.c follows */
	BSPI_GRANT,		/* it may: dst is its number */
	BSPI_CHECKED,		/* a record of suggest.c follows */
	BSPI_BULK,		/* a put whose bytes travel in bulk, see bulk.c */
	BSPI_BULK_DATA,		/* answer to a get, likewise */
	/* a message of a schedule, whose number is where others have the slot: schedule_move.c */
	BSPI_GOAL,
	BSPI_RECORDED,		/* a piece of a part of a recording, for @dst of it: gather.c */
	BSPI_CALL,		/* a collective call follows, see coll_agree.c */
	/* so many bytes (8 follow) of the region were written through its window: direct.c */
	BSPI_WROTE,
	/* how many puts, gets and messages come in the second phase: twophase.c */
	BSPI_COUNTS,
	BSPI_COMING,		/* one of these puts: its size follows, 8 bytes */
	BSPI_STAT_SECTION,	/* a note of stat_section.c follows */
	BSPI_NAMED,		/* as a neighbour, at a site that follows, 8 bytes: neighbors.c */
	BSPI_KINDS,
	BSPI_KIND = 0x1f,	/* mask */
	/* flags of BSPI_PUT and BSPI_GET */
	BSPI_WIDE = 1 << 5,	/* struct bspi_wide follows, then the rest */
	BSPI_HP = 1 << 6,	/* of bsp_hpput or bsp_hpget */
	BSPI_WANT = 1 << 7,	/* which wants a window */
};

_Static_assert(BSPI_KINDS - 1 <= BSPI_KIND, "a kind is a number within its mask");

/* A record, on a multiple of 8 from the start of the chunk, and of that length in all. */
struct bspi_rec {
	uint32_t what;		/* kind and flags in the low 8 bits, the slot of the region above */
	uint32_t nbytes;
	union {
		struct {	/* BSPI_PUT, BSPI_GET, BSPI_ASK; if they do not fit, BSPI_WIDE */
			int32_t site;
			uint32_t offset;
		};
		struct {	/* BSPI_GOAL */
			uint32_t run;
			uint32_t tag;
		};
		/* BSPI_DATA: address on the process that asked; BSPI_GRANT: a number */
		uint64_t dst;
	};
};

struct bspi_pad {
	uint32_t what;
	uint32_t bytes;		/* with these */
};

struct bspi_wide {
	int64_t site;		/* of the call, see bspi_site_pack() */
	uint64_t offset;
};

/* A message: data follow, then, on a multiple of 16, the tag. */
struct bspi_msg {
	uint32_t what;		/* kind in the low 8 bits, the site above: bspi_site_pack_near() */
	uint32_t tag_bytes;
	uint64_t nbytes;
};

struct bspi_reg_note {
	/* then for each push: region_extent(); for each pop: the slot, -1 for NULL */
	uint32_t npush, npop;
};

struct bspi_window_note {
	uint64_t window;
	uint64_t from, to;	/* offsets in reach */
	uint64_t nbytes;	/* of the region there */
};

static inline enum bspi_kind bspi_kind_of(uint32_t what)
{
	return what & BSPI_KIND;
}

static inline uint32_t bspi_what(enum bspi_kind kind, uint32_t slot)
{
	return kind | slot << 8;
}

static inline struct bspi_head *bspi_head_of(char *chunk)
{
	return (struct bspi_head *)chunk;
}

#endif
