/* SPDX-License-Identifier: BSD-3-Clause */
/* relaxed.h - relaxed synchronisation: the calls. */
#ifndef BSPI_RELAXED_H
#define BSPI_RELAXED_H

#include <stdbool.h>

int bspi_set_sync(const char *site, int mode);
void bspi_read(const char *site, const void *area, int n);
bool bspi_read_test(const char *site, const void *area, int n);
void bspi_serve(const char *site, const void *area, int n);
void bspi_expect(const char *site, int n);

void bspi_relaxed_open(void);
void bspi_relaxed_close(void);
/* In bsp_sync: the mode that was asked for begins, and observers see how the superstep ends. */
void bspi_mode_begin(void);
/* A relaxed superstep ends with a barrier nevertheless, for something that all processes do. */
bool bspi_all_do_alike(void);
/* In some superstep since bsp_begin. */
bool bspi_was_relaxed(void);
/*
 * In one that ends without: take in chunks; serve the gets that were announced, and wait
 * for answers to ours.
 */
void bspi_relaxed_look(void);
void bspi_relaxed_serve(void);
/* After a barrier: a new epoch. */
void bspi_relaxed_after_barrier(void);

#endif
