/* SPDX-License-Identifier: BSD-3-Clause */
/* region.h - registered areas, and windows into them. */
#ifndef BSPI_REGION_H
#define BSPI_REGION_H

#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"

/* Where an update came from. */
struct bspi_origin {
	int64_t site;
	uint32_t step;
	int32_t from;
};

/* A registration that was popped, for messages. */
struct bspi_popped {
	const void *base;
	const char *site;
	uint32_t step;
};

enum { BSPI_LAST_POPPED = 64, BSPI_SLOTS_MOST = 1 << 24, BSPI_EXTENT_MOST = 64 };

/* One registration, the same number on all processes. */
struct bspi_slot {
	char *base;		/* here; NULL: no area on this process */
	size_t nbytes;
	/* relaxed.c */
	uint32_t updates;	/* puts written since the last bsp_read */
	uint32_t read_step;	/* superstep of that */
	const char *read_site;
	struct bspi_origin last;	/* of the last put */
	uint32_t served, announced;	/* gets of this superstep */
	struct bspi_times times;	/* when its updates arrived, if there is a clock */
	/* region.c */
	int32_t older;		/* the next older slot of the same address, -1 */
	bool used;
	bool going;		/* popped, effective at the end of this bsp_sync */
	bool exposed;
	bool withdrawn;		/* popped: peers have the window until the end of bsp_sync */
	bool refused;		/* cannot be exposed */
	/* superstep after the first in which a process wanted a window; 0: none did */
	uint32_t wanted_step;
	uint64_t age;		/* pushes before it */
	const char *site;	/* of its push */
	/* of the largest area that a process has: region_extent(); 0: all have registered NULL */
	uint8_t extent;
	struct bspi_window_note own;	/* if exposed */
	struct bspi_window_note *peers;	/* nprocs, or NULL: none known; to == 0: that one is not */
};

/* An address that is registered, or just pushed; NULL too. */
struct bspi_base {
	char *at;
	int32_t newest;		/* slot in effect, or -1; of NULL always -1; -2: this is unused */
	/* of the same hash, -1; of an unused one: the next unused one + 1 */
	int32_t next;
	uint32_t left;		/* registrations that are not popped yet, with those just pushed */
	/* the next pop means one of this superstep's pushes, if there are any left, else a slot */
	uint32_t pushed;
	int32_t next_pop;
};

/* A push or a pop of this superstep. */
struct bspi_push {
	int32_t base;		/* its number in bases */
	size_t nbytes;		/* of a push */
	uint32_t slot;		/* of a push, from bspi_region_announce() on */
	size_t after;		/* of a pop: pushes of this superstep before it */
	const char *site;
};

/* Process @from wants a window to a region. */
struct bspi_window_request {
	int from;
	uint32_t slot;
};

struct bspi_regions {
	/* fast.h: the area that was looked up last, or BSPI_NO_BASE; what it is after bsp_sync */
	const void *fast_base, *fast_after_sync;
	uint32_t fast_slot;
	struct bspi_slot *slots;
	size_t nslots, slots_room;
	uint32_t *free;			/* unused slots, last freed last */
	size_t nfree, free_room;
	struct bspi_base *bases;
	size_t nbases, bases_room;
	int32_t unused_base;		/* the first one + 1; 0: none */
	int32_t *buckets;		/* the first of bases of each hash, -1 */
	size_t nbuckets;		/* a power of two, or 0 */
	uint64_t age;
	struct bspi_push *pushes, *pops;	/* of this superstep */
	size_t npush, push_room, npop, pop_room;
	int64_t *popped;		/* slots that the pops mean; -1 not known yet */
	size_t popped_room;
	/* slots that are NULL everywhere, oldest first, from @first_null on */
	uint32_t *nulls;
	size_t nnulls, nulls_room, first_null;
	struct bspi_popped *last_popped;	/* a ring of BSPI_LAST_POPPED */
	size_t nlast_popped;
	struct bspi_window_request *requests;	/* of this superstep */
	size_t nrequests, requests_room;
	bool surveyed;			/* for the areas that are exposed in this superstep */
	bool windows;			/* peers know of one here: ours are needed */
};

extern struct bspi_regions bspi_regions;

/* The newest registration of an address that is in effect, or ends the job. */
uint32_t bspi_region_find_slow(const char *call, const char *site, const void *base);
void bspi_region_push(const char *site, const void *area, size_t nbytes);
/*
 * How many bytes an area of the slot has at most, on any process: at the start of each superstep
 * after that of the push a process knows the largest one, rounded up to a power of 2, less 1.
 */
static inline uint64_t bspi_region_bound(uint32_t slot)
{
	unsigned int extent = bspi_regions.slots[slot].extent;

	return extent ? ((uint64_t)1 << (extent - 1)) - 1 : 0;
}
/* In bsp_sync, from @from: a process has an area of this extent. */
void bspi_region_extend(int from, uint32_t slot, int extent);
void bspi_region_pop(const char *site, const void *area);
/* In a bsp_sync with pushes or pops: give them slots; and send these to all others, or do not. */
void bspi_region_announce(bool to_all);
/* Process @from says which slot the i-th pop means, or -1 if it popped NULL. */
void bspi_region_on_pop(int from, size_t i, int32_t slot);
/* In bsp_end: pushes and pops of the last superstep are left out. */
void bspi_region_forget(void);
/* At the end of the same: they take effect. */
void bspi_region_settle(void);
/* Process @from transferred to or from the region in a way that a window would speed up. */
void bspi_region_want(int from, uint32_t slot);
/* At the beginning of a superstep: answer the requests of the last one. */
void bspi_region_answer(void);
/* All that are exposed here become private, in bsp_end. */
void bspi_region_withdraw_all(void);
/* The window into the region on @pid, or NULL. */
const struct bspi_window_note *bspi_region_way(uint32_t slot, int pid);
void bspi_region_open(void);
void bspi_region_close(void);

#endif
