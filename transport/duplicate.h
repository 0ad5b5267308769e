/* SPDX-License-Identifier: BSD-3-Clause */
/* duplicate.h - addresses of this machine that another machine of the job has as well. */
#ifndef BSPT_DUPLICATE_H
#define BSPT_DUPLICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bspt_wire;
struct sockaddr;

enum { BSPT_DUPLICATES_MOST = 14 };	/* addresses of a machine that are compared */

/*
 * Find them: IPv4, in network order, and 0 after the last. Called by all processes of the wire.
 * 0 or a negative errno.
 */
int bspt_duplicate_find(struct bspt_wire *w, uint32_t duplicates[BSPT_DUPLICATES_MOST]);
/* Is @address one of @duplicates? NULL: there are none. */
bool bspt_duplicate_has(const uint32_t *duplicates, const struct sockaddr *address);
/* "172.17.0.1,172.18.0.1", with @end after each; "" if there is none. */
void bspt_duplicate_list(const uint32_t *duplicates, const char *end, char *text, size_t len);

#endif
