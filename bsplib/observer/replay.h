/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - an emulated run computes for as long as a recorded one did: BSP_REPLAY. */
#ifndef BSPI_REPLAY_H
#define BSPI_REPLAY_H

/*
 * Observe, as the settings ask for it: before and behind the observers that look at the clock, for
 * which computing is what passes between the end of a call and the beginning of the next.
 */
void bspi_replay_open(void);
void bspi_replay_follow(void);

#endif
