/* SPDX-License-Identifier: BSD-3-Clause */
/* credit.h - how far a process may run ahead of a peer that takes in no chunks. */
#ifndef BSPI_CREDIT_H
#define BSPI_CREDIT_H

/* At the end of a relaxed superstep: wait for peers that are too far behind. */
void bspi_credit_wait(void);

#endif
