/* SPDX-License-Identifier: BSD-3-Clause */
/* ofi_pace.h - how many bytes of a transfer are under way to a peer at a time: ofi_pace.c. */
#ifndef BSPT_OFI_PACE_H
#define BSPT_OFI_PACE_H

#include <stddef.h>
#include <stdint.h>

struct ofi_pace {
	size_t bytes;			/* of the next piece */
	uint64_t least_ns;		/* the least time of one of the smallest pieces */
	unsigned int samples;		/* how many of these were timed; at most PACE_SAMPLES */
	unsigned int slow;		/* pieces in a row that took long */
};

void bspt_ofi_pace_init(struct ofi_pace *p);
/* A piece of @bytes was acknowledged @ns after the provider had got it. */
void bspt_ofi_pace(struct ofi_pace *p, size_t bytes, uint64_t ns);

#endif
