/* SPDX-License-Identifier: BSD-3-Clause */
/* address.h - what messages say of an address. */
#ifndef BSPI_ADDRESS_H
#define BSPI_ADDRESS_H

/* "NULL", or the address in hexadecimal; one of the last few results. */
const char *bspi_address_text(const void *at);
/* "the area registered at FILE:LINE", until the next call. */
struct bspi_slot;
const char *bspi_area_text(const struct bspi_slot *s);
/* It names no area in @call, or none to pop: end the job with what it is instead. */
_Noreturn __attribute__((cold))
void bspi_refuse_address(const char *call, const char *site, const void *area);
_Noreturn __attribute__((cold)) void bspi_refuse_pop(const char *site, const void *area);

#endif
