// SPDX-License-Identifier: BSD-3-Clause
/* zerocopy.c - ESP_SO_ZEROCOPY: streams that are sent from the pages of their process, notices,
 * limits, and ends with pages in flight. */

/* usage: zerocopy [bad], after cable() of testlib; bad: streams alone, over a bad network. */

#include "bytes.h"
#include "link.h"

#include <linux/errqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

enum { PORT = 2000, USER = 1000, PAGES = 96 << 10, LIMIT = 160 << 10, PIECES = 40,
       CALLS_MOST = 1000 };

static struct sockaddr_en server;
static int at;
static unsigned char *memory;		/* BYTES_BLOCK * PIECES bytes */

/* ---- Links and connections --------------------------------------------------------- */

static int set_option(int fd, int value)
{
	return setsockopt(fd, SOL_ENET, ESP_SO_ZEROCOPY, &value, sizeof(value));
}

static void connection(int *a, int *b)
{
	*a = socket_in("a", SOCK_STREAM);
	if (connect(*a, generic(&server), sizeof(server)))
		bail("connect");
	*b = accept(at, NULL, NULL);
	if (*b < 0)
		bail("accept");
	if (set_option(*a, 1))
		bail("ESP_SO_ZEROCOPY");
}

/* ---- Notices ------------------------------------------------------------------------- */

static unsigned int noticed;		/* calls of the connection */
static bool copied;
/* When frames are lost, notices may come out of order: which calls they were about. */
static bool bad_network, seen[CALLS_MOST];

/* The notice is about calls that none was about before: the next ones, in a good network. */
static bool is_new(unsigned int first, unsigned int last)
{
	bool good = first <= last && (bad_network ? last < CALLS_MOST : first == noticed);

	for (unsigned int i = first; bad_network && good && i <= last; i++) {
		good = !seen[i];
		seen[i] = true;
	}
	if (!good)
		printf("# notice of %u to %u after %u calls\n", first, last, noticed);
	return good;
}

static bool is_noticed(unsigned int call)
{
	return bad_network ? seen[call] : call < noticed;
}

/* -1: there is no notice. */
static int read_notice(int fd)
{
	char control[256];
	struct msghdr msg = { .msg_control = control, .msg_controllen = sizeof(control) };
	const struct sock_extended_err *e;
	const struct cmsghdr *c;

	if (recvmsg(fd, &msg, MSG_ERRQUEUE) < 0)
		return -1;
	c = CMSG_FIRSTHDR(&msg);
	if (!c || c->cmsg_level != SOL_ENET || c->cmsg_type != ESP_RECVERR)
		bail("not a notice");
	e = (const struct sock_extended_err *)CMSG_DATA(c);
	if (e->ee_origin != SO_EE_ORIGIN_ZEROCOPY || !is_new(e->ee_info, e->ee_data)) {
		errno = EPROTO;
		return -1;
	}
	copied = e->ee_code & SO_EE_CODE_ZEROCOPY_COPIED;
	noticed += e->ee_data - e->ee_info + 1;
	return 0;
}

/* Wait for the next notice. */
static bool await_notice(int fd)
{
	struct pollfd p = { .fd = fd };
	int n = poll(&p, 1, 60000);

	if (n == 1 && p.revents & POLLERR && (!read_notice(fd) || errno == EAGAIN))
		return true;
	printf("# after %u notices: poll %d, events %#x, %s\n", noticed, n, (unsigned int)p.revents,
	       strerror(errno));
	return false;
}

/* Until @calls have been noticed; whether these were all, each once. */
static bool await_notices(int fd, unsigned int calls)
{
	while (noticed < calls)
		if (!await_notice(fd))
			return false;
	if (noticed == calls && read_notice(fd) < 0 && errno == EAGAIN)
		return true;
	printf("# %u notices of %u calls: %s\n", noticed, calls, strerror(errno));
	return false;
}

/* ---- Streams ------------------------------------------------------------------------- */

