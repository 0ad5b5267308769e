// SPDX-License-Identifier: BSD-3-Clause
/* edges.c - connections at the edges of what they promise: small buffers, calls that must not wait,
 * ends of processes. */

/* usage: edges, after cable() of testlib. */

#include "bytes.h"
#include "link.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/syscall.h>

enum { PORT = 2000, MUCH = 1 << 21 };

static struct sockaddr_en server;
static int at;

static int listener(void)
{
	struct sockaddr_en en = address(PORT, 0, NULL);
	int fd = socket_in("b", SOCK_STREAM);

	if (bind(fd, generic(&en), sizeof(en)) || listen(fd, 8))
		bail("listen");
	return fd;
}

/* a connects to b, which takes no more than @rcvbuf at once, unless that is 0. */
static void connection(int *a, int *b, int rcvbuf)
{
	if (rcvbuf)
		setsockopt(at, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof(rcvbuf));
	*a = socket_in("a", SOCK_STREAM);
	if (connect(*a, generic(&server), sizeof(server)))
		bail("connect");
	*b = accept(at, NULL, NULL);
	if (*b < 0)
		bail("accept");
}

static void accepted_sockets_know_what_they_are(void)
{
	int a, b, type = 0;
	socklen_t len = sizeof(type);

	connection(&a, &b, 0);
	is(getsockopt(b, SOL_SOCKET, SO_TYPE, &type, &len), 0, "an accepted socket has a type");
	is(type, SOCK_STREAM, "which is that of streams");
	close(a);
	close(b);
}

/* A frame is larger than the buffer. */
static void a_small_buffer_takes_large_frames(void)
{
	int a, b, status;

	set_mtu("a", "a0", 9000);
	set_mtu("b", "b0", 9000);
	connection(&a, &b, 1);
	fflush(stdout);
	if (fork() == 0)
		_exit(send_bytes(a, 1, MUCH / 8));
	close(a);
	is(receive_bytes(b, 1, MUCH / 8), 0,
	   "all arrives in jumbo frames, though one fills the receiver");
	wait(&status);
	is(status, 0, "and the sender knows of nothing else");
	close(b);
	close(at);
	at = listener();
	set_mtu("a", "a0", 1500);
	set_mtu("b", "b0", 1500);
}

