// SPDX-License-Identifier: BSD-3-Clause
/* measurements.c - what is read of a file of measurements. */

#include "bsplib/model/measurements.h"

#include <stdio.h>
#include <string.h>

void bspi_measurements_add(struct bspi_measurements *all, const struct bspi_measured *m)
{
	size_t used = strlen(all->list);

	if (++all->n == (all->entry ? all->entry : 1))
		all->chosen = *m;
	snprintf(all->list + used, sizeof(all->list) - used, "%s%d %s, %d processes",
		 used ? "; " : "", all->n, m->module, m->nprocs);
}
