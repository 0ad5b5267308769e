// SPDX-License-Identifier: BSD-3-Clause
/* many.c - jobs of one host have more connections than the kernel has ports for. */

/*
 * usage: many PEERS	of each of two jobs
 *
 * After segment() of testlib with two hosts. Both jobs are on h1, as rank 0 of each; all others are
 * sockets of this program on h2, which listen at the same addresses for both.
 */

#include "guest.h"

#include "goal.h"
#include "goal_task.h"

#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

enum { JOBS = 2, MOST = 2200, FIRST_PORT = 3000, PORT = 1924, TIMEOUT_MS = 300000 };

static int npeers, listeners[MOST];

static void listen_on_h2(void)
{
	struct rlimit files = { MOST + 100, MOST + 100 };
	int timeout = TIMEOUT_MS;

	if (setrlimit(RLIMIT_NOFILE, &files))
		bail("setrlimit");
	for (int i = 0; i < npeers; i++) {
		struct sockaddr_en here = address(FIRST_PORT + i, 0, NULL);

		listeners[i] = socket_in("h2", SOCK_STREAM);
		/* a debug kernel may be longer than the usual minute behind with so many */
		if (setsockopt(listeners[i], SOL_ENET, ESP_SO_TIMEOUT, &timeout,
			       sizeof(timeout)) ||
		    bind(listeners[i], generic(&here), sizeof(here)) || listen(listeners[i], JOBS))
			bail("listen");
	}
}

static int join_on_h1(int which)
{
	static struct sockaddr_en peers[MOST + 1];
	struct espgoal_join join = { .version = ESPGOAL_VERSION,
				     .nprocs = npeers + 1,
				     .networks = 1,
				     .key = 17 + which,
				     .peers = (uintptr_t)peers,
				     .timeout_ms = TIMEOUT_MS };
	unsigned int index;
	int fd;

	enter("h1");
	index = if_nametoindex("eth0");
	peers[0] = address(PORT + which, index, "02:00:00:00:01:01");
	for (int i = 0; i < npeers; i++)
		peers[1 + i] = address(FIRST_PORT + i, index, "02:00:00:00:01:02");
	fd = open("/dev/espgoal", O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, ESPGOAL_JOIN, &join))
		bail("join");
	return fd;
}

static uint32_t load_words(int fd)
{
	struct goal_graph *g = goal_graph_create(npeers + 1, 0);
	struct espgoal_load load = { 0 };
	int word = goal_buffer(g);
	size_t len;
	void *block;

	for (int i = 0; i < npeers; i++)
		goal_send(g, sizeof(int), GOAL_AT(word, 0), 1 + i, 7);
	goal_buffer_at_least(g, word, sizeof(int));
	block = goal_compile(g, &len);
	load.block = (uintptr_t)block;
	load.bytes = len;
	if (!block || ioctl(fd, ESPGOAL_LOAD, &load))
		bail("load");
	free(block);
	goal_graph_destroy(g);
	return load.id;
}

/* It ends when each connection has been made and has taken a word. 0, or an errno. */
static int send_words(int fd)
{
	int word = 17;

	return run_once(fd, load_words(fd), &word, NULL);
}

/* Connections that h2 has from both jobs, all of which are there already. */
static int count_accepted(void)
{
	int n = 0;

	for (int i = 0; i < npeers * JOBS; i++) {
		struct pollfd p = { .fd = listeners[i % npeers], .events = POLLIN };
		int fd = poll(&p, 1, TIMEOUT_MS) == 1 ? accept(p.fd, NULL, NULL) : -1;

		if (fd < 0)
			break;
		n++;
		close(fd);
	}
	return n;
}

int main(int argc, char **argv)
{
	int jobs[JOBS];

	npeers = argc == 2 ? atoi(argv[1]) : 0;
	if (npeers < 1 || npeers > MOST)
		bail("usage");
	listen_on_h2();
	for (int which = 0; which < JOBS; which++) {
		jobs[which] = join_on_h1(which);
		is(send_words(jobs[which]), 0, "a job of thousands sends to each of its processes");
	}
	is(count_accepted(), JOBS * npeers, "connections of all jobs exist at once");
	for (int which = 0; which < JOBS; which++)
		close(jobs[which]);
	return done_testing();
}
