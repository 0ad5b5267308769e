// SPDX-License-Identifier: BSD-3-Clause
/* state.c - the state of the job that the parts of the runtime share. */

#include "bsplib/bspi.h"

struct bspi_hooks bspi_hooks;
struct bspi bspi = { .regions.last_base = BSPI_NO_BASE };
