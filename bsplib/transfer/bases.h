/* SPDX-License-Identifier: BSD-3-Clause */
/* bases.h - addresses that are registered: bspi_regions.bases, found by a hash table. */
#ifndef BSPI_BASES_H
#define BSPI_BASES_H

#include <stdint.h>

/* The number of an address; -1: it is not there. */
int32_t bspi_base_find(const void *at);
/* Add one that is not there, for a bsp_push_reg at @site. Returns its number. */
int32_t bspi_base_add(const char *site, void *at);
void bspi_base_remove(int32_t i);

#endif
