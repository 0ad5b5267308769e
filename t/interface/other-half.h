/* SPDX-License-Identifier: BSD-3-Clause */
/* other-half.h - between the two halves of a test, that see different interfaces. */
#ifndef OTHER_HALF_H
#define OTHER_HALF_H

#include <stddef.h>

void other_put(unsigned int pid, const void *src, void *dst, size_t nbytes);
size_t other_hpmove(void **tag, void **payload);
size_t other_set_tagsize(size_t nbytes);
void other_push_and_sync(const void *area, size_t nbytes);
void other_begin(void);
void other_wrong_put(const void *src, void *dst);

#endif
