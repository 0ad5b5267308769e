/* SPDX-License-Identifier: BSD-3-Clause */
/* effect.h - chunks that have arrived take effect. */
#ifndef BSPI_EFFECT_H
#define BSPI_EFFECT_H

#include "bsplib/engine/engine.h"

/*
 * The @n processes of @list, for which @is says so and for no others, in ascending order; without
 * a look at the others unless the list has many of them.
 */
void bspi_put_in_order(int *list, int n, bool (*is)(const struct bspi_out *));
/* Answer the requests in the held chunks of this superstep, from the i-th of them on. */
void bspi_serve_requests(size_t i);
/*
 * Held chunks of this superstep take effect; those with messages stay if these are read in
 * place.
 */
void bspi_apply(bool messages_stay);
/* One chunk does. */
void bspi_let_take_effect(const struct bspi_arrival *a);

#endif
