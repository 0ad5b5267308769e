/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.h - unbuffered transfers through windows. */
#ifndef BSPI_DIRECT_H
#define BSPI_DIRECT_H

#include "bsplib/transfer/chunked.h"

/* A transfer that waits for its peer to leave the last superstep. */
struct bspi_deferred {
	struct bspi_transfer t;
	uint32_t slot;
	bool get;
	uint64_t window;
	size_t from, to;	/* what of the area goes through it */
};

/*
 * A put that was done at the call and left no record; it counts if the superstep turns out
 * relaxed.
 */
struct bspi_unnoted {
	struct bspi_transfer t;
	uint32_t slot;
};

/* The unbuffered transfers of this superstep, in the order of the calls. */
struct bspi_direct {
	struct bspi_deferred *deferred;
	size_t ndeferred, deferred_room, deferred_most;
	struct bspi_unnoted *unnoted;
	size_t nunnoted, unnoted_room, unnoted_most;
};

extern struct bspi_direct bspi_direct;

/* A put that wrote through a window is noted; all of them if the superstep turns out relaxed. */
void bspi_direct_note(const struct bspi_transfer *t, uint32_t slot);
void bspi_direct_note_all(void);
/* In a classic bsp_sync, when pops have found their slots. */
void bspi_direct_note_popped(void);

/* Move the bytes now or in bsp_sync. False if there is no window for them. */
bool bspi_direct_put(const struct bspi_transfer *t, uint32_t slot);
bool bspi_direct_get(const struct bspi_transfer *t, uint32_t slot);
/* At the beginning of bsp_sync, to which the peers come too: those that had to wait. */
void bspi_direct_finish(void);
/* In bsp_end: those that had to wait are left out. */
void bspi_direct_forget(void);

/* After a barrier the puts of the epoch need no record. */
static inline void bspi_direct_begin_epoch(void)
{
	bspi_direct.nunnoted = 0;
}

void bspi_direct_open(void);
void bspi_direct_close(void);
size_t bspi_direct_trim(void);

#endif
