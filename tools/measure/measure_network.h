/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_network.h - the numbers of a network that --emulate names, for tools that compute. */
#ifndef MEASURE_NETWORK_H
#define MEASURE_NETWORK_H

#include "bsplib/model/loggp.h"
#include "bsplib/model/network.h"

#include <stdbool.h>

struct measure_network {
	struct bspi_loggp net;		/* ns, and ns for a byte */
	double cpu;			/* computation takes so many times that here; 0: none */
	char text[BSPI_EMULATE_MOST];	/* as the emulator reads it, without the name of a file */
};

/*
 * measure_network_read - a network by what bsprun --emulate takes
 * @given: a name (sp2), parameters (L=5us,o=1us), or a file of bspgauge or bspprobe (@gauge.json);
 *	behind a name or a file parameters that replace its own
 * @why: receives the reason if it is none; BSPI_NETWORK_WHY bytes are enough
 *
 * Nothing but the file is read, and nothing kept: the same text gives the same numbers as the
 * emulator has. jitter, seed and reorder are accepted and are only in the text.
 */
bool measure_network_read(const char *given, struct measure_network *out, char *why, size_t len);

#endif
