/* SPDX-License-Identifier: BSD-3-Clause */
/* handler.h - records of puts and gets that have come: written, or read and answered. */
#ifndef BSPI_HANDLER_H
#define BSPI_HANDLER_H

#include "bsplib/engine/record.h"

/* For an observer that wraps them. */
bspi_handler bspi_write_puts, bspi_write_put_parts, bspi_answer_gets;
/* Puts count as updates, or do not. */
void bspi_puts_count(bool on);
void bspi_handlers_open(void);

#endif
