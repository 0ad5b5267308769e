/* SPDX-License-Identifier: BSD-3-Clause */
/* callers.h - the callers of functions that contain calls, for recordings. */
#ifndef BSPI_CALLERS_H
#define BSPI_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

void bspi_callers_open(void);
void bspi_callers_close(void);

/*
 * Inside of a call at @site: from where the function that contains it is called, as the text of
 * CALLED_BY in common/recording.h, or NULL. It stays until bspi_callers_close(), the same for the
 * same addresses.
 */
const char *bspi_caller_of(const char *site);

/*
 * Callers of functions that make calls at sites that are numbers, by their binding: bsp/binding.h.
 * It stays for all SPMD parts.
 */
typedef void bspi_caller_finder(const char *site, const char **caller);
void bspi_find_callers_by(bspi_caller_finder *finder);

/* Is @caller another one than at the last time for the site of this number? At first it is 0. */
bool bspi_caller_changes(uint32_t site, uint32_t caller);

#endif
