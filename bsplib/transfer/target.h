/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - puts and gets on the process that owns the region. */
#ifndef BSPI_TARGET_H
#define BSPI_TARGET_H

#include "bsplib/engine/record.h"
#include "bsplib/transfer/region.h"

/* The rest of a record of bspi_put_announce(); where @nbytes of a put go, checked. */
const void *bspi_put_rest(const struct bspi_rec *rec);
char *bspi_put_target(int from, const struct bspi_rec *rec, size_t nbytes);
/* It is there: an update. */
void bspi_put_count(const struct bspi_origin *origin, uint32_t slot, bool hp);
/* Where the put or get of a record was called, packed. */
int64_t bspi_site_of(const struct bspi_rec *rec);
/* @from has answered so many bytes of our gets, here or announced. */
void bspi_note_answer(int from, size_t nbytes);

/*
 * Handlers of puts and gets that come, for an observer that wraps them; and so that puts count
 * as updates, or do not.
 */
bspi_handler bspi_write_puts, bspi_write_put_parts, bspi_answer_gets;
void bspi_puts_count(bool on);
void bspi_target_open(void);

#endif
