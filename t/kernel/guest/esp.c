// SPDX-License-Identifier: BSD-3-Clause
/* esp.c - connections between two hosts of a guest: calls, ends, errors. */

#include "guest.h"

#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { MTU = 1500 - 48 };

static unsigned int if_a, if_b;
static struct sockaddr_en server;		/* port 2000 on b, as a sees it */

static unsigned int index_of(const char *ns, const char *name)
{
	enter(ns);
	return if_nametoindex(name);
}

static int listener(int port, int backlog)
{
	struct sockaddr_en en = address(port, if_b, NULL);
	int fd = socket_in("b", SOCK_STREAM);

	if (bind(fd, generic(&en), sizeof(en)) || listen(fd, backlog))
		bail("listen");
	return fd;
}

static bool readable(int fd, int events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, 20000) == 1;
}

/* Two ends of a connection. */
struct pair {
	int a, b;
};

static struct pair connection(int at)
{
	struct pair p = { socket_in("a", SOCK_STREAM), -1 };

	if (connect(p.a, generic(&server), sizeof(server)))
		bail("connect");
	p.b = accept(at, NULL, NULL);
	if (p.b < 0)
		bail("accept");
	return p;
}

static void hang_up(struct pair p)
{
	close(p.a);
	close(p.b);
}

static void addresses_of_old_programs_are_accepted(int at)
{
	struct sockaddr_en to = server, peer;
	socklen_t len = sizeof(peer);
	struct pair p = { socket_in("a", SOCK_STREAM), -1 };

	to.sen_ifindex = 0;
	to.sen_addrlen = 0;
	is(connect(p.a, generic(&to), sizeof(to)), 0, "an address may have the length 0");
	is(getpeername(p.a, generic(&peer), &len), 0, "the peer's address is returned");
	ok(peer.sen_ifindex == if_a && peer.sen_addrlen == ENET_ADDR_BYTES,
	   "with the interface and the length");
	len = sizeof(peer);
	p.b = accept(at, generic(&peer), &len);
	ok(p.b >= 0 && peer.sen_ifindex == if_b, "as in accept()");
	hang_up(p);
}

static void bytes_go_both_ways(int at)
{
	struct sockaddr_en name, peer;
	socklen_t name_len = sizeof(name), peer_len = sizeof(peer);
	struct pair p = connection(at);
	char in[16] = "";
	int n = 0;

	is(send(p.a, "hello", 5, 0), 5, "bytes are sent");
	is(recv(p.b, in, sizeof(in), 0), 5, "and received");
	ok(memcmp(in, "hello", 5) == 0, "as they were");
	is(send(p.b, "a", 1, MSG_MORE), 1, "a transfer may be begun");
	is(send(p.b, "nswer", 5, 0), 5, "and ended");
	is(recv(p.a, in, 6, MSG_WAITALL), 6, "and is one");
	ok(memcmp(in, "answer", 6) == 0, "in its order");
	is(getsockname(p.a, generic(&name), &name_len), 0, "an end has a name");
	is(getpeername(p.b, generic(&peer), &peer_len), 0, "which the other end knows");
	ok(name.sen_port == peer.sen_port && !memcmp(name.sen_addr, peer.sen_addr, 6) &&
	   peer.sen_ifindex == if_b, "and it is the same");
	send(p.a, "peek", 4, 0);
	is(recv(p.b, in, 16, MSG_PEEK), 4, "one may look first");
	is(ioctl(p.b, FIONREAD, &n), 0, "and ask how much there is");
	is(n, 4, "which is as much");
	is(recv(p.b, in, 2, 0), 2, "half of it");
	is(recv(p.b, in, 16, 0), 2, "and the rest");
	is(recv(p.b, in, 16, MSG_DONTWAIT), -1, "and nothing");
	ok(errno == EAGAIN, "without waiting");
	is(send(p.a, "", 0, 0), 0, "nothing can be sent, too");
	hang_up(p);
}

