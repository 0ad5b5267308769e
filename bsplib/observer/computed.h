/* SPDX-License-Identifier: BSD-3-Clause */
/* computed.h - processor time that is computed, and the library's share of it. */
#ifndef BSPI_COMPUTED_H
#define BSPI_COMPUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bspi_computed {
	uint64_t processor;	/* ns, from the end of one call to the beginning of the next */
	uint64_t library;	/* of that: in puts, gets and messages, which end no piece */
};

/* In real time. Then an event of an observer: the process computes from now on, or does not. */
void bspi_computed_open(void);
void bspi_computed_turns(bool on);
/* In a call that copies @nbytes, before it does. */
void bspi_computed_copies(size_t nbytes);
/* A call begins that ends the piece; the next one begins with the end of that call. */
struct bspi_computed bspi_computed_take(void);

#endif
