// SPDX-License-Identifier: BSD-3-Clause
/* storm.c - many processes open, use and break connections at random, while what they run on
 * changes under them. */

/*
 * usage: storm calm SEED PROCESSES ROUNDS	each makes connections to the others, in namespaces
 *						h1 to h4 (segment() in testlib), and ends them in
 *						every way; at last a good one works
 *	  storm crowd N			N connections to one receiver at once; all bytes arrive
 *	  storm flood PROCESSES [MS]	the same until it is killed, even if its links and
 *					namespaces go; MS between rounds
 */

#include "guest.h"
#include "../../lib/random.h"

#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { HOSTS = 4, PORT = 3000, BYTES = 20000 };

static uint64_t state;
static int pause_ms;

static uint32_t chance(uint32_t n)
{
	return (uint32_t)random_below(&state, n);
}

/* The namespaces, also when they have no name any more. */
static int hosts[HOSTS];

static void find_hosts(void)
{
	char path[32];

	for (int i = 0; i < HOSTS; i++) {
		snprintf(path, sizeof(path), "/run/netns/h%d", i + 1);
		hosts[i] = open(path, O_RDONLY | O_CLOEXEC);
		if (hosts[i] < 0)
			bail(path);
	}
}

static int socket_at(int host, int type)
{
	int fd;

	if (setns(hosts[host], CLONE_NEWNET))
		bail("setns");
	fd = socket(AF_ENET, type, 0);
	if (fd < 0)
		bail("socket");
	return fd;
}

static struct sockaddr_en host_address(int host, int port)
{
	char mac[24];

	snprintf(mac, sizeof(mac), "02:00:00:00:01:%02x", host + 1);
	return address(port, 0, mac);
}

static int listener(int host, int port, int backlog)
{
	struct sockaddr_en en = address(port, 0, NULL);
	int fd = socket_at(host, SOCK_STREAM);

	if (bind(fd, generic(&en), sizeof(en)) || listen(fd, backlog))
		bail("listen");
	return fd;
}

/* ---- Ends of connections that do as they like ------------------------------------------- */

/* Calls that are allowed on a socket in any state. */
static void misuse(int fd)
{
	char block[BYTES] = "";
	struct linger l = { 1, 0 };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };
	int n;

	for (uint32_t i = chance(6); i > 0; i--)
		switch (chance(8)) {
		case 0:
			send(fd, block, 1 + chance(BYTES), MSG_DONTWAIT | MSG_NOSIGNAL);
			break;
		case 1:
			recv(fd, block, 1 + chance(BYTES), MSG_DONTWAIT);
			break;
		case 2:
			shutdown(fd, chance(3));
			break;
		case 3:
			setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
			break;
		case 4:
			poll(&p, 1, chance(3));
			break;
		case 5:
			listen(fd, 3);
			break;
		case 6:
			ioctl(fd, FIONREAD, &n);
			recv(fd, block, 10, MSG_PEEK | MSG_DONTWAIT);
			break;
		default:
			sched_yield();
		}
}

static void begin_one(int host)
{
	struct sockaddr_en to = host_address(chance(HOSTS), PORT + chance(3));
	int fd = socket_at(host, SOCK_STREAM | (chance(2) ? SOCK_NONBLOCK : 0));
	struct timeval soon = { 0, 1 + chance(20000) };

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof(soon));
	connect(fd, generic(&to), sizeof(to));
	misuse(fd);
	close(fd);
}

static void storm(int host, int rounds)
{
	int fds[3] = { -1, -1, -1 };

	for (int i = 0; rounds < 0 || i < rounds; i++) {
		int k = chance(3), fd;

		if (fds[k] < 0) {
			struct sockaddr_en en = address(PORT + k, 0, NULL);

			fd = socket_at(host, SOCK_STREAM | SOCK_NONBLOCK);
			if (bind(fd, generic(&en), sizeof(en)) == 0 &&
			    listen(fd, 1 + chance(8)) == 0)
				fds[k] = fd;
			else
				close(fd);
		}
		begin_one(host);
		for (fd = -1; fds[k] >= 0 && (fd = accept(fds[k], NULL, NULL)) >= 0; close(fd))
			misuse(fd);
		if (fds[k] >= 0 && chance(10) == 0) {
			close(fds[k]);
			fds[k] = -1;
		}
		if (pause_ms > 0)
			usleep(1000 * pause_ms);
	}
	_exit(0);
}

static void start_storm(uint32_t seed, int processes, int rounds)
{
	fflush(stdout);
	for (int i = 0; i < processes; i++)
		if (fork() == 0) {
			state = seed * 1000 + i;
			storm(i % HOSTS, rounds);
		}
}

/* ---- Connections that behave -------------------------------------------------------------- */

static int send_all(int host, int who)
{
	struct sockaddr_en to = host_address(0, PORT + 9);
	int fd = socket_at(host, SOCK_STREAM);
	unsigned char block[BYTES];

	memset(block, who, sizeof(block));
	if (connect(fd, generic(&to), sizeof(to)))
		return 1;
	for (size_t done = 0; done < sizeof(block);) {
		ssize_t n = send(fd, block + done, sizeof(block) - done, MSG_NOSIGNAL);

		if (n <= 0)
			return 1;
		done += n;
	}
	return 0;
}

/* How many of @n connections brought what they should. */
static int receive_all(int at, int n)
{
	int good = 0;

	for (int i = 0; i < n; i++) {
		unsigned char block[BYTES + 1];
		int fd = accept(at, NULL, NULL);

		if (fd < 0)
			break;
		if (recv(fd, block, sizeof(block), MSG_WAITALL) == BYTES &&
		    !memcmp(block, block + 1, BYTES - 1))
			good++;
		close(fd);
	}
	return good;
}

static void crowd(int n)
{
	int at = listener(0, PORT + 9, n), failed = 0, status;

	fflush(stdout);
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			_exit(send_all(1 + i % (HOSTS - 1), i));
	is(receive_all(at, n), n, "every connection of a crowd brings all its bytes");
	while (wait(&status) > 0)
		failed += status != 0;
	is(failed, 0, "and no sender fails");
	close(at);
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[3]) : 0, status, failed = 0;

	if (argc < 3)
		return 2;
	find_hosts();
	if (!strcmp(argv[1], "crowd")) {
		crowd(atoi(argv[2]));
	} else if (!strcmp(argv[1], "flood")) {
		pause_ms = n;
		start_storm(7, atoi(argv[2]), -1);
		pause();
	} else {
		start_storm(atoi(argv[2]), n, argc > 4 ? atoi(argv[4]) : 100);
		while (wait(&status) > 0)
			failed += status != 0;
		is(failed, 0, "no process of a storm gets stuck");
		crowd(20);
	}
	return done_testing();
}
