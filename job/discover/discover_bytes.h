/* SPDX-License-Identifier: BSD-3-Clause */
/* discover_bytes.h - bytes of messages between supervisors, as many as come. */
#ifndef BSPJ_DISCOVER_BYTES_H
#define BSPJ_DISCOVER_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* All 0: none. The memory at @at is the owner's to free. */
struct bspj_bytes {
	char *at;
	size_t len, room;
};

/* Make room for @more bytes behind those that are there. False: no memory, and nothing changes. */
bool bspj_bytes_reserve(struct bspj_bytes *b, size_t more);

#endif