/*
 * Calls of changing sizes and alignments, each from memory of its own, in one to 40 pieces. Returns
 * how many; 0: one failed.
 */
static unsigned int send_pages(int fd, uint32_t seed, uint64_t bytes)
{
	uint64_t done = 0;
	unsigned int calls = 0;

	noticed = 0;
	while (done < bytes) {
		size_t len = 1 + (done * 7919 + seed) % (BYTES_BLOCK - 8), n = calls % PIECES + 1;
		unsigned char *from = memory + (size_t)(calls % PIECES) * BYTES_BLOCK + calls % 8;
		struct iovec pieces[PIECES];
		struct msghdr msg = { .msg_iov = pieces, .msg_iovlen = n };
		ssize_t sent;

		if (len > bytes - done)
			len = bytes - done;
		if (calls >= PIECES && !is_noticed(calls - PIECES) && !await_notices(fd, calls))
			return 0;
		memcpy(from, bytes_of(seed, done, len), len);
		for (size_t i = 0; i < n; i++)
			pieces[i] = (struct iovec){ from + len * i / n,
						    len * (i + 1) / n - len * i / n };
		sent = sendmsg(fd, &msg, MSG_ZEROCOPY | MSG_NOSIGNAL);
		if (sent < 0 && errno == ENOBUFS && noticed < calls && await_notices(fd, calls))
			continue;
		if (sent <= 0) {
			bytes_complain(seed, "send", done);
			return 0;
		}
		done += (uint64_t)sent;
		calls++;
	}
	return calls;
}

static void streams_are_whole(const char *what, uint64_t bytes)
{
	unsigned int calls;
	int a, b, status;
	pid_t child;

	connection(&a, &b);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		close(a);
		_exit(receive_bytes(b, 7, bytes));
	}
	close(b);
	calls = send_pages(a, 7, bytes);
	ok(calls && await_notices(a, calls), what);
	close(a);
	waitpid(child, &status, 0);
	is(status, 0, "and what arrives is what was sent");
}

static void all_frame_sizes(void)
{
	static const int mtus[] = { 9000, 1500, 68 };

	for (size_t i = 0; i < sizeof(mtus) / sizeof(mtus[0]); i++) {
		char what[80];

		set_mtu("a", "a0", mtus[i]);
		set_mtu("b", "b0", mtus[i]);
		snprintf(what, sizeof(what),
			 "frames of %d bytes: all calls are noticed, once, in order", mtus[i]);
		streams_are_whole(what, mtus[i] == 68 ? 100000 : 1 << 20);
	}
	set_mtu("a", "a0", 1500);
	set_mtu("b", "b0", 1500);
}

/* A host's own interface has the largest frames. */
static void loopback(void)
{
	struct sockaddr_en here = address(PORT + 1, if_nametoindex("lo"), NULL), old = server;
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int old_at = at;

	at = socket_in("a", SOCK_STREAM);
	if (ioctl(at, SIOCSIFFLAGS, &ifr) || bind(at, generic(&here), sizeof(here)) ||
	    listen(at, 1))
		bail("lo");
	server = address(PORT + 1, if_nametoindex("lo"), "00:00:00:00:00:00");
	server.sen_addrlen = ENET_ADDR_BYTES;
	streams_are_whole("over lo, too", 1 << 20);
	ok(copied, "where the notices say that the bytes were copied");
	close(at);
	at = old_at;
	server = old;
}

/* ---- Refusals and partial calls ---------------------------------------------------------- */