static void large_transfers_are_cut_and_joined(int at)
{
	enum { BYTES = 1 << 20 };
	char *out = malloc(BYTES), *in = malloc(BYTES);
	struct pair p = connection(at);
	unsigned int mtu;
	socklen_t len = sizeof(mtu);
	struct esp_stats stats;

	for (int i = 0; i < BYTES; i++)
		out[i] = (char)((unsigned int)i * 2654435761u >> 24);
	is(getsockopt(p.a, SOL_ENET, ESP_SO_MTU, &mtu, &len), 0, "the data of a frame");
	is(mtu, MTU, "are what its header leaves");
	if (fork() == 0) {
		for (long sent = 0, n; sent < BYTES; sent += n)
			if ((n = send(p.a, out + sent, BYTES - sent, 0)) <= 0)
				_exit(1);
		_exit(0);
	}
	is(recv(p.b, in, BYTES, MSG_WAITALL), BYTES, "a megabyte arrives");
	ok(memcmp(in, out, BYTES) == 0, "as it was");
	len = sizeof(stats);
	is(getsockopt(p.b, SOL_ENET, ESP_SO_STATS, &stats, &len), 0, "statistics are there");
	is(len, 8 * sizeof(int), "eight numbers");
	ok(stats.received >= BYTES / MTU && stats.requests_sent > 0, "that count");
	printf("# received %u, out of sequence %u, dropped %u, requests %u\n", stats.received,
	       stats.out_of_sequence, stats.dropped, stats.requests_sent);
	hang_up(p);
	free(out);
	free(in);
}

static void an_end_closes_as_it_likes(int at)
{
	struct pair p = connection(at);
	char in[8];

	send(p.a, "last", 4, 0);
	is(shutdown(p.a, SHUT_WR), 0, "one direction ends");
	fails(send(p.a, "x", 1, MSG_NOSIGNAL), EPIPE, "nothing more can be sent");
	is(recv(p.b, in, 8, MSG_WAITALL), 4, "what was sent before arrives");
	is(recv(p.b, in, 8, 0), 0, "then the end");
	is(send(p.b, "still", 5, 0), 5, "the other direction goes on");
	is(recv(p.a, in, 5, MSG_WAITALL), 5, "and arrives");
	hang_up(p);

	p = connection(at);
	send(p.b, "unread", 6, 0);
	ok(readable(p.a, POLLIN), "something has come");
	close(p.a);
	ok(readable(p.b, POLLHUP), "a socket that closes without reading it");
	fails(recv(p.b, in, 8, 0), ECONNRESET, "resets the connection");
	signal(SIGPIPE, SIG_IGN);
	fails(send(p.b, "x", 1, 0), EPIPE, "after which there is none");
	close(p.b);

	p = connection(at);
	close(p.a);
	is(recv(p.b, in, 8, 0), 0, "an orderly close ends it");
	is(send(p.b, "late", 4, 0), 4, "what is sent after that");
	ok(readable(p.b, POLLHUP), "is refused, as no process will read it");
	is(recv(p.b, in, 8, 0), 0, "which does not change what was received");
	fails(send(p.b, "later", 5, 0), ECONNRESET, "but resets the connection");
	close(p.b);
}

static void none_listens(void)
{
	struct sockaddr_en none = address(4711, if_a, MAC_B),
			   nowhere = address(1, if_a, "02:00:00:00:00:99");
	int fd = socket_in("a", SOCK_STREAM), ms = 300;

	fails(connect(fd, generic(&none), sizeof(none)), ECONNREFUSED,
	      "a port without a listener refuses");
	fails(connect(fd, generic(&none), sizeof(none)), EINVAL, "a socket connects once");
	close(fd);
	fd = socket_in("a", SOCK_STREAM);
	is(setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms)), 0, "the timeout can be set");
	fails(connect(fd, generic(&nowhere), sizeof(nowhere)), ETIMEDOUT,
	      "a host that is not there times out");
	close(fd);
	fd = socket_in("a", SOCK_STREAM);
	fails(send(fd, "x", 1, MSG_NOSIGNAL), ENOTCONN, "an unconnected socket cannot send");
	fails(recv(fd, &ms, 1, 0), ENOTCONN, "nor receive");
	fails(accept(fd, NULL, NULL), EINVAL, "nor accept");
	fails(shutdown(fd, SHUT_WR), ENOTCONN, "nor shut down");
	close(fd);
}

