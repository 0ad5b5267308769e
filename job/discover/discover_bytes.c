// SPDX-License-Identifier: BSD-3-Clause
/* discover_bytes.c - bytes of messages between supervisors: room for more of them. */

#include "discover_bytes.h"

#include <stdlib.h>

bool bspj_bytes_reserve(struct bspj_bytes *b, size_t more)
{
	size_t room = b->room ? b->room : 4096;
	char *grown;

	while (room < b->len + more)
		room *= 2;
	grown = room > b->room ? realloc(b->at, room) : b->at;
	if (!grown)
		return false;
	b->at = grown;
	b->room = room;
	return true;
}
