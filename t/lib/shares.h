/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.h - the processors that each process gets out of the cores of a machine. */
#ifndef SHARES_H
#define SHARES_H

#include "tap.h"

#include "job/launch/cores.h"

#include <stdio.h>
#include <string.h>

enum { SHARES_MOST = 64 };

/* @nprocs processes get @wanted of @n cores, as in "0-3 | 4-7", or "none". */
static inline void shares_are(const struct bspj_core *cores, int n, enum bspj_bind how, int nprocs,
			      const char *wanted)
{
	cpu_set_t sets[SHARES_MOST];
	char seen[1000] = "", list[100];
	int each = bspj_cores_each(cores, n, nprocs, BSPJ_CPUS_MOST);

	if (!bspj_cores_deal(cores, n, how, each, nprocs, sets))
		strcpy(seen, "none");
	else
		for (int p = 0; p < nprocs; p++) {
			bspj_cpus_write(&sets[p], list, sizeof list);
			snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%s",
				 p ? " | " : "", list);
		}
	is_str(wanted, seen, "%d processes on %d cores", nprocs, n);
}

#endif
