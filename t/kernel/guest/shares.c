// SPDX-License-Identifier: BSD-3-Clause
/* shares.c - users take what they can, and leave others enough; by how much, in how many steps. */

/*
 * usage, after segment(1) of testlib, in a guest whose time counts instructions:
 *
 *	shares ports	of programs
 *	shares kernel	ports of the kernel, for /dev/espgoal, which the group 2000 may open
 *	shares pins	pages that are pinned, by processes that pass their file to another one
 */

#include "goal_job.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

enum {
	USER = 1000,
	OTHER = 1001,
	THIRD = 1002,
	DEVICE_GROUP = 2000,
	PORTS = ENET_PORT_FIRST_KERNEL - ENET_PORT_FIRST_FREE,
	KERNEL_PORTS = 65536 - ENET_PORT_FIRST_KERNEL,
	SHARED_PORTS = 256,
	SHARERS = 32,			/* of each of these */
	BINDS = 20,
	LIMIT = 8 << 20,		/* of pages that may be pinned */
	PINNED = 7 << 20
};

static void become(int user)
{
	struct rlimit files = { 20000, 20000 }, pages = { LIMIT, LIMIT };

	if (setrlimit(RLIMIT_NOFILE, &files) || setrlimit(RLIMIT_MEMLOCK, &pages) ||
	    setgid(DEVICE_GROUP) || setresuid(user, user, user))
		bail("setresuid");
}

/* A process of a user that has called a function, and keeps what it has taken until it ends. */
struct taker {
	pid_t pid;
	long result;
};

static struct taker taker_start(int user, long (*take)(void))
{
	struct taker t;
	int result[2];

	if (pipe(result))
		bail("pipe");
	t.pid = fork();
	if (t.pid == 0) {
		become(user);
		t.result = take();
		if (write(result[1], &t.result, sizeof(t.result)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(result[1]);
	if (read(result[0], &t.result, sizeof(t.result)) != sizeof(t.result))
		bail("a user ended");
	close(result[0]);
	return t;
}

static void taker_end(struct taker *t)
{
	kill(t->pid, SIGKILL);
	waitpid(t->pid, NULL, 0);
}

/* Ends the process at once, which frees everything that it took. */
static long try_as(int user, long (*take)(void))
{
	struct taker t = taker_start(user, take);

	taker_end(&t);
	return t.result;
}

/* ---- Ports of programs ------------------------------------------------------------------- */

static int bind_datagrams(int port_number, int shared_by_many)
{
	struct sockaddr_en a = address(port_number, 0, NULL);
	int fd = socket(AF_ENET, SOCK_DGRAM, 0);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &shared_by_many,
				 sizeof(shared_by_many)))
		bail("socket");
	if (!bind(fd, generic(&a), sizeof(a)))
		return fd;
	if (errno != EADDRINUSE)
		bail("bind");
	close(fd);
	return -1;
}

static long take_ports(void)
{
	long n = 0;

	while (bind_datagrams(0, false) >= 0)
		n++;
	return n;
}

/* Also by name: all that a user has not got yet are refused. */
static long take_ports_by_number(void)
{
	long n = 0;

	for (int i = ENET_PORT_FIRST_FREE; i < ENET_PORT_FIRST_KERNEL; i++)
		n += bind_datagrams(i, false) >= 0;
	return n;
}

static long share_ports(void)
{
	long n = 0;

	for (int i = 0; i < SHARED_PORTS * SHARERS; i++)
		n += bind_datagrams(2048 + i % SHARED_PORTS, true) >= 0;
	return n;
}

static long nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Instructions of bind() for any free port, at least, as an interrupt may come between. */
static long cost_of_bind(void)
{
	long least = 1L << 40;

	for (int i = 0; i < BINDS; i++) {
		struct sockaddr_en any = address(0, 0, NULL);
		int fd = socket(AF_ENET, SOCK_DGRAM, 0);
		long t = nanoseconds();

		if (bind(fd, generic(&any), sizeof(any)))
			return 0;
		t = nanoseconds() - t;
		least = t < least ? t : least;
		close(fd);
	}
	return least;
}

static int test_ports(void)
{
	long before, after;
	struct taker most, half, sharer;

	enter("h1");
	before = try_as(THIRD, cost_of_bind);
	most = taker_start(USER, take_ports);
	is(most.result, PORTS / 2, "a user has half of the ports");
	is(try_as(USER, take_ports_by_number), 0, "and no more by their numbers");
	half = taker_start(OTHER, take_ports);
	is(half.result, PORTS / 4, "the next one has half of the rest");
	sharer = taker_start(USER, share_ports);
	is(sharer.result, SHARED_PORTS * SHARERS, "many sockets share ports");
	after = try_as(THIRD, cost_of_bind);
	printf("# bind() takes %ld instructions, and %ld\n", before, after);
	ok(before > 0 && after > 0, "a third user finds free ports");
	ok(after < 2 * before, "in as many steps as if there were no others");
	taker_end(&half);
	taker_end(&most);
	taker_end(&sharer);
	is(try_as(OTHER, take_ports), PORTS / 2, "users that end leave all");
	return done_testing();
}

/* ---- Ports of the kernel ------------------------------------------------------------------ */

static long take_kernel_ports(void)
{
	uint16_t number;
	long n = 0;

	for (;; n++) {
		int fd = open("/dev/espgoal", O_RDWR);

		if (fd < 0)
			bail("/dev/espgoal");
		if (!ioctl(fd, ESPGOAL_PORT, &number))
			continue;
		if (errno != EADDRINUSE)
			bail("ESPGOAL_PORT");
		return n;
	}
}

static int test_kernel(void)
{
	struct taker most;

	enter("h1");
	most = taker_start(USER, take_kernel_ports);
	is(most.result, KERNEL_PORTS / 2, "a user has half of the kernel's ports");
	is(try_as(OTHER, take_kernel_ports), KERNEL_PORTS / 4, "another one has others");
	taker_end(&most);
	return done_testing();
}

/* ---- Pinned pages --------------------------------------------------------------------------- */

static int channel[2];

static void send_file(int fd)
{
	char byte = 1, control[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);

	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(h), &fd, sizeof(fd));
	if (sendmsg(channel[0], &m, 0) != 1)
		fail("sendmsg");
}

