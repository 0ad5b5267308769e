// SPDX-License-Identifier: BSD-3-Clause
/* grown.c - a device asks for more room before its frames while a program that sends waits. */

/*
 * usage: grown stream|datagrams|smaller COMMAND. COMMAND makes the device of host a ask for more,
 * or its frames smaller than datagrams. The sender, who is not privileged, waits: in a stream as
 * no process reads, with datagrams as the device is slow.
 */

#include "guest.h"

#include <net/if.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { STREAM_PORT = 2000, DATAGRAM_PORT, UNPRIVILEGED = 1000 };
enum { BYTES = 4 << 20, DATAGRAM = 1600, DATAGRAMS = 200 };

static char block[BYTES];

static void send_stream(struct sockaddr_en *to)
{
	int fd = socket_in("a", SOCK_STREAM);

	if (setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED) ||
	    connect(fd, generic(to), sizeof(*to)))
		bail("connect");
	for (size_t done = 0; done < BYTES;) {
		ssize_t n = send(fd, block + done, BYTES - done, 0);

		if (n <= 0)
			bail("send");
		done += (size_t)n;
	}
	exit(0);
}

static void send_datagrams(struct sockaddr_en *to)
{
	int fd = socket_in("a", SOCK_DGRAM);

	if (setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED))
		bail("setresuid");
	for (int i = 0; i < DATAGRAMS; i++)
		if (sendto(fd, block, DATAGRAM, 0, generic(to), sizeof(*to)) != DATAGRAM)
			exit(errno);
	exit(0);
}

static void grow(const char *command)
{
	if (system(command))
		bail(command);
}

/* All that the sender sends has come as it was. */
static bool read_stream(int fd)
{
	size_t done = 0;

	for (ssize_t n; (n = recv(fd, block + done, BYTES - done, 0)) > 0;)
		done += (size_t)n;
	for (size_t i = 0; i < done; i++)
		if (block[i] != (char)(i % 251))
			return false;
	return done == BYTES;
}

static void stream(const char *command)
{
	struct sockaddr_en to, here = address(STREAM_PORT, 0, NULL);
	int at = socket_in("b", SOCK_STREAM), fd, status;
	pid_t sender;

	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	enter("a");
	to = address(STREAM_PORT, if_nametoindex("a0"), MAC_B);
	sender = fork();
	if (sender == 0)
		send_stream(&to);
	fd = accept(at, NULL, NULL);
	await_sleep(sender, SYS_sendto);
	grow(command);
	memset(block, 0, sizeof(block));
	ok(read_stream(fd), "ESP: all that was sent before and after arrives as it was");
	waitpid(sender, &status, 0);
	is(status, 0, "ESP: the sender ends well");
}

/* The sender ends with @result. */
static void datagrams(const char *command, int result, const char *what)
{
	struct sockaddr_en to;
	pid_t sender;
	int status;

	enter("a");
	to = address(DATAGRAM_PORT, if_nametoindex("a0"), MAC_B);
	sender = fork();
	if (sender == 0)
		send_datagrams(&to);
	await_sleep(sender, SYS_sendto);
	grow(command);
	waitpid(sender, &status, 0);
	is(WIFEXITED(status) ? WEXITSTATUS(status) : -1, result, what);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		bail("usage");
	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)(i % 251);
	if (strcmp(argv[1], "stream") == 0)
		stream(argv[2]);
	else if (strcmp(argv[1], "smaller") == 0)
		datagrams(argv[2], EMSGSIZE, "EDP: what is too large now is refused");
	else
		datagrams(argv[2], 0, "EDP: the sender ends well");
	return done_testing();
}
