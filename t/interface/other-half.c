/* SPDX-License-Identifier: BSD-3-Clause */
/* other-half.c - the part of objects-of-both-interfaces-mix.c that is compiled for the size_t
 * interface. */
#define BSP_MCBSP
#include "other-half.h"

#include <bsp.h>

void other_put(unsigned int pid, const void *src, void *dst, size_t nbytes)
{
	bsp_put(pid, src, dst, 0, nbytes);
}

size_t other_hpmove(void **tag, void **payload)
{
	return bsp_hpmove(tag, payload);
}

size_t other_set_tagsize(size_t nbytes)
{
	bsp_set_tagsize(&nbytes);
	return nbytes;
}

void other_push_and_sync(const void *area, size_t nbytes)
{
	bsp_push_reg(area, nbytes);
	bsp_sync();
}

void other_begin(void)
{
	bsp_begin(bsp_nprocs());
}

void other_wrong_put(const void *src, void *dst)
{
	bsp_put(4711, src, dst, 0, 1);
}
