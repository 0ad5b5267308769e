/* SPDX-License-Identifier: BSD-3-Clause */
/* hold.h - chunks that have arrived and wait for their turn: hold.c; for bspi.h. */
#ifndef BSPI_HOLD_H
#define BSPI_HOLD_H

void bspi_arrivals_add(struct bspi_arrivals *list, const struct bspi_arrival *a);
/* By the number of the sender; those of one sender stay in their order. */
void bspi_sort_by_sender(struct bspi_arrivals *list);
/* A chunk has come that is of a classic superstep. */
void bspi_hold(struct bspi_arrival *a);
/* One of either mode joins @list, where it waits behind an earlier one of its peer or for its superstep. */
void bspi_hold_until_its_turn(struct bspi_arrival *a, struct bspi_arrivals *list);
/* One that was held is given back; all that are kept are; one that was never held is. */
void bspi_release(const struct bspi_arrival *a);
void bspi_release_kept(void);
void bspi_give_back(const struct bspi_arrival *a);

/* ---- Their records: superstep.c --------------------------------------------------- */

/* @run for the held chunks of this superstep that have one of @flags, from the i-th on. */
void bspi_for_each_held(size_t i, uint32_t flags, bspi_run *run);
void bspi_run_through(const struct bspi_arrival *a, bspi_run *run);
/*
 * The end of the record at @at, in a chunk of process @from that ends at @end. A record that is empty or
 * reaches beyond its chunk ends the job, so a loop over records always moves on and stays inside.
 */
const char *bspi_after(int from, const char *at, const char *end);
/* A chunk from process @from holds what no process of this job writes. */
_Noreturn __attribute__((cold)) void bspi_fail_damaged(int from);

#endif
