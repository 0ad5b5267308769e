/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.h - what bsprun says on standard error, and its exit statuses: those of a shell. */
#ifndef BSPRUN_COMPLAIN_H
#define BSPRUN_COMPLAIN_H

enum { EXIT_USAGE = 2, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* "bsprun: " and the message, on standard error. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* Likewise, and end bsprun. */
__attribute__((format(printf, 2, 3)))
_Noreturn void fail(int status, const char *format, ...);

#endif
