/* SPDX-License-Identifier: BSD-3-Clause */
/* stat.h - statistics of a run. */
#ifndef BSPI_STAT_H
#define BSPI_STAT_H

/* Bits of bspi.env.stat. */
enum { BSPI_PRINT = 1, BSPI_REPORT_FILE = 2 };

/*
 * Before the processes exist, in bsp_begin at @site: for which file, and of which section; when
 * they do: observe, as the settings ask for it.
 */
void bspi_stat_choose(const char *site);
void bspi_stat_open(void);

#endif
