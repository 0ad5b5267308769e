// SPDX-License-Identifier: BSD-3-Clause
/* offload_incast.c - several senders and one receiver, whose link is congested: ESP and TCP. */

/*
 * Host h1 receives, hosts h2, h3, ... send, each over a connection of its own; all begin at once
 * with a message of the same length, and a round is over when all have come. The narrow link, and
 * the frames that its queue holds, are the script's (congestion.sh).
 */
#include "offload.h"

#include "enet.h"
#include "tools/measure/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 2100, PIECE = 64 << 10, MOST_ROUNDS = 1000, WARM = 1 };

static struct shared {
	pthread_barrier_t barrier;
} *shared;

static char piece[PIECE];

static void incast_meet(void)
{
	pthread_barrier_wait(&shared->barrier);
}

/* ---- Connections ------------------------------------------------------------------------ */

/* The receiver's address, in @at; its length. */
static socklen_t receiver_at(bool esp, struct sockaddr_storage *at)
{
	struct sockaddr_en en = { .sen_family = AF_ENET, .sen_port = htons(PORT),
				  .sen_ifindex = if_nametoindex("eth0"),
				  .sen_addrlen = ENET_ADDR_BYTES,
				  .sen_addr = { 2, 0, 0, 0, 1, 1 } };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(PORT),
				  .sin_addr.s_addr = htonl(0x0a000001u) };

	memset(at, 0, sizeof *at);
	if (esp)
		memcpy(at, &en, sizeof en);
	else
		memcpy(at, &in, sizeof in);
	return esp ? sizeof en : sizeof in;
}

static int incast_socket(bool esp)
{
	int fd = socket(esp ? AF_ENET : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		offload_fail("socket");
	return fd;
}

static void incast_accept(bool esp, int nsenders, struct pollfd *from)
{
	int listener = incast_socket(esp), yes = 1;
	struct sockaddr_storage at;
	socklen_t len = receiver_at(esp, &at);

	if (!esp)
		setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(listener, (struct sockaddr *)&at, len) || listen(listener, nsenders))
		offload_fail("listen");
	incast_meet();
	for (int i = 0; i < nsenders; i++) {
		from[i] = (struct pollfd){ .fd = accept(listener, NULL, NULL), .events = POLLIN };
		if (from[i].fd < 0)
			offload_fail("accept");
	}
	close(listener);
}

static int incast_connect(bool esp)
{
	int fd = incast_socket(esp);
	struct sockaddr_storage at;
	socklen_t len = receiver_at(esp, &at);

	incast_meet();
	if (connect(fd, (struct sockaddr *)&at, len))
		offload_fail("connect");
	return fd;
}

/* ---- A round ---------------------------------------------------------------------------- */

static void incast_send(int fd, long bytes)
{
	while (bytes > 0) {
		ssize_t n = send(fd, piece, bytes < PIECE ? (size_t)bytes : PIECE, MSG_NOSIGNAL);

		if (n <= 0)
			offload_fail("send");
		bytes -= n;
	}
}

/* Take the bytes that there are of one sender. */
static long incast_take(int fd, long left)
{
	ssize_t n = recv(fd, piece, left < PIECE ? (size_t)left : PIECE, MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN))
		offload_fail("recv");
	return n < 0 ? 0 : n;
}

/*
 * Seconds since @began until all have come; *@fair: the index of Jain of the rates, 1: all have the
 * same.
 */
static double incast_receive(struct pollfd *from, int nsenders, long bytes, double began,
			     double *fair)
{
	double now = began, sum = 0, squares = 0;
	long left[OFFLOAD_HOSTS];
	int open = nsenders;

	for (int i = 0; i < nsenders; i++) {
		left[i] = bytes;
		from[i].events = POLLIN;
	}
	while (open > 0) {
		if (poll(from, (nfds_t)nsenders, 60000) <= 0)
			offload_fail("poll");
		for (int i = 0; i < nsenders; i++) {
			if (!left[i] || !from[i].revents)
				continue;
			left[i] -= incast_take(from[i].fd, left[i]);
			if (left[i])
				continue;
			from[i].events = 0;
			open--;
			now = clock_now_s();
			sum += 1 / (now - began);
			squares += 1 / (now - began) / (now - began);
		}
	}
	*fair = sum * sum / nsenders / squares;
	return now - began;
}

static void incast_rounds_of_receiver(bool esp, int nsenders, int rounds, long bytes,
				      const char *link)
{
	static double goodput[MOST_ROUNDS], fair[MOST_ROUNDS];
	struct pollfd from[OFFLOAD_HOSTS];
	const char *way = esp ? "esp" : "tcp";
	char what[24];

	incast_accept(esp, nsenders, from);
	for (int r = -WARM; r < rounds; r++) {
		double even, seconds, began = clock_now_s();

		incast_meet();
		seconds = incast_receive(from, nsenders, bytes, began, &even);
		if (r < 0)
			continue;
		goodput[r] = 8e-6 * (double)bytes * nsenders / seconds;
		fair[r] = even;
	}
	snprintf(what, sizeof what, "%ld", bytes);
	offload_row("goodput", what, way, nsenders, link, goodput, rounds);
	offload_row("fair", what, way, nsenders, link, fair, rounds);
}

static void incast_rounds_of_sender(bool esp, int rounds, long bytes)
{
	int fd = incast_connect(esp);

	for (int r = -WARM; r < rounds; r++) {
		incast_meet();
		incast_send(fd, bytes);
	}
}

/* ---- Processes -------------------------------------------------------------------------- */

static void incast_process(int rank, bool esp, int nsenders, int rounds, long bytes,
			   const char *link)
{
	offload_enter(rank);
	if (rank == 0)
		incast_rounds_of_receiver(esp, nsenders, rounds, bytes, link);
	else
		incast_rounds_of_sender(esp, rounds, bytes);
	incast_meet();
	_exit(EXIT_SUCCESS);
}

void offload_incast(bool esp, int nsenders, int rounds, long bytes, const char *link)
{
	pthread_barrierattr_t attr;
	pid_t child[OFFLOAD_HOSTS];
	int status, failed = 0;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		offload_fail("memory");
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &attr, (unsigned int)nsenders + 1);
	fflush(stdout);
	for (int q = 0; q <= nsenders; q++) {
		child[q] = fork();
		if (child[q] < 0)
			offload_fail("fork");
		if (child[q] == 0)
			incast_process(q, esp, nsenders, rounds, bytes, link);
	}
	for (int left = nsenders + 1; left > 0 && wait(&status) > 0; left--) {
		for (int q = 0; status && !failed && q <= nsenders; q++)
			kill(child[q], SIGKILL);
		failed |= status;
	}
	if (failed)
		exit(EXIT_FAILURE);
}
