/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.h - error messages of a command, and its exit statuses: those of a shell. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

enum { EXIT_USAGE = 2, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* The name that messages of this process begin with. main() calls it first. */
void complain_as(const char *program);

/* The name, ": " and the message, on standard error. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* Likewise, and end the process with @status. */
__attribute__((format(printf, 2, 3)))
_Noreturn void fail(int status, const char *format, ...);

#endif
