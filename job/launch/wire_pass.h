/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_pass.h - a file without a name, passed to the other processes of a machine by a socket. */
#ifndef BSPJ_WIRE_PASS_H
#define BSPJ_WIRE_PASS_H

#include <stdint.h>

/*
 * Listen for processes that want a file: a socket or a negative errno.
 * @name: receives where; not 0
 */
int bspj_pass_listen(uint64_t *name);
/* Connect and say @secret, in a process that wants the file: a socket or a negative errno. */
int bspj_pass_connect(uint64_t name, uint64_t secret);
/*
 * Give @fd to @n processes that have said @secret. They have connected before, so this waits for
 * no others; what others said is ignored.
 */
void bspj_pass_give(int listener, int fd, uint64_t secret, int n);
/* The file, or a negative errno. */
int bspj_pass_take(int connection);

#endif
