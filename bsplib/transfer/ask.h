/* SPDX-License-Identifier: BSD-3-Clause */
/* ask.h - puts that ask first, as those of the paper do: req, ack, data. */
#ifndef BSPI_ASK_H
#define BSPI_ASK_H

#include "bsplib/engine/engine.h"
#include "bsplib/transfer/chunked.h"

void bspi_ask_put(const struct bspi_transfer *t, uint32_t slot, bool copy);
/* In bsp_sync: ask, or in one with a barrier just send. */
void bspi_ask_all(bool barrier);
/* Until all are sent. */
void bspi_ask_wait(void);
bool bspi_asking(void);
/* The requests of a chunk have taken effect: they are granted. */
void bspi_ask_answer(const struct bspi_arrival *a);
void bspi_ask_forget(void);
void bspi_ask_open(void);
void bspi_ask_close(void);

#endif
