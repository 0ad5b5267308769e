/* SPDX-License-Identifier: BSD-3-Clause */
/* reason.h - why a superstep of a relaxed epoch ends with a barrier. */
#ifndef BSPI_REASON_H
#define BSPI_REASON_H

#include <stdint.h>

/* The lowest bits of a sum (classic.c). */
enum bspi_reason {
	BSPI_PUSHED = 1 << 0,
	BSPI_POPPED = 1 << 1,
	BSPI_TAGGED = 1 << 2,
	BSPI_TURNED = 1 << 3,	/* the mode changes */
	BSPI_NEIGHBORS_SET = 1 << 4,
	BSPI_REASONS = 0x1f,
};

#define BSPI_SUM_END (UINT32_C(1) << 31)	/* of a sum: this is bsp_end, not bsp_sync */

/* Where the mode was set last. */
extern const char *bspi_mode_site;

/* A call of bsp_set_neighbors in this superstep: 0: none; with a list; with BSP_ALL. */
enum bspi_neighbors_call { BSPI_NO_LIST, BSPI_LIST, BSPI_LIST_OF_ALL };
extern enum bspi_neighbors_call bspi_neighbors_call;
extern const char *bspi_neighbors_site;

/* The reasons of this superstep. */
uint32_t bspi_reasons(void);
/* The site of the first of them, or of bsp_end. */
const char *bspi_reason_site(void);
/* The call that is the first of the reasons in a sum. */
const char *bspi_reason_name(uint32_t sum);

#endif