static void nothing_need_block(int at)
{
	struct sockaddr_en to = server;
	int a = socket_in("a", SOCK_STREAM | SOCK_NONBLOCK), b, err;
	socklen_t len = sizeof(err);
	char block[65536] = "";
	long sent = 0, n;

	fcntl(at, F_SETFL, O_NONBLOCK);
	fails(accept(at, NULL, NULL), EAGAIN, "accept() need not wait");
	n = connect(a, generic(&to), sizeof(to));
	ok(n == 0 || errno == EINPROGRESS, "nor connect()");
	ok(readable(a, POLLOUT), "poll() reports when it is done");
	is(getsockopt(a, SOL_SOCKET, SO_ERROR, &err, &len), 0, "and the option");
	is(err, 0, "whether well");
	ok(readable(at, POLLIN), "poll() reports a connection to accept");
	b = accept(at, NULL, NULL);
	ok(b >= 0, "which is there");
	fcntl(at, F_SETFL, 0);
	while ((n = send(a, block, sizeof(block), 0)) > 0)
		sent += n;
	ok(n == -1 && errno == EAGAIN && sent > 0, "send() stops when there is no more room");
	printf("# %ld bytes in between\n", sent);
	for (long got = 0; got < sent; got += n)
		if ((n = recv(b, block, sizeof(block), 0)) <= 0)
			break;
	ok(n > 0, "all of it arrives");
	ok(readable(a, POLLOUT), "and there is room again");
	close(a);
	close(b);
}

/* In a child, which a signal ends if nothing wakes it. */
static void accept_nothing(int at)
{
	alarm(20);
	_exit(accept(at, NULL, NULL) >= 0 || errno != EINVAL);
}

static void a_listener_can_be_shut(void)
{
	int at = listener(2002, 2), status;
	pid_t child;

	is(shutdown(at, SHUT_WR), 0, "a listener sends nothing anyhow");
	fflush(stdout);
	child = fork();
	if (child == 0)
		accept_nothing(at);
	is(shutdown(at, SHUT_RDWR), 0, "it can be shut");
	waitpid(child, &status, 0);
	is(status, 0, "accept() of another process says that it listens no longer");
	ok(readable(at, POLLHUP), "as poll() does");
	fails(listen(at, 2), EINVAL, "it does not listen again");
	close(at);
	at = listener(2002, 2);
	ok(at >= 0, "but its port is free");
	close(at);
}

/* One call of these makes several of the module, with flags that no program sets. */
static void calls_for_many_pieces(int at)
{
	struct iovec pieces[3] = { { "one", 3 }, { "two", 3 }, { "three", 5 } };
	struct mmsghdr calls[3] = { 0 };
	static char out[200000], in[200000];
	int file = memfd_create("file", 0);
	struct pair p = connection(at);

	for (int i = 0; i < 3; i++)
		calls[i].msg_hdr = (struct msghdr){ .msg_iov = &pieces[i], .msg_iovlen = 1 };
	is(sendmmsg(p.a, calls, 3, 0), 3, "sendmmsg() sends");
	is(recv(p.b, in, 11, MSG_WAITALL), 11, "all of it");
	ok(memcmp(in, "onetwothree", 11) == 0, "in order");
	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7 + i / 4096);
	if (write(file, out, sizeof(out)) != sizeof(out) || lseek(file, 0, SEEK_SET))
		bail("memfd");
	fflush(stdout);
	if (fork() == 0) {
		for (long sent = 0, n; sent < (long)sizeof(out); sent += n)
			if ((n = sendfile(p.a, file, NULL, sizeof(out) - sent)) <= 0)
				_exit(1);
		_exit(0);
	}
	close(p.a);
	is(recv(p.b, in, sizeof(in), MSG_WAITALL), sizeof(in), "sendfile() sends a file");
	ok(memcmp(in, out, sizeof(out)) == 0, "as it is");
	close(p.b);
	close(file);
	wait(NULL);
}

