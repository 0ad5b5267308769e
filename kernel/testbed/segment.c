// SPDX-License-Identifier: GPL-2.0-only
/* segment.c - joins the guests of a run: an Ethernet segment, and a barrier. */

/*
 * usage: segment FOLDER N
 *
 * It makes in FOLDER
 *	hub		a datagram socket: a frame from the cable.I of a guest goes to all others
 *	bell.I		a stream socket, to which QEMU connects the third serial port of guest I
 *	ready		a file, made last: an argument for the kernels of the guests, how fast the
 *			counter of the processor counts; empty where it has none
 *
 * A guest that writes a line to its bell has entered the next barrier. When all guests that are
 * alive have, each of them gets a line. A guest is alive until its QEMU closes the bell.
 *
 * The program ends when all guests have, or by a signal. A frame for a guest that does not read for
 * a while is lost, as on a real segment.
 */

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { GUESTS_MOST = 16, FRAME_MOST = 65536, BUFFER_BYTES = 4 << 20 };

struct guest {
	struct sockaddr_un cable;
	int bell;		/* listening socket until the guest connects; -1: it has ended */
	bool there;
	bool waits;
};

static struct guest guests[GUESTS_MOST];
static int nguests, hub;

static void fail(const char *what)
{
	fprintf(stderr, "segment: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct sockaddr_un path(const char *folder, const char *name, int i)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int n = i ? snprintf(un.sun_path, sizeof(un.sun_path), "%s/%s.%d", folder, name, i) :
		    snprintf(un.sun_path, sizeof(un.sun_path), "%s/%s", folder, name);

	errno = ENAMETOOLONG;
	if (n >= (int)sizeof(un.sun_path))
		fail(folder);
	return un;
}

static int bound(int type, struct sockaddr_un at)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0)
		fail(at.sun_path);
	return fd;
}

/* A guest that does not read delays the others for at most this. */
static void open_hub(const char *folder)
{
	struct timeval a_moment = { .tv_usec = 100000 };
	int bytes = BUFFER_BYTES;

	hub = bound(SOCK_DGRAM, path(folder, "hub", 0));
	setsockopt(hub, SOL_SOCKET, SO_SNDTIMEO, &a_moment, sizeof(a_moment));
	setsockopt(hub, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
}

static void open_guest(const char *folder, int i)
{
	guests[i].cable = path(folder, "cable", i + 1);
	guests[i].bell = bound(SOCK_STREAM, path(folder, "bell", i + 1));
	if (listen(guests[i].bell, 1) < 0)
		fail("listen");
}

/* ---- The segment -------------------------------------------------------------- */

static void carry_frame(void)
{
	static char frame[FRAME_MOST];
	struct sockaddr_un from = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(from);
	ssize_t n = recvfrom(hub, frame, sizeof(frame), 0, (struct sockaddr *)&from, &len);

	for (int i = 0; n > 0 && i < nguests; i++) {
		const struct sockaddr_un *to = &guests[i].cable;

		if (guests[i].bell < 0 || strcmp(from.sun_path, to->sun_path) == 0)
			continue;
		if (sendto(hub, frame, (size_t)n, 0, (const struct sockaddr *)to, sizeof(*to)) < 0)
			continue;	/* it has not started yet, has ended, or is busy */
	}
}

/* ---- The bell --------------------------------------------------------------------- */

/* A guest that cannot be written to has ended. */
static void end_guest(struct guest *g)
{
	close(g->bell);
	g->bell = -1;
}

static void come(struct guest *g)
{
	int fd = accept(g->bell, NULL, NULL);

	close(g->bell);
	g->bell = fd;
	g->there = true;
}

static void receive_line(struct guest *g)
{
	char bytes[64];
	ssize_t n = read(g->bell, bytes, sizeof(bytes));

	if (n <= 0)
		end_guest(g);
	else if (memchr(bytes, '\n', (size_t)n))
		g->waits = true;
}

static void ring_if_all_wait(void)
{
	for (int i = 0; i < nguests; i++)
		if (guests[i].bell >= 0 && !guests[i].waits)
			return;
	for (int i = 0; i < nguests; i++) {
		guests[i].waits = false;
		if (guests[i].bell >= 0 && write(guests[i].bell, "go\n", 3) != 3)
			end_guest(&guests[i]);
	}
}

static bool is_one_alive(void)
{
	for (int i = 0; i < nguests; i++)
		if (guests[i].bell >= 0)
			return true;
	return false;
}

static void see_to_bells(const struct pollfd *fds)
{
	for (int i = 0; i < nguests; i++) {
		if (!fds[i].revents)
			continue;
		if (guests[i].there)
			receive_line(&guests[i]);
		else
			come(&guests[i]);
	}
	ring_if_all_wait();
}

#if defined(__x86_64__)
/* The counter, and in @ns when it was read: between two looks at the clock within 5 us. */
static unsigned long long read_tsc(unsigned long long *ns)
{
	unsigned long long count = 0;
	struct timespec before, after;
	long between;

	for (int i = 0; i < 10000; i++) {
		clock_gettime(CLOCK_MONOTONIC, &before);
		count = __builtin_ia32_rdtsc();
		clock_gettime(CLOCK_MONOTONIC, &after);
		between = after.tv_nsec - before.tv_nsec;
		if (after.tv_sec == before.tv_sec && between < 5000)
			break;
	}
	*ns = (unsigned long long)after.tv_sec * 1000000000 + (unsigned long long)after.tv_nsec;
	return count;
}

/*
 * An emulated processor has the counter of this one. A guest that has to wait for a processor while
 * it boots measures it wrongly, by up to 20 %, and then a second there is not one of another guest.
 */
static void write_clock(FILE *to)
{
	unsigned long long begin, end, first = read_tsc(&begin), last;

	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	last = read_tsc(&end);
	fprintf(to, "tsc_early_khz=%llu\n", (last - first) * 1000000 / (end - begin));
}
#else
static void write_clock(FILE *to)
{
	(void)to;
}
#endif

/* The file is whole when it has its name. */
static void write_ready(const char *folder)
{
	struct sockaddr_un new = path(folder, "ready.new", 0), name = path(folder, "ready", 0);
	FILE *ready = fopen(new.sun_path, "w");

	if (!ready)
		fail("ready");
	write_clock(ready);
	if (fclose(ready) || rename(new.sun_path, name.sun_path))
		fail("ready");
}

int main(int argc, char **argv)
{
	struct pollfd fds[GUESTS_MOST + 1];

	nguests = argc == 3 ? atoi(argv[2]) : 0;
	if (nguests < 1 || nguests > GUESTS_MOST) {
		fprintf(stderr, "usage: segment FOLDER N\n");
		return 2;
	}
	open_hub(argv[1]);
	for (int i = 0; i < nguests; i++)
		open_guest(argv[1], i);
	write_ready(argv[1]);
	while (is_one_alive()) {
		for (int i = 0; i < nguests; i++)
			fds[i] = (struct pollfd){ .fd = guests[i].bell, .events = POLLIN };
		fds[nguests] = (struct pollfd){ .fd = hub, .events = POLLIN };
		if (poll(fds, (nfds_t)nguests + 1, -1) <= 0)
			continue;
		if (fds[nguests].revents)
			carry_frame();
		see_to_bells(fds);
	}
	return 0;
}
