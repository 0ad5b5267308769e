/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_section.h - statistics of one section of the program, or of all but it. */
#ifndef BSPI_STAT_SECTION_H
#define BSPI_STAT_SECTION_H

#include "bsplib/core/state.h"

#include <stdio.h>

/* At bsp_begin: as BSP_ONLY and BSP_WITHOUT say. */
void bspi_stat_section_open(void);
/* Is what the process does now counted? */
bool bspi_stat_section_counts(void);
/* A section begins or ends at @now, ns, up to which bspi.stat counts. */
void bspi_stat_section_turn(const char *name, bool begins, uint64_t now);
/* The part of bspi.stat that counts; *@seconds of the SPMD part become those that count. */
struct bspi_stat bspi_stat_section_sum(double *seconds);
/* In bsp_end: names and times to process 0, which then has those of all. */
void bspi_stat_section_send(void);
/* On process 0: how many of the @seconds of the run count. */
double bspi_stat_section_total(double seconds);
/* On process 0, where people read how long it took: ", only section NAME". */
void bspi_stat_section_say(FILE *f);
/* On process 0: members of the report, if the program has sections; then memory is given back. */
void bspi_stat_section_write(FILE *f);
void bspi_stat_section_close(void);

#endif