static void refusals(void)
{
	int fd = socket_in("a", SOCK_STREAM), a, b, value = -1;
	socklen_t len = sizeof(value);

	fails(set_option(fd, 1), ENOTCONN, "without a connection it cannot be set");
	close(fd);
	connection(&a, &b);
	is(getsockopt(a, SOL_ENET, ESP_SO_ZEROCOPY, &value, &len), 0, "it can be read");
	is(value, 1, "and is set");
	fails(set_option(a, 2), EINVAL, "it has no other value");
	is(set_option(a, 0), 0, "it can be reset");
	fails(send(a, memory, 1, MSG_ZEROCOPY), EOPNOTSUPP, "then MSG_ZEROCOPY is refused");
	set_option(a, 1);
	noticed = 0;
	fails(recv(a, memory, 1, MSG_ERRQUEUE), EAGAIN, "no notice is no reason to wait");
	is(send(a, memory, 0, MSG_ZEROCOPY), 0, "nothing is sent");
	fails(send(a, NULL, 5000, MSG_ZEROCOPY), EFAULT, "a buffer must exist");
	is(send(a, memory, 1, MSG_ZEROCOPY), 1, "one byte is sent");
	ok(await_notices(a, 1), "which is the first call with a notice");
	close(a);
	close(b);
}

/* The buffer ends before the call does. */
static void partial_calls(void)
{
	unsigned char *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0), in[5000];
	int a, b;

	if (edge == MAP_FAILED || munmap(edge + 4096, 4096))
		bail("mmap");
	connection(&a, &b);
	memcpy(edge, bytes_of(3, 0, 4096), 4096);
	noticed = 0;
	is(send(a, edge + 96, 9000, MSG_ZEROCOPY), 4000, "what there is of a buffer is sent");
	ok(await_notices(a, 1), "with one notice");
	is(recv(b, in, 4000, MSG_WAITALL), 4000, "it arrives");
	ok(memcmp(in, bytes_of(3, 96, 4000), 4000) == 0, "as it was");
	munmap(edge, 4096);
	close(a);
	close(b);
}

/* A receiver that does not read; calls that would have to wait have no notice. */
static void slow_receivers(void)
{
	unsigned int calls = 0;
	uint64_t sent = 0, got = 0;
	static unsigned char in[BYTES_BLOCK];
	int a, b;
	long n;

	connection(&a, &b);
	noticed = 0;
	memcpy(memory, bytes_of(5, 0, BYTES_BLOCK), BYTES_BLOCK);
	while ((n = send(a, memory + sent % BYTES_BLOCK, BYTES_BLOCK - sent % BYTES_BLOCK,
			 MSG_ZEROCOPY | MSG_DONTWAIT)) > 0) {
		sent += (uint64_t)n;
		calls++;
	}
	is(errno, EAGAIN, "a connection that is full says so");
	while (read_notice(a) == 0)
		;
	ok(noticed < calls, "what has no room at the receiver is not noticed");
	while (got < sent && (n = recv(b, in, BYTES_BLOCK - got % BYTES_BLOCK, 0)) > 0 &&
	       memcmp(in, memory + got % BYTES_BLOCK, (size_t)n) == 0)
		got += (uint64_t)n;
	is((long)got, (long)sent, "the receiver reads all of it at last");
	ok(await_notices(a, calls), "then all is noticed");
	close(a);
	close(b);
}

/* ---- Limits, and ends with pages in flight ------------------------------------------------ */

/* In a child: a receiver may not have room for all of it. */
static void read_all(int fd)
{
	while (recv(fd, memory, BYTES_BLOCK, 0) > 0)
		;
	_exit(0);
}

/* In a child: a user whose pages are limited. */
static void become_user(void)
{
	struct rlimit limit = { LIMIT, LIMIT };

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(USER))
		bail("setuid");
}

static void fill_memory(void)
{
	for (size_t i = 0; i < PAGES; i += BYTES_BLOCK / 2)
		memcpy(memory + i, bytes_of(9, i, BYTES_BLOCK / 2), BYTES_BLOCK / 2);
}

static void memory_is_limited(void)
{
	int a, b, status;
	pid_t child;

	connection(&a, &b);
	set_link(false);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		become_user();
		if (send(a, memory, PAGES, MSG_ZEROCOPY | MSG_DONTWAIT) <= 0)
			_exit(1);
		if (send(a, memory, PAGES, MSG_ZEROCOPY | MSG_DONTWAIT) != -1 || errno != ENOBUFS)
			_exit(2);
		_exit(0);
	}
	waitpid(child, &status, 0);
	is(status, 0, "more pages than RLIMIT_MEMLOCK are refused");
	set_link(true);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		close(a);
		read_all(b);
	}
	noticed = 0;
	ok(await_notices(a, 1), "a call that is refused has no number");
	close(a);
	close(b);
	waitpid(child, NULL, 0);
}

