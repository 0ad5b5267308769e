/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbors.h - bsp_set_neighbors, and supersteps that end among neighbours alone. */
#ifndef BSPI_NEIGHBORS_H
#define BSPI_NEIGHBORS_H

#include <stdbool.h>

void bspi_set_neighbors(const char *site, int n, const int *pids);

/*
 * While bspi.mode has BSPI_MODE_NEIGHBORS. When bsp_sync or bsp_end begins: does it wait for all,
 * or for neighbours? When all of a superstep is here: names are mutual. When it has ended: a list
 * takes effect.
 */
void bspi_neighbors_begin(void);
void bspi_neighbors_compare(void);
void bspi_neighbors_end(void);

/* Has a superstep ended among neighbours? */
bool bspi_was_among_neighbors(void);

void bspi_neighbors_open(void);
void bspi_neighbors_close(void);

#endif
