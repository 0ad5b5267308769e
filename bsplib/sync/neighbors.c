// SPDX-License-Identifier: BSD-3-Clause
/* neighbors.c - bsp_set_neighbors, and supersteps that end among neighbours alone. */

/*
 * With a list a classic superstep ends in one of two ways:
 *
 *	among neighbours   in the usual case. The chunk with BSPI_END that goes to each neighbour
 *			   has the number of chunks, and its sum is 0 (classic.c).
 *	for all		   where processes do something that all do alike: push, pop, set tags, the
 *			   mode or neighbours, or bsp_end. They meet (meet.c), and from there on
 *			   the superstep ends as without neighbours.
 *
 * Everything after the wait is the same in both ways: a process has all that was sent to it in the
 * superstep, since only neighbours send. A neighbour may be one superstep ahead, as with
 * barriers: it cannot leave the next one without this process. So what comes early is held as
 * always, and the counts of two epochs are enough. Windows too: the least superstep in which a
 * process waits for a peer's number is one that all have begun.
 *
 * Names travel in the superstep of the call, as records to each process that is named. A process
 * compares them with its own list when all of the superstep is here; one that is named and
 * does not name that process in turn ends the job, since it knows both sites, and the other one
 * waits for that.
 *
 * Supersteps end for all, without a meeting, while the mode is relaxed (processes are in one epoch
 * until its barrier, which all come to), and with BSP_NEIGHBORS=0, BSP_BARRIER=twophase and
 * bsprun --check.
 */

#include "bsplib/sync/neighbors.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/sync/barrier.h"
#include "bsplib/sync/meet.h"
#include "bsplib/sync/reason.h"
#include "bsplib/transfer/reach.h"

#include "bsp.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 1 << 24 };

/* The list that was set in this superstep. */
static struct {
	int *pids;		/* as in struct bspi_neighbors; NULL: all */
	int n;
	int64_t *named;		/* nprocs: packed sites at which others name this process ... */
	enum bspi_barrier usual;	/* the way in which supersteps end for all */
	bool ever;		/* a superstep has ended among neighbours */
} set;

enum { NOT_NAMED = -1 };	/* ... or this; a site that is not known is INT32_MIN */

/* ---- The call -------------------------------------------------------------------- */

static void check_list(const char *site, int n, const int *pids)
{
	if (n < 0 && n != BSP_ALL)
		bspi_fail("bsp_set_neighbors", site,
			  "the number of neighbours %d is negative, and not BSP_ALL (%d)", n,
			  BSP_ALL);
	if (n > NAMES_MOST)
		bspi_fail("bsp_set_neighbors", site, "%d neighbours are more than %d", n,
			  NAMES_MOST);
	if (n > 0 && !pids)
		bspi_fail("bsp_set_neighbors", site, "the list of neighbours is NULL");
	for (int i = 0; i < n; i++)
		if (pids[i] < 0 || pids[i] >= bspi.nprocs)
			bspi_fail_pid("bsp_set_neighbors", site, pids[i]);
}

/* Ascending, each once, without this process. The memory is the caller's. */
static int *sorted_list(const char *site, int n, const int *pids, int *count)
{
	bool *is = calloc(bspi.nprocs, sizeof(*is));
	int *list = malloc((n ? n : 1) * sizeof(*list));

	if (!is || !list)
		bspi_fail_memory("bsp_set_neighbors", site);
	for (int i = 0; i < n; i++)
		is[pids[i]] = pids[i] != bspi.me;
	*count = 0;
	for (int q = 0; q < bspi.nprocs; q++)
		if (is[q])
			list[(*count)++] = q;
	free(is);
	return list;
}

void bspi_set_neighbors(const char *site, int n, const int *pids)
{
	bspi_require_running("bsp_set_neighbors", site);
	bspi_require_no_operator("bsp_set_neighbors", site);
	check_list(site, n, pids);
	free(set.pids);
	set.pids = n == BSP_ALL ? NULL : sorted_list(site, n, pids, &set.n);
	bspi_neighbors_call = n == BSP_ALL ? BSPI_LIST_OF_ALL : BSPI_LIST;
	bspi_neighbors_site = site;
	bspi.mode |= BSPI_MODE_SET | BSPI_MODE_NEIGHBORS;
}

/* ---- Names are mutual --------------------------------------------------------------- */

