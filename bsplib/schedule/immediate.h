/* SPDX-License-Identifier: BSD-3-Clause */
/* immediate.h - bsp_direct_get: reads at once, while the superstep goes on. */
#ifndef BSPI_IMMEDIATE_H
#define BSPI_IMMEDIATE_H

#include <stddef.h>
#include <stdint.h>

void bspi_immediate_get(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
			size_t nbytes);
/* Open before the thread of progress, which may receive requests of other processes. */
void bspi_immediate_open(void);
void bspi_immediate_close(void);

#endif
