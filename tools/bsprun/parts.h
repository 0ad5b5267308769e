/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - options for jobs of several parts: --discover, --part and --nodes. */
#ifndef BSPRUN_PARTS_H
#define BSPRUN_PARTS_H

#include <stdbool.h>

/* Other options of the command line. */
struct parts_request {
	bool hosts;			/* -H or --hostfile */
	const char *launcher;		/* or NULL */
	bool compare;
};

/* End the program if the settings in the environment do not make sense with these. */
void parts_check(const struct parts_request *request);

/* Do the settings say that the program starts its processes on this machine, without a launcher? */
bool parts_are_here(void);

#endif
