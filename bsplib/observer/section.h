/* SPDX-License-Identifier: BSD-3-Clause */
/* section.h - sections of the program: bsp_section and bsp_section_end. */
#ifndef BSPI_SECTION_H
#define BSPI_SECTION_H

#include <stddef.h>

/* As bsp.h has them; observers have events of both. */
void bspi_section(const char *site, const char *name);
void bspi_section_end(const char *site, const char *name);
/* Names that sections of this process have had; how many. */
size_t bspi_section_names(const char *const **names);
/* At bsp_begin: none is open, and names are forgotten. */
void bspi_section_open(void);

#endif
