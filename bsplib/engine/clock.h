/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - virtual time: which chunks a wait depended on. */
#ifndef BSPI_CLOCK_H
#define BSPI_CLOCK_H

#include "bsplib/core/state.h"

/* Chunks that an area was updated from, by their numbers here. */
struct bspi_times {
	uint32_t *at;
	size_t n, room;
};

/* Nanoseconds of the clock of the transport, or of the system; seconds of it since bsp_begin. */
uint64_t bspi_now(void);
double bspi_time(void);
/* A chunk arrived: its number. */
uint32_t bspi_clock_note(int from, const char *chunk, size_t len);
/* The chunk that takes effect updates an area. */
void bspi_clock_update(struct bspi_times *t);
/*
 * A wait depends on it; on all that updated an area; on the held ones of this
 * superstep that have one of @flags, or are counted if that is 0. Then
 * bspi_clock_advance() waits. A chunk that no wait was for passes: it costs its overhead.
 */
void bspi_clock_need(uint32_t time);
void bspi_clock_need_updates(struct bspi_times *t);
void bspi_clock_need_held(uint32_t flags);
void bspi_clock_pass(uint32_t time);
/* It is received beside the process, which does not pay: when it arrived. */
struct bspt_event bspi_clock_take(uint32_t time);
void bspi_clock_advance(void);
/* The number is kept for later, until bspi_clock_drop(). */
void bspi_clock_keep(uint32_t time);
void bspi_clock_drop(uint32_t time);
/* This process computes, or does not. */
void bspi_computing_turns(bool on);
static inline void bspi_computing(bool on)
{
	if (BSPI_UNLIKELY(bspi.metered))
		bspi_computing_turns(on);
}
void bspi_clock_forget(struct bspi_times *t);
void bspi_clock_close(void);

#endif
