// SPDX-License-Identifier: BSD-3-Clause
/* plain_api.c - calls that both interfaces share and that name no call site. */

#include "bsp.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/model/model.h"

#include <stdarg.h>

void bsp_abort_va(const char *format, va_list args)
{
	bspi_fail_va("bsp_abort", NULL, format, args);
}

void bsp_vabort(const char *format, va_list args)
{
	bspi_fail_va("bsp_abort", NULL, format, args);
}

void bsp_abort(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	bspi_fail_va("bsp_abort", NULL, format, args);
}

/* ---- Parameters of this run -------------------------------------------------------------- */

double bsp_s(void)
{
	bspi_require_running("bsp_s", NULL);
	return bspi_params()->slg.s;
}

double bsp_l(void)
{
	bspi_require_running("bsp_l", NULL);
	return bspi_params()->slg.l;
}

double bsp_g(void)
{
	bspi_require_running("bsp_g", NULL);
	return bspi_params()->slg.g;
}

int bsp_nhalf(void)
{
	bspi_require_running("bsp_nhalf", NULL);
	return bspi_params()->slg.nhalf;
}
