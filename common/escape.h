/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.h - any text in a page of HTML or a picture. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdio.h>

/*
 * @text to be read as it is, between tags or in an attribute; a control character is a question
 * mark.
 */
void html_escape(FILE *out, const char *text);

#endif
