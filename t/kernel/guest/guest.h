/* SPDX-License-Identifier: BSD-3-Clause */
/* guest.h - test programs in a guest: sockets in any of its namespaces, and TAP. */
#ifndef GUEST_H
#define GUEST_H

#include "enet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int guest_tests;

static inline bool ok(bool good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++guest_tests, what);
	fflush(stdout);
	return good;
}

static inline void is(long got, long wanted, const char *what)
{
	if (!ok(got == wanted, what))
		printf("# got %ld, wanted %ld\n", got, wanted);
}

/* A call failed with @wanted. */
static inline void fails(long result, int wanted, const char *what)
{
	int err = errno;

	if (!ok(result == -1 && err == wanted, what))
		printf("# returned %ld, %s; wanted %s\n", result,
		       result == -1 ? strerror(err) : "", strerrordesc_np(wanted));
}

static inline void bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline int done_testing(void)
{
	printf("1..%d\n", guest_tests);
	return 0;
}

/* From here on sockets are opened in namespace @name; what is open stays where it is. */
static inline void enter(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		bail(path);
	close(fd);
}

static inline int socket_in(const char *name, int type)
{
	int fd;

	enter(name);
	fd = socket(AF_ENET, type, 0);
	if (fd < 0)
		bail("socket");
	return fd;
}

static inline struct sockaddr_en address(int port, unsigned int ifindex, const char *mac)
{
	struct sockaddr_en en = { .sen_family = AF_ENET, .sen_port = htons(port),
				  .sen_ifindex = ifindex };

	if (mac && sscanf(mac, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", en.sen_addr, en.sen_addr + 1,
			  en.sen_addr + 2, en.sen_addr + 3, en.sen_addr + 4, en.sen_addr + 5) == 6)
		en.sen_addrlen = ENET_ADDR_BYTES;
	return en;
}

static inline struct sockaddr *generic(struct sockaddr_en *en)
{
	return (struct sockaddr *)en;
}

/* Until process or thread @task has been in system call @wanted for a while: it sleeps there. */
static inline void await_sleep(pid_t task, long wanted)
{
	enum { TIMES = 10, INTERVAL_US = 20000 };
	char path[64], line[32];

	snprintf(path, sizeof(path), "/proc/%d/syscall", task);
	for (int seen = 0; seen < TIMES; seen++) {
		FILE *f = fopen(path, "r");
		long call = -1;

		if (!f)
			bail(path);
		if (fgets(line, sizeof(line), f))
			sscanf(line, "%ld", &call);	/* "running" else */
		fclose(f);
		if (call != wanted)
			seen = -1;
		usleep(INTERVAL_US);
	}
}

/* The two hosts of cable() in testlib. */
#define MAC_A "02:00:00:00:00:01"
#define MAC_B "02:00:00:00:00:02"

#endif
