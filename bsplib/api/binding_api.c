// SPDX-License-Identifier: BSD-3-Clause
/* binding_api.c - what bindings for other languages need: messages and lines of their own. */

#include "bsp/binding.h"

#include "bsplib/core/error.h"
#include "bsplib/observer/callers.h"
#include "job/job.h"

void bsp_find_sources_by(bsp_source_finder *finder)
{
	bspj_find_sources_by(finder);
}

const char *bsp_site_of_line(const char *file, unsigned int line)
{
	return bspj_site_of_line(file, line);
}

void bsp_find_callers_by(bsp_caller_finder *finder)
{
	bspi_find_callers_by(finder);
}

void bsp_refuse_at(const char *site, const char *call, const char *text)
{
	bspi_fail(call, site, "%s", text);
}
