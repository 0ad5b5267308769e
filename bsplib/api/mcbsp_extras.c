// SPDX-License-Identifier: BSD-3-Clause
/* mcbsp_extras.c - MulticoreBSP's calls about checkpoints and profiles. */

#include "mcbsp-profiling.h"
#include "mcbsp-resiliency.h"

#include "bsplib/core/error.h"

#include <stdbool.h>

static struct {
	size_t usual, safe;
	bool safe_is_set;
} frequency;

static _Noreturn void extras_refuse(const char *call)
{
	bspi_fail(call, NULL,
		  "this library makes no checkpoints; write what the program is to go on from into "
		  "files of its own");
}

void mcbsp_checkpoint(void)
{
	extras_refuse("mcbsp_checkpoint");
}

void mcbsp_enable_checkpoints(void)
{
	extras_refuse("mcbsp_enable_checkpoints");
}

void mcbsp_disable_checkpoints(void)
{
}

void mcbsp_set_checkpoint_frequency(size_t supersteps)
{
	frequency.usual = supersteps;
}

size_t mcbsp_get_checkpoint_frequency(void)
{
	return frequency.usual;
}

void mcbsp_set_safe_checkpoint_frequency(size_t supersteps)
{
	frequency.safe = supersteps;
	frequency.safe_is_set = true;
}

size_t mcbsp_get_safe_checkpoint_frequency(void)
{
	return frequency.safe_is_set ? frequency.safe : frequency.usual;
}

void mcbsp_profiling_set_description(const char *name)
{
	(void)name;
}
