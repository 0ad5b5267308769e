/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival.h - relaxed synchronisation: when chunks take effect. */
#ifndef BSPI_ARRIVAL_H
#define BSPI_ARRIVAL_H

void bspi_arrivals_open(void);
void bspi_arrivals_close(void);
/* This superstep ends without a barrier: fails if another process has come to one. */
void bspi_refuse_barrier_of_others(void);
/* Hold the chunks that waited for this superstep with the others. */
void bspi_bring_in(void);
/* A relaxed epoch begins, with the chunks that are held; it ends. */
void bspi_arrivals_begin(void);
void bspi_arrivals_end(void);

#endif
