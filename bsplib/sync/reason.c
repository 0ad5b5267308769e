// SPDX-License-Identifier: BSD-3-Clause
/* reason.c - why a superstep of a relaxed epoch ends with a barrier. */

#include "bsplib/sync/reason.h"

#include "bsplib/core/state.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/region.h"

const char *bspi_mode_site;

uint32_t bspi_reasons(void)
{
	return (bspi_regions.npush ? BSPI_PUSHED : 0) | (bspi_regions.npop ? BSPI_POPPED : 0) |
	       (bspi_tags.called ? BSPI_TAGGED : 0) | (bspi_mode_turns() ? BSPI_TURNED : 0);
}

const char *bspi_reason_name(uint32_t sum)
{
	return sum & BSPI_SUM_END ? "bsp_end" : sum & BSPI_PUSHED ? "bsp_push_reg" :
	       sum & BSPI_POPPED ? "bsp_pop_reg" : sum & BSPI_TAGGED ?
	       	"bsp_set_tagsize" : "bsp_set_sync";
}
