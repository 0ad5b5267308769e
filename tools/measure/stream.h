/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - sockets of streams as networks are measured with them: fast, and never blocking. */
#ifndef MEASURE_STREAM_H
#define MEASURE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Listen at @at, which then has the port; or -1 and errno. */
int stream_listen(struct sockaddr *at, socklen_t len, int backlog);
/* Connect to @there, which need not accept yet; or -1 and errno. */
int stream_connect(const struct sockaddr *there, socklen_t len);
/* With large buffers, without delay if it is TCP. False: some of that was not possible. */
bool stream_tune(int fd, bool tcp);

/*
 * Write or read a part of @left bytes, without waiting: how many, 0 if none can be now, -1 if
 * the connection is lost, and errno is 0 if the other side has closed it.
 */
ssize_t stream_write(int fd, const void *from, size_t left);
ssize_t stream_read(int fd, void *to, size_t left);
/* The errno in words. */
const char *stream_loss(int error);

#endif
