/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - files that are read, to whatever their names lead. */
#ifndef INPUT_H
#define INPUT_H

#include <stdio.h>

/*
 * A descriptor of a file, or of /dev/null as an empty one, to read it, or -1 and errno: EISDIR;
 * EINVAL: it is something else that is no file. A pipe is not waited for.
 */
int input_descriptor(const char *path);
/* The same as a stream, or NULL. */
FILE *input_open(const char *path);
/*
 * For a file that a user names, which may be a pipe, as of <(command) of a shell, or a device:
 * ENXIO if no process opens the other end of a pipe within some seconds.
 */
FILE *input_open_any(const char *path);
/* Why it cannot be opened, or read, by the errno of these. */
const char *input_reason(int err);

#endif
