/* SPDX-License-Identifier: BSD-3-Clause */
/* measurements.h - what is read of a file of measurements, and what reads a report of bspgauge. */
#ifndef BSPI_MEASUREMENTS_H
#define BSPI_MEASUREMENTS_H

#include "bsplib/model/network.h"

#include <stdint.h>

struct json;

/* The measurements of a file under way. */
struct bspi_measurements {
	int entry;			/* the one that is wanted; 0: the only one */
	int n;				/* so far */
	struct bspi_measured chosen;
	char list[200];			/* what they are, in words */
	char member[40];		/* read last; what is wrong is there */
};

/* One more was read. */
void bspi_measurements_add(struct bspi_measurements *all, const struct bspi_measured *m);
/* network_gauge.c: all of a report of bspgauge; json->wrong if there is something wrong with it. */
void bspi_network_read_gauge(struct json *json, struct bspi_measurements *all);
/* network.c: the bytes that a message of a schedule occupies on the way. */
double bspi_network_wire_bytes(uint64_t bytes);
/* network.c: G of what is emulated for @p, in ns. */
double bspi_network_byte_of(const struct bspi_plogp *p);

#endif
