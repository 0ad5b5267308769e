// SPDX-License-Identifier: BSD-3-Clause
/* observe.c - the list of observers. */

#include "bsplib/core/observe.h"

#include "bsplib/core/state.h"

void bspi_observe(struct bspi_observer *o)
{
	struct bspi_observer **end = &bspi.observers;

	while (*end)
		end = &(*end)->next;
	o->next = NULL;
	*end = o;
}
