/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - networks to emulate or to predict for that a file of measurements describes. */
#ifndef BSPI_NETWORK_H
#define BSPI_NETWORK_H

#include "bsplib/model/loggp.h"

#include <stdbool.h>
#include <stddef.h>

struct bspi_plogp;

enum {
	BSPI_EMULATE_MOST = 1024,	/* of what BSP_EMULATE says */
	BSPI_NETWORK_WHY = 500,		/* room for each reason */
	BSPI_MODULE_MOST = 128,
};

/* In ns: what a byte takes at least on a network that can be emulated, and any time at most. */
#define BSPI_EMULATED_BYTE_LEAST 0.0005
#define BSPI_EMULATED_TIME_MOST 1e12

/* One measurement of a network. */
struct bspi_measured {
	char module[BSPI_MODULE_MOST];	/* what moved the messages */
	int nprocs;
	struct bspi_loggp net;
};

/*
 * bspi_network_text - what the emulator can read for what BSP_EMULATE or --emulate says
 * @given: "@FILE", and after commas entry=N and what is to differ, as in "@gauge.json,cpu=80"; or
 *	anything else, which is copied as it is
 * @text: receives the text, as in "L=24us,o=10us,g=10us,G=29.2ns,cpu=80"; may be @given
 * @why: receives the reason if the file gives no network: file, line and what to do
 *
 * Returns 0 or -1. The same file gives the same text; nothing is kept between calls. Parameters
 * behind the name are passed on as they are: the emulator refuses those that it does not know.
 */
int bspi_network_text(const char *given, char *text, size_t len, char *why, size_t why_len);

/*
 * bspi_network_measured - one of the measurements of a file of bspgauge --json or bspprobe --json
 * @entry: which, from 1 on; 0: the only one
 *
 * Returns 0, or -1 and the reason.
 */
int bspi_network_measured(const char *path, int entry, struct bspi_measured *out, char *why,
			  size_t len);

enum bspi_gaps {
	BSPI_GAPS_MEASURED,	/* as they were */
	BSPI_GAPS_MENDED,	/* others now */
	BSPI_GAPS_SHORT,	/* all messages are as long on the way: nothing can be emulated */
};

/*
 * bspi_network_mend_gaps - make gaps from which a network can be emulated
 * @p: sizes and gaps, as they are about to be written
 *
 * Where a byte takes less than can be emulated, as if longer messages took no more time, the gaps
 * become the nearest ones, by least squares, between which each byte takes as much.
 */
enum bspi_gaps bspi_network_mend_gaps(struct bspi_plogp *p);

#endif
