/* SPDX-License-Identifier: BSD-3-Clause */
/* superstep.h - bsp_sync and bsp_end. */
#ifndef BSPI_SUPERSTEP_H
#define BSPI_SUPERSTEP_H

#include <stdbool.h>

/* End the superstep; @ending: in bsp_end, which drops transfers and registrations. */
void bspi_superstep(const char *site, bool ending);

#endif
