/* SPDX-License-Identifier: BSD-3-Clause */
/* spmd.h - the SPMD part: beginning and end. */
#ifndef BSPI_SPMD_H
#define BSPI_SPMD_H

#include <stdint.h>

void bspi_init(const char *site, void (*spmd)(void));
void bspi_begin(const char *site, int64_t maxprocs);
void bspi_end(const char *site);
int bspi_nprocs(void);
/* Called before simulated nodes are made, for struct bspj_start: load. */
void bspi_preload_transport(int nprocs);
double bspi_dtime(void);
double bspi_cputime(void);

#endif