static void a_listener_has_room_for_so_many(void)
{
	struct sockaddr_en to = address(2001, if_a, MAC_B);
	int at = listener(2001, 2), first = socket_in("a", SOCK_STREAM),
	    second = socket_in("a", SOCK_STREAM);
	int third = socket_in("a", SOCK_STREAM), ms = 500;
	char in[4];

	is(connect(first, generic(&to), sizeof(to)), 0, "one");
	is(connect(second, generic(&to), sizeof(to)), 0, "two");
	setsockopt(third, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms));
	fails(connect(third, generic(&to), sizeof(to)), ETIMEDOUT, "no third");
	close(at);
	fails(recv(first, in, sizeof(in), 0), ECONNRESET,
	      "a connection never accepted is reset when it closes");
	close(first);
	close(second);
	close(third);
}

/* Until nothing more is taken for some time: what is under way still makes room. */
static void fill(int fd)
{
	static char block[65536];

	for (int quiet = 0; quiet < 5; quiet++) {
		while (send(fd, block, sizeof(block), MSG_DONTWAIT) > 0)
			quiet = 0;
		poll(NULL, 0, 50);
	}
}

static void nothing_to_do(int signal)
{
	(void)signal;
}

static void signals_interrupt(int at)
{
	struct pair p = connection(at);
	struct itimerval soon = { .it_interval = { .tv_usec = 50000 },
				  .it_value = { .tv_usec = 50000 } };
	struct itimerval never = { .it_value = { 0 } };
	struct sigaction action = { .sa_handler = nothing_to_do };
	struct sockaddr_en nowhere = address(1, if_a, "02:00:00:00:00:99");
	int fd = socket_in("a", SOCK_STREAM);
	static char block[65536];
	char in[4];

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	fails(recv(p.b, in, sizeof(in), 0), EINTR, "a signal interrupts recv()");
	fails(accept(at, NULL, NULL), EINTR, "and accept()");
	setitimer(ITIMER_REAL, &never, NULL);
	fill(p.a);
	setitimer(ITIMER_REAL, &soon, NULL);
	fails(send(p.a, block, sizeof(block), 0), EINTR, "and send() that waits for room");
	fails(connect(fd, generic(&nowhere), sizeof(nowhere)), EINTR, "and connect()");
	setitimer(ITIMER_REAL, &never, NULL);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	fails(connect(fd, generic(&nowhere), sizeof(nowhere)), EALREADY, "which goes on");
	close(fd);
	hang_up(p);
}

