/* SPDX-License-Identifier: BSD-3-Clause */
/* hold.h - chunks that have arrived and wait for their turn: hold.c. */
#ifndef BSPI_HOLD_H
#define BSPI_HOLD_H

#include "bsplib/engine/engine.h"

void bspi_arrivals_add(struct bspi_arrivals *list, const struct bspi_arrival *a);
/* By the number of the sender; those of one sender stay in their order. */
void bspi_sort_by_sender(struct bspi_arrivals *list);
/* A chunk has come that is of a classic superstep. */
void bspi_hold(struct bspi_arrival *a);
/*
 * One of either mode joins @list, where it waits behind an earlier one of its peer or for its
 * superstep.
 */
void bspi_hold_until_its_turn(struct bspi_arrival *a, struct bspi_arrivals *list);
/* One that was held is given back; all that are kept are; one that was never held is. */
void bspi_release(const struct bspi_arrival *a);
void bspi_release_kept(void);
void bspi_give_back(const struct bspi_arrival *a);

#endif