static int receive_file(void)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
			    .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(channel[1], &m, 0) != 1 || !CMSG_FIRSTHDR(&m))
		bail("recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

/* A run whose buffer is pinned, as its message does not come; 0, or an errno. */
static int pin(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g);
	uint64_t buffers[1];
	struct espgoal_start start = { .buffers = (uintptr_t)buffers };
	void *memory = mmap(NULL, PINNED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	goal_buffer_at_least(g, data, PINNED);
	goal_recv(g, PINNED, GOAL_AT(data, 0), 1, 1);
	start.id = load_graph(g);
	buffers[0] = (uintptr_t)memory;
	return ioctl(device, ESPGOAL_START, &start) ? errno : 0;
}

/* In a process of its own, which ends; its file goes to this one. */
static int pin_and_pass(int user, int *fd)
{
	int status;
	pid_t child = fork();

	port += 20;
	key++;
	if (child == 0) {
		enter("h1");
		become(user);
		join_as(0);
		status = pin();
		send_file(device);
		close(device);
		_exit(status);
	}
	*fd = receive_file();
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int test_pins(void)
{
	int first, second, third, fourth;

	begin_test(2);
	loopback = true;
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, channel))
		bail("socketpair");
	is(pin_and_pass(USER, &first), 0, "a process pins what its user may, and passes its file");
	is(pin_and_pass(USER, &second), ENOMEM, "the next one of this user has nothing left");
	is(pin_and_pass(OTHER, &third), 0, "but one of another user has");
	close(first);
	is(pin_and_pass(USER, &fourth), 0, "the file is closed, and the user may pin again");
	close(second);
	close(third);
	close(fourth);
	return done_testing();
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (!strcmp(what, "ports"))
		return test_ports();
	return !strcmp(what, "kernel") ? test_kernel() : test_pins();
}