static void send_names(void)
{
	int64_t site = bspi_site_pack(bspi_neighbors_site);

	for (int i = 0; set.pids && i < set.n; i++) {
		struct bspi_rec *rec = bspi_out_room(set.pids[i], sizeof(*rec) + sizeof(site));

		*rec = (struct bspi_rec){ .what = bspi_what(BSPI_NAMED, 0),
					  .nbytes = sizeof(site) };
		memcpy(rec + 1, &site, sizeof(site));
	}
}

static const char *look_for_names(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const char *next = bspi_after(from, at, end);

	if (bspi_kind_of(rec->what) == BSPI_NAMED && rec->nbytes == sizeof(int64_t))
		memcpy(&set.named[from], rec + 1, sizeof(int64_t));
	return next;
}

static _Noreturn __attribute__((cold)) void refuse_names(int from)
{
	bspi_fail("bsp_set_neighbors", bspi_own_site(),
		  "process %d names %d (%s), %d does not name %d (%s); neighbours are mutual",
		  from, bspi.me, bspi_site_text(bspi_site_unpack(set.named[from])), bspi.me, from,
		  bspi_site_text(bspi_neighbors_site));
}

/* The process that is named and does not name in turn ends the job. */
static _Noreturn void wait_for_the_end(void)
{
	unsigned int idle = 0;

	for (;;)
		bspi_pump_for(&idle, BSPI_WAIT_DETAILS, 0, 0);
}

static void check_mutual(void)
{
	bool waits = false;
	int i = 0;

	for (int q = 0; q < bspi.nprocs; q++) {
		bool mine = i < set.n && set.pids[i] == q;

		if (!mine && set.named[q] != NOT_NAMED)
			refuse_names(q);
		waits |= mine && set.named[q] == NOT_NAMED;
		i += mine;
	}
	if (waits)
		wait_for_the_end();
}

void bspi_neighbors_compare(void)
{
	if (bspi_neighbors_call != BSPI_LIST)
		return;
	set.named = malloc(bspi.nprocs * sizeof(*set.named));
	if (!set.named)
		bspi_fail_memory("bsp_set_neighbors", bspi_neighbors_site);
	for (int q = 0; q < bspi.nprocs; q++)
		set.named[q] = NOT_NAMED;
	bspi_scan_held(0, 0, look_for_names);
	check_mutual();
	free(set.named);
	set.named = NULL;
}

/* ---- The end of a superstep ----------------------------------------------------------- */

/* May supersteps end among neighbours, and was the last one classic? */
static bool may_be_among_neighbors(void)
{
	return bspi_neighbors.limited && bspi.env.neighbors && !bspi.env.check &&
	       !bspi.two_phases && !bspi_wants_relaxed() && bspi.nprocs > 1;
}

void bspi_neighbors_begin(void)
{
	bool for_all = bspi.ending || bspi_reasons() || (bspi.mode & BSPI_MODE_ASKED);

	set.usual = bspi_barrier;
	if (may_be_among_neighbors()) {
		if (for_all) {
			bspi_meet();
		} else {
			bspi_meet_not();
			bspi_barrier = BSPI_AMONG_NEIGHBORS;
			set.ever = true;
		}
	}
	if (!bspi.ending)
		send_names();
}

static void take_effect(void)
{
	bspi_reach_limit(bspi_neighbors_site, set.pids, set.n);
	set.pids = NULL;
	bspi_neighbors_call = BSPI_NO_LIST;
	bspi.mode &= ~(BSPI_MODE_SET | (bspi_neighbors.limited ? 0 : BSPI_MODE_NEIGHBORS));
}

void bspi_neighbors_end(void)
{
	bspi_barrier = set.usual;
	bspi_meet_passed();
	if (bspi_neighbors_call)
		take_effect();
	if (bspi_neighbors.limited)
		bspi_reach_shut_others();
}

bool bspi_was_among_neighbors(void)
{
	return set.ever;
}

/* ---- Opening --------------------------------------------------------------------------- */

void bspi_neighbors_open(void)
{
	bspi_neighbors_call = BSPI_NO_LIST;
	bspi_reach_open();
	bspi_meet_open();
}

void bspi_neighbors_close(void)
{
	free(set.pids);
	memset(&set, 0, sizeof(set));
	bspi_reach_close();
}
