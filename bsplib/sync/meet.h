/* SPDX-License-Identifier: BSD-3-Clause */
/* meet.h - all processes meet, from supersteps that ended among neighbours alone. */
#ifndef BSPI_MEET_H
#define BSPI_MEET_H

#include <stdbool.h>

/* In bsp_sync and bsp_end: wait until all processes have come to the end of this superstep. */
void bspi_meet(void);
/*
 * This superstep ends among neighbours alone, until bspi_meet_passed(): no process may meet the
 * others at its end, or before it.
 */
void bspi_meet_not(void);
void bspi_meet_passed(void);
/* Have they met in this bsp_sync or bsp_end? */
bool bspi_have_met(void);
void bspi_meet_open(void);

#endif