static void time_can_be_bounded(int at)
{
	struct timeval soon = { .tv_usec = 50000 };
	struct pair p = connection(at);
	char block[4];

	setsockopt(p.b, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
	fails(recv(p.b, block, 1, 0), EAGAIN, "recv() waits for as long as SO_RCVTIMEO says");
	setsockopt(at, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
	fails(accept(at, NULL, NULL), EAGAIN, "so does accept()");
	soon.tv_usec = 0;
	setsockopt(at, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
	soon.tv_usec = 50000;
	setsockopt(p.a, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof(soon));
	fill(p.a);
	fails(send(p.a, block, 1, 0), EAGAIN, "send() as long as SO_SNDTIMEO says");
	hang_up(p);
}

static void both_directions_can_be_shut(int at)
{
	struct pair p = connection(at);
	char in[4];

	is(shutdown(p.b, SHUT_RD), 0, "receiving can be ended alone");
	is(recv(p.b, in, 1, 0), 0, "then there is the end");
	is(send(p.b, "x", 1, 0), 1, "but sending goes on");
	is(recv(p.a, in, 1, 0), 1, "and arrives");
	fails(shutdown(p.b, 7), EINVAL, "there is no third direction");
	is(shutdown(p.b, SHUT_RDWR), 0, "both can be");
	is(recv(p.a, in, 1, 0), 0, "which the other end sees");
	is(shutdown(p.a, SHUT_RDWR), 0, "and does as well");
	ok(readable(p.b, POLLHUP), "then poll() reports POLLHUP");
	hang_up(p);
}

static int signals_seen;

static void count_signal(int signal)
{
	(void)signal;
	signals_seen++;
}

static void a_broken_connection_signals(int at)
{
	struct sigaction action = { .sa_handler = count_signal },
			 ignore = { .sa_handler = SIG_IGN };
	struct pair p = connection(at);

	sigaction(SIGPIPE, &action, NULL);
	shutdown(p.a, SHUT_WR);
	fails(send(p.a, "x", 1, 0), EPIPE, "a send after the end fails");
	is(signals_seen, 1, "gets SIGPIPE");
	fails(send(p.a, "x", 1, MSG_NOSIGNAL), EPIPE, "unless it wants none");
	is(signals_seen, 1, "then not");
	sigaction(SIGPIPE, &ignore, NULL);
	hang_up(p);
}

static void names_and_ports_have_rules(void)
{
	struct sockaddr_en en = address(2500, 0, NULL),
			   group = address(2000, if_a, "03:00:00:00:00:01");
	int fd = socket_in("b", SOCK_STREAM), other = socket_in("b", SOCK_STREAM);
	socklen_t len = sizeof(en);
	unsigned int ms = 0;

	is(bind(fd, generic(&en), sizeof(en)), 0, "a port is taken");
	fails(bind(fd, generic(&en), sizeof(en)), EINVAL, "once by a socket");
	fails(bind(other, generic(&en), sizeof(en)), EADDRINUSE, "and by one socket");
	is(listen(fd, 1), 0, "one can listen there");
	is(getsockname(fd, generic(&en), &len), 0, "and ask where");
	is(ntohs(en.sen_port), 2500, "that is");
	fails(getpeername(fd, generic(&en), &len), ENOTCONN, "a listener has no peer");
	fails(connect(fd, generic(&server), sizeof(server)), EINVAL, "nor can it connect");
	fails(connect(other, generic(&group), sizeof(group)), EADDRNOTAVAIL,
	      "no socket connects to a group");
	is(listen(other, 1), 0, "listen() without a port assigns one");
	is(getsockname(other, generic(&en), &len), 0, "and can ask");
	ok(ntohs(en.sen_port) >= ENET_PORT_FIRST_FREE, "which");
	ms = 1234;
	is(setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms)), 0, "the timeout is set");
	ms = 0;
	len = sizeof(ms);
	is(getsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, &len), 0, "and read");
	is(ms, 1234, "as it was set");
	fails(setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, 2), EINVAL, "half a number is none");
	fails(setsockopt(fd, SOL_ENET, ESP_SO_MTU, &ms, sizeof(ms)), ENOPROTOOPT,
	      "not all that can be read can be set");
	fails(getsockopt(fd, SOL_ENET, 99, &ms, &len), ENOPROTOOPT, "there is no option 99");
	close(fd);
	close(other);
	fd = socket_in("b", SOCK_STREAM);
	other = 0;
	en = address(80, 0, NULL);
	fflush(stdout);
	if (fork() == 0) {
		if (setuid(1000))
			_exit(2);
		_exit(bind(fd, generic(&en), sizeof(en)) == -1 && errno == EACCES ? 0 : 1);
	}
	wait(&other);
	is(other, 0, "ports below 1024 are not for all users");
	close(fd);
}

int main(void)
{
	int at;

	if_a = index_of("a", "a0");
	if_b = index_of("b", "b0");
	server = address(2000, if_a, MAC_B);
	at = listener(2000, 16);
	bytes_go_both_ways(at);
	addresses_of_old_programs_are_accepted(at);
	large_transfers_are_cut_and_joined(at);
	an_end_closes_as_it_likes(at);
	none_listens();
	nothing_need_block(at);
	calls_for_many_pieces(at);
	a_listener_can_be_shut();
	a_listener_has_room_for_so_many();
	signals_interrupt(at);
	time_can_be_bounded(at);
	both_directions_can_be_shut(at);
	a_broken_connection_signals(at);
	names_and_ports_have_rules();
	close(at);
	return done_testing();
}
