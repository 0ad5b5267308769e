/* SPDX-License-Identifier: BSD-3-Clause */
/* ask.h - puts that ask first, as those of the paper do: req, ack, data. */
#ifndef BSPI_ASK_H
#define BSPI_ASK_H

#include "bsplib/engine/engine.h"
#include "bsplib/transfer/chunked.h"

/* The request leaves at once. */
void bspi_ask_put(const struct bspi_transfer *t, uint32_t slot, bool copy);
/* In bsp_sync: send what has been granted before, or with a barrier all. */
void bspi_ask_send(bool barrier);
/* Until all are sent. */
void bspi_ask_wait(void);
/* Some are not granted yet. */
bool bspi_asking(void);
/* The requests of a chunk have taken effect: they are granted. */
void bspi_ask_answer(const struct bspi_arrival *a);
void bspi_ask_forget(void);
void bspi_ask_open(void);
void bspi_ask_close(void);

#endif
