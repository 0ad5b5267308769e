/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - texts that come from outside: names of programs, hosts and files, damaged recordings. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/*
 * Bytes of the character of UTF-8 that @text begins with, of at most 4; 0: there is none, or it is
 * none (too long, a surrogate, beyond the last).
 */
size_t text_character(const char *text);

/* Make of each control character, and of each byte that is not UTF-8, a question mark. */
void text_make_printable(char *text);

#endif