/* A connection by which the user tries whether it has room for its pages. */
static int other, other_end;
static unsigned int other_calls;

static bool user_may_send(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		become_user();
		_exit(send(other, memory, PAGES, MSG_ZEROCOPY | MSG_DONTWAIT) < 0);
	}
	waitpid(child, &status, 0);
	other_calls += status == 0;
	return status == 0;
}

/* All that it has sent has arrived. */
static bool other_is_done(void)
{
	static unsigned int done;

	noticed = done;
	done = other_calls;
	return await_notices(other, done);
}

enum end { KILLED, CLOSED, RESET };

/* In a child, which has the only descriptor of @fd: send, end, report, sleep. */
static void send_and_end(int fd, enum end how, const int go[2], const int report[2])
{
	struct linger at_once = { 1, 0 };
	char byte;
	long sent;

	become_user();
	if (read(go[0], &byte, 1) != 1)
		_exit(1);
	sent = send(fd, memory, PAGES, MSG_ZEROCOPY | MSG_DONTWAIT);
	if (how == RESET)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	if (how != KILLED)
		close(fd);
	if (write(report[1], &sent, sizeof(sent)) == sizeof(sent))
		pause();
	_exit(1);
}

static void ends_with_pages_in_flight(enum end how, const char *what)
{
	int a, b, go[2], report[2];
	char text[100];
	long sent = -1;
	pid_t child;

	printf("# %s\n", what);
	connection(&a, &b);
	set_link(false);
	if (pipe(go) || pipe(report))
		bail("pipe");
	fflush(stdout);
	child = fork();
	if (child == 0)
		send_and_end(a, how, go, report);
	close(a);
	if (write(go[1], "", 1) != 1 || read(report[0], &sent, sizeof(sent)) != sizeof(sent))
		bail("pipe");
	if (how == KILLED) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	snprintf(text, sizeof(text), "%s pages are %s", what, how == RESET ? "released" : "held");
	ok(user_may_send() == (how == RESET), text);
	set_link(true);
	if (how != RESET) {
		is(receive_bytes(b, 9, (uint64_t)sent), 0, "until all has arrived");
		while (!user_may_send())
			sched_yield();
	}
	ok(other_is_done(), "then they are released");
	if (how != KILLED) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	close(b);
}

static void ends(void)
{
	pid_t reader;

	connection(&other, &other_end);
	fflush(stdout);
	reader = fork();
	if (reader == 0) {
		close(other);
		read_all(other_end);
	}
	fill_memory();
	ends_with_pages_in_flight(KILLED, "after its process was killed");
	ends_with_pages_in_flight(CLOSED, "after close()");
	ends_with_pages_in_flight(RESET, "after a reset");
	close(other);
	close(other_end);
	waitpid(reader, NULL, 0);
}

int main(int argc, char **argv)
{
	struct sockaddr_en here = address(PORT, 0, NULL);

	bad_network = argc > 1 && strcmp(argv[1], "bad") == 0;
	alarm(100);
	memory = mmap(NULL, (size_t)BYTES_BLOCK * PIECES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	at = socket_in("b", SOCK_STREAM);
	if (memory == MAP_FAILED || bind(at, generic(&here), sizeof(here)) || listen(at, 8))
		bail("listen");
	enter("a");
	server = address(PORT, if_nametoindex("a0"), MAC_B);
	if (bad_network) {
		streams_are_whole("over a bad network, too", 3 << 18);
		return done_testing();
	}
	refusals();
	all_frame_sizes();
	loopback();
	partial_calls();
	slow_receivers();
	memory_is_limited();
	ends();
	return done_testing();
}
