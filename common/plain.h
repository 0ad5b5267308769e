/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - numbers as text with a decimal point, whatever locale the program has chosen. */

/*
 * After setlocale() in a program, or uselocale() in its thread, strtod() and printf() have the
 * decimal comma of many countries. Numbers that other programs read, and that users write here,
 * have a point.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>
#include <stdio.h>

double plain_strtod(const char *text, char **end);

__attribute__((format(printf, 2, 3)))
int plain_fprintf(FILE *out, const char *format, ...);

__attribute__((format(printf, 3, 4)))
int plain_snprintf(char *text, size_t len, const char *format, ...);

#endif
