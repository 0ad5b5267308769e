/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - transports beside what lies below them: the driver's other table. */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H

#include "table.h"

struct network {
	const char *transports;	/* "all", or names separated by commas */
	const char *command;
	const char *directory;	/* of the benchmark's programs */
	const char *only;	/* rows; NULL all */
	const char *csv;	/* files; NULL none */
	const char *markdown;
	bool quick;
	bool without_mpi;
	double seconds;
	int ncores;
	int nprocs[TABLE_PARTS];	/* ends with 0; the first 0: as many as are worth it */
};

/* Measure and print. The exit status: not 0 if one that was named, or can run, failed. */
int network_measure(const struct network *network);

#endif
