// SPDX-License-Identifier: BSD-3-Clause
/* removed.c - an interface is removed while a program that sends over it sleeps. */

/* usage: removed datagram|stream, after cable() of testlib. */

#include "slow_page.h"

#include <net/if.h>
#include <pthread.h>
#include <sys/wait.h>

enum { PORT = 2000, BYTES = 100, LIMIT_MS = 20000, LIMIT_S = 60 };

static struct slow_page page;
static int fd;		/* of host a */
static struct sockaddr_en to;

/* ---- Interfaces ------------------------------------------------------------------------ */

static void find_peer(void)
{
	enter("a");
	to = address(PORT, if_nametoindex("a0"), MAC_B);
}

/* The process that removes the interface of host a. */
static pid_t start_removal(void)
{
	pid_t child = fork();

	if (child == 0) {
		execl("/sbin/ip", "ip", "-n", "a", "link", "del", "a0", NULL);
		_exit(1);
	}
	return child;
}

/* Process @child ends within the limit. */
static bool ends_in_time(pid_t child)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN };
	bool ended;

	if (p.fd < 0)
		bail("pidfd_open");
	ended = poll(&p, 1, LIMIT_MS) == 1;
	close(p.fd);
	return ended;
}

/* While the page is missing; then it comes. */
static void is_removed(const char *what)
{
	pid_t child = start_removal();
	int status;

	ok(ends_in_time(child), what);
	slow_page_fill(&page, "", 0);
	waitpid(child, &status, 0);
	is(status, 0, "ip reports no error");
	is(if_nametoindex("a0"), 0, "there is no such interface any more");
}

/* ---- Datagrams --------------------------------------------------------------------------- */

static long sent;

static void *send_page(void *unused)
{
	(void)unused;
	sent = sendto(fd, page.at, BYTES, 0, generic(&to), sizeof(to));
	return NULL;
}

/* The call sleeps in the copy of the data. */
static void datagram(void)
{
	pthread_t sender;

	find_peer();
	fd = socket_in("a", SOCK_DGRAM);
	page = slow_page_create();
	if (pthread_create(&sender, NULL, send_page, NULL))
		bail("pthread_create");
	slow_page_await(&page);
	is_removed("EDP: an interface is removed while a sender waits for its own memory");
	pthread_join(sender, NULL);
	is(sent, -1, "what is sent then is lost");
	slow_page_destroy(&page);
	close(fd);
}

/* ---- Streams ------------------------------------------------------------------------------ */

static pid_t sender_tid;
static pthread_barrier_t begun;
static long received;

static void *send_on(void *unused)
{
	static char block[1 << 20];

	(void)unused;
	sender_tid = gettid();
	pthread_barrier_wait(&begun);
	while ((sent = send(fd, block, sizeof(block), MSG_NOSIGNAL)) > 0)
		;
	return NULL;
}

static void *receive_page(void *unused)
{
	(void)unused;
	received = recv(fd, page.at, BYTES, 0);
	return NULL;
}

static int connect_both(void)
{
	struct sockaddr_en here = address(PORT, 0, NULL);
	int at = socket_in("b", SOCK_STREAM), peer;

	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	find_peer();
	fd = socket_in("a", SOCK_STREAM);
	if (connect(fd, generic(&to), sizeof(to)))
		bail("connect");
	peer = accept(at, NULL, NULL);
	if (peer < 0)
		bail("accept");
	close(at);
	return peer;
}

/* One thread sleeps as there is no room, and one as it receives, which keeps the socket locked. */
static void stream(void)
{
	pthread_t sender, receiver;
	int peer = connect_both();

	page = slow_page_create();
	pthread_barrier_init(&begun, NULL, 2);
	if (pthread_create(&sender, NULL, send_on, NULL))
		bail("pthread_create");
	pthread_barrier_wait(&begun);
	await_sleep(sender_tid, SYS_sendto);
	if (send(peer, "hello", 5, 0) != 5 || pthread_create(&receiver, NULL, receive_page, NULL))
		bail("send");
	slow_page_await(&page);
	enter("a");
	is_removed("ESP: an interface is removed while a sender waits for room and the socket is "
		   "locked");
	pthread_join(receiver, NULL);
	is(received, 5, "what had arrived is received");
	pthread_join(sender, NULL);
	is(sent, -1, "the sender ends");
	slow_page_destroy(&page);
	close(fd);
	close(peer);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		bail("usage");
	if (slow_page_is_possible("an interface is removed while a sender sleeps")) {
		alarm(LIMIT_S);
		if (strcmp(argv[1], "stream") == 0)
			stream();
		else
			datagram();
	}
	return done_testing();
}
