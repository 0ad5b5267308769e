// SPDX-License-Identifier: BSD-3-Clause
/* reason.c - why a superstep of a relaxed epoch ends with a barrier. */

#include "bsplib/sync/reason.h"

#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/region.h"

const char *bspi_mode_site;
enum bspi_neighbors_call bspi_neighbors_call;
const char *bspi_neighbors_site;

/* Every bsp_sync asks for the reasons, so both of them come from the mode at once. */
enum { MODE_TO_REASON = BSPI_TURNED / BSPI_MODE_TURNS };

_Static_assert(BSPI_NEIGHBORS_SET == BSPI_MODE_SET * MODE_TO_REASON, "bits of the same order");

uint32_t bspi_reasons(void)
{
	return (bspi_regions.npush ? BSPI_PUSHED : 0) | (bspi_regions.npop ? BSPI_POPPED : 0) |
	       (bspi_tags.called ? BSPI_TAGGED : 0) |
	       (bspi.mode & (BSPI_MODE_TURNS | BSPI_MODE_SET)) * MODE_TO_REASON;
}

static const char *site_of_last(const struct bspi_push *at, size_t n)
{
	return at[n - 1].site;
}

const char *bspi_reason_site(void)
{
	const struct bspi_regions *r = &bspi_regions;

	return bspi.ending ? bspi_own_site() :
	       r->npush ? site_of_last(r->pushes, r->npush) :
	       r->npop ? site_of_last(r->pops, r->npop) :
	       bspi_tags.called ? bspi_tags.site :
	       bspi_neighbors_call ? bspi_neighbors_site : bspi_mode_site;
}

const char *bspi_reason_name(uint32_t sum)
{
	return sum & BSPI_SUM_END ? "bsp_end" : sum & BSPI_PUSHED ? "bsp_push_reg" :
	       sum & BSPI_POPPED ? "bsp_pop_reg" :
	       sum & BSPI_TAGGED ? "bsp_set_tagsize" :
	       sum & BSPI_NEIGHBORS_SET ? "bsp_set_neighbors" : "bsp_set_sync";
}