/* Not even another process that sends over the same socket, and waits, may make them. */
static void calls_that_must_not_wait_do_not(void)
{
	static char block[65536];
	int a, b;
	pid_t child;

	connection(&a, &b, 0);
	while (send(a, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
	is(errno, EAGAIN, "a full connection says so");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		send(a, block, sizeof(block), MSG_NOSIGNAL);
		_exit(0);
	}
	await_sleep(child, SYS_sendto);
	alarm(60);
	fails(send(a, block, 1, MSG_DONTWAIT), EAGAIN, "also while another process waits to send");
	alarm(0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(a);
	close(b);
}

static void what_was_sent_arrives_after_close(void)
{
	struct linger wait_long = { 1, 100 }, at_once = { 1, 0 };
	char block[20000] = "";
	int a, b, n = 0;

	connection(&a, &b, 0);
	fflush(stdout);
	if (fork() == 0) {
		close(b);
		_exit(send_bytes(a, 1, MUCH) || close(a));
	}
	close(a);
	is(receive_bytes(b, 1, MUCH), 0, "all that was sent before close() arrives");
	wait(&n);
	is(n, 0, "and close() did not fail");
	close(b);

	connection(&a, &b, 0);
	setsockopt(a, SOL_SOCKET, SO_LINGER, &wait_long, sizeof(wait_long));
	is(send(a, block, sizeof(block), 0), sizeof(block), "bytes are under way");
	is(close(a), 0, "close() waits with SO_LINGER");
	ioctl(b, FIONREAD, &n);
	is(n, sizeof(block), "until they have arrived");
	close(b);

	connection(&a, &b, 0);
	setsockopt(a, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(a);
	fails(recv(b, block, 1, 0), ECONNRESET, "with no time for it a connection is reset");
	close(b);
}

/* Both ends have closed, one of them after sending what the other does not want any more. */
static void losses_are_reported(void)
{
	socklen_t len = sizeof(int);
	int a, b, error = 0;
	char in;

	connection(&a, &b, 0);
	close(a);
	is(recv(b, &in, 1, 0), 0, "the peer has closed");
	set_link(false);
	is(send(b, "late", 4, 0), 4, "what is sent after that");
	is(shutdown(b, SHUT_WR), 0, "and before the other end");
	set_link(true);
	/* both ends are closed already, for which poll() does not wait */
	for (int tries = 0; !error && tries < 2000; tries++) {
		getsockopt(b, SOL_SOCKET, SO_ERROR, &error, &len);
		usleep(10000);
	}
	is(error, ECONNRESET, "is refused by a reset that is told");
	close(b);
}

/*
 * The only one that has the socket ends, with bytes that cannot leave: no process could interrupt
 * it any more.
 */
static void processes_end_at_once(void)
{
	struct linger wait_long = { 1, 3600 };
	int a, b, status = -1;

	fflush(stdout);
	if (fork() == 0) {
		connection(&a, &b, 0);
		set_link(false);
		setsockopt(a, SOL_SOCKET, SO_LINGER, &wait_long, sizeof(wait_long));
		send(a, "unheard", 7, 0);
		_exit(0);
	}
	wait(&status);
	is(status, 0, "a process ends without lingering");
	set_link(true);
}

static void connections_outlive_their_link(void)
{
	unsigned int ms = 300;
	struct pollfd p = { .events = POLLIN };
	char block[100];
	int a, b;

	connection(&a, &b, 0);
	set_link(false);
	is(send(a, "while it is down", 16, 0), 16, "one may send without a link");
	is(send(b, "both", 4, 0), 4, "both ways");
	set_link(true);
	is(recv(b, block, 16, MSG_WAITALL), 16, "and it arrives when there is one again");
	is(recv(a, block, 4, MSG_WAITALL), 4, "both ways");
	is(setsockopt(a, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms)), 0,
	   "unless a shorter timeout is set");
	set_link(false);
	send(a, "none receive", 12, 0);
	p.fd = a;
	is(poll(&p, 1, 60000), 1, "then it ends");
	ok(p.revents & POLLERR, "with an error");
	fails(recv(a, block, 1, 0), ETIMEDOUT, "which says why");
	is(recv(a, block, 1, 0), 0, "once");
	set_link(true);
	close(a);
	close(b);
}

/* Every event of an edge is followed to its end; no byte is forgotten. */
static void edges_are_reported(void)
{
	struct epoll_event want = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET }, got;
	int a, b, set, status;
	long sent = 0, received = 0, n;
	char block[3000] = "";
	fd_set reads;

	connection(&a, &b, 0);
	fcntl(a, F_SETFL, O_NONBLOCK);
	fcntl(b, F_SETFL, O_NONBLOCK);
	fflush(stdout);
	if (fork() == 0) {
		close(b);
		set = epoll_create1(0);
		epoll_ctl(set, EPOLL_CTL_ADD, a, &want);
		while (sent < MUCH) {
			while (sent < MUCH && (n = send(a, block, sizeof(block), MSG_NOSIGNAL)) > 0)
				sent += n;
			if (sent < MUCH &&
			    (errno != EAGAIN || epoll_wait(set, &got, 1, 60000) != 1))
				_exit(1);
		}
		_exit(0);
	}
	close(a);
	set = epoll_create1(0);
	epoll_ctl(set, EPOLL_CTL_ADD, b, &want);
	do {
		if (epoll_wait(set, &got, 1, 60000) != 1)
			break;
		while ((n = recv(b, block, sizeof(block), 0)) > 0)
			received += n;
	} while (n < 0 && errno == EAGAIN);
	wait(&status);
	ok(n == 0 && received >= MUCH && status == 0, "edge-triggered epoll misses nothing");
	FD_ZERO(&reads);
	FD_SET(b, &reads);
	is(select(b + 1, &reads, NULL, NULL, NULL), 1, "and select() sees the end");
	close(set);
	close(b);
}

int main(void)
{
	at = listener();
	enter("a");
	server = address(PORT, if_nametoindex("a0"), MAC_B);
	accepted_sockets_know_what_they_are();
	a_small_buffer_takes_large_frames();
	calls_that_must_not_wait_do_not();
	what_was_sent_arrives_after_close();
	losses_are_reported();
	processes_end_at_once();
	connections_outlive_their_link();
	edges_are_reported();
	return done_testing();
}
