/* SPDX-License-Identifier: BSD-3-Clause */
/* partners.h - which processes exchange data in classic supersteps. */
#ifndef BSPI_PARTNERS_H
#define BSPI_PARTNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The processes that one transfers to: a bit for each. */
struct bspi_partners {
	uint64_t steps;		/* classic supersteps in which it transfers */
	unsigned char bits[];
};

size_t bspi_partners_bytes(void);
/* Without bspi_partners_open() these do nothing, and the last returns NULL. */
void bspi_partners_note(int pid);
void bspi_partners_step(bool classic);
const struct bspi_partners *bspi_partners_kept(void);
/* On process 0: those of process @from; a line, if lists of neighbours suggest themselves. */
void bspi_partners_take(int from, const struct bspi_partners *p);
void bspi_partners_report(void);
void bspi_partners_open(void);
void bspi_partners_close(void);

#endif
