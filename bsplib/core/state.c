// SPDX-License-Identifier: BSD-3-Clause
/* state.c - the state of the job that the parts of the runtime share. */

#include "bsplib/core/state.h"

#include "bsplib/core/hooks.h"

struct bspi_hooks bspi_hooks;
struct bspi bspi;
