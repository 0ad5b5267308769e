// SPDX-License-Identifier: BSD-3-Clause
/* state.c - the state of the engine, which engine.c fills in. */

#include "bsplib/engine/engine.h"

struct bspi_engine bspi_engine;
