// SPDX-License-Identifier: BSD-3-Clause
/* hoard.c - what one user's sockets hold is charged to its group of processes, and bounded. */

/*
 * usage, in a guest with lo:
 *
 *	hoard group KIND FOLDER
 *		In an empty group of processes (cgroup v2) of 32 MiB, as user 1000, sockets of KIND
 *		are made first and then filled.
 *	hoard all
 *		With a small net.enet.mem, of which sockets fill all.
 *
 * KIND: datagrams, streams; closed: streams whose senders are closed; waiting: streams that their
 * listener has not accepted; backlog: streams whose readers hold their sockets, as a page of their
 * buffer does not come.
 */

#include "slow_page.h"

#include "drops.h"

#include <net/if.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum {
	PORT = 4000,
	MIB = 1 << 20,
	LIMIT = 32 * MIB,		/* of the group */
	EXCESS = 2 * MIB,		/* in softirq, and what processors have in reserve */
	SOCKETS = 300,
	BLOCKED = 8,			/* readers that hold their sockets */
	PIECE = 32000,
	TIMES = 6000,
	INTERVAL_US = 10000
};

static const char *folder;
static struct sockaddr_en local;
static int at[SOCKETS], from[SOCKETS];
/* The state of the process in the group, which needs no memory to set it. */
static struct shared {
	unsigned long refused;		/* calls of send() */
	int step;
} *shared;
static char piece[PIECE];

/* ---- The group ----------------------------------------------------------------------- */

static FILE *open_in_group(const char *name, const char *mode)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, mode);
	if (!f)
		bail(path);
	return f;
}

/* The number at @name in a file of names and numbers; without @name the file's only number. */
static long number_in_group(const char *file, const char *name)
{
	FILE *f = open_in_group(file, "r");
	char line[100];
	long n = -1;

	while (n < 0 && fgets(line, sizeof(line), f))
		if (!name)
			n = atol(line);
		else if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ' ')
			n = atol(line + strlen(name));
	fclose(f);
	return n;
}

/* Counters of the group become visible within seconds. */
static bool becomes(bool (*test)(void))
{
	for (int i = 0; i < TIMES; i++) {
		if (test())
			return true;
		usleep(INTERVAL_US);
	}
	printf("# charged for sockets: %ld, in all: %ld\n", number_in_group("memory.stat", "sock"),
	       number_in_group("memory.current", NULL));
	return false;
}

static bool half_is_charged(void)
{
	return number_in_group("memory.stat", "sock") >= LIMIT / 2;
}

static bool nothing_is_charged(void)
{
	return number_in_group("memory.stat", "sock") == 0;
}

static bool step_is_reached(int step)
{
	for (int i = 0; i < TIMES && shared->step < step; i++)
		usleep(INTERVAL_US);
	return shared->step >= step;
}

static bool backlogs_are_charged(void)
{
	return number_in_group("memory.stat", "sock") >= BLOCKED * 2 * PIECE;
}

static void become_member_and_user(void)
{
	FILE *procs = open_in_group("cgroup.procs", "w");

	if (fprintf(procs, "0\n") < 0 || fclose(procs) || setresgid(1000, 1000, 1000) ||
	    setresuid(1000, 1000, 1000))
		bail("to be user 1000 in a group");
}

/* ---- Sockets ------------------------------------------------------------------------- */

static int new_socket(int type)
{
	int fd = socket(AF_ENET, type, 0), most = 1 << 30;

	if (fd < 0)
		bail("socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &most, sizeof(most));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &most, sizeof(most));
	return fd;
}

static void open_datagrams(void)
{
	for (int i = 0; i < SOCKETS; i++) {
		struct sockaddr_en any = address(0, 0, NULL);
		socklen_t len = sizeof(any);

		at[i] = from[i] = new_socket(SOCK_DGRAM);
		if (bind(at[i], generic(&any), sizeof(any)) ||
		    getsockname(at[i], generic(&any), &len))
			bail("bind");
		local.sen_port = any.sen_port;
		if (connect(at[i], generic(&local), sizeof(local)))
			bail("connect");
	}
}

static int open_listener(void)
{
	struct sockaddr_en any = address(PORT, 0, NULL);
	int listener = new_socket(SOCK_STREAM);

	if (bind(listener, generic(&any), sizeof(any)) || listen(listener, SOCKETS))
		bail("listen");
	local.sen_port = htons(PORT);
	return listener;
}

static void connect_from(int i)
{
	from[i] = new_socket(SOCK_STREAM);
	if (connect(from[i], generic(&local), sizeof(local)))
		bail("connect");
}

static void open_streams(void)
{
	int listener = open_listener();

	for (int i = 0; i < SOCKETS; i++) {
		connect_from(i);
		at[i] = accept(listener, NULL, NULL);
		if (at[i] < 0)
			bail("accept");
	}
	close(listener);
}

/* The listener stays open and accepts none. */
static void open_waiting(void)
{
	open_listener();
	for (int i = 0; i < SOCKETS; i++)
		connect_from(i);
}

static void open_kind(const char *kind)
{
	if (!strcmp(kind, "datagrams"))
		open_datagrams();
	else if (!strcmp(kind, "waiting"))
		open_waiting();
	else
		open_streams();
}

/* True: it takes more. */
static bool give(int fd)
{
	if (send(fd, piece, sizeof(piece), MSG_DONTWAIT) > 0)
		return true;
	if (errno != EAGAIN && errno != ENOBUFS)
		bail("send");
	shared->refused += errno == ENOBUFS;
	return false;
}

/* One round for each is not enough for streams: their peers grant more as frames arrive. */
static void fill(void)
{
	for (int round = 0; round < 10; round++)
		for (int i = 0; i < SOCKETS; i++)
			for (int n = 0; n < 20 && give(from[i]); n++)
				;
}

static void close_all(int *fd)
{
	for (int i = 0; i < SOCKETS; i++)
		close(fd[i]);
}

/* ---- What the group holds --------------------------------------------------------------- */

static void group_is_not_exceeded(const char *kind, unsigned long long before)
{
	long now = number_in_group("memory.current", NULL);
	char claim[100];

	snprintf(claim, sizeof(claim), "%s: the group holds what it may", kind);
	if (!ok(now <= LIMIT + EXCESS, claim))
		printf("# %ld bytes of %d\n", now, LIMIT);
	snprintf(claim, sizeof(claim), "%s: half of that or more is charged for sockets", kind);
	ok(becomes(half_is_charged), claim);
	snprintf(claim, sizeof(claim), "%s: what is beyond is refused", kind);
	ok(shared->refused + dropped_here("memory") > before, claim);
	printf("# %lu calls refused, %llu frames dropped\n", shared->refused,
	       dropped_here("memory") - before);
}

static void hoard(const char *kind)
{
	become_member_and_user();
	open_kind(kind);
	fill();
	if (!strcmp(kind, "closed"))
		close_all(from);
	shared->step = 1;
	step_is_reached(2);
	_exit(0);
}

/* Its sockets are closed with it. */
static void fill_group(const char *kind)
{
	unsigned long long before = dropped_here("memory");
	pid_t member = fork();
	int status;

	if (member == 0)
		hoard(kind);
	ok(step_is_reached(1), "a process fills its sockets");
	group_is_not_exceeded(kind, before);
	shared->step = 2;
	waitpid(member, &status, 0);
	is(status, 0, "it ends by itself");
	ok(becomes(nothing_is_charged), "and nothing remains");
}

static struct slow_page page[BLOCKED];

static void *read_slowly(void *arg)
{
	int i = (int)(intptr_t)arg;

	return (void *)(intptr_t)recv(at[i], page[i].at, page[i].bytes, 0);
}

/* The first frame wakes the reader, which holds its socket from then on. */
static void fill_backlogs(void)
{
	pthread_t reader[BLOCKED];

	become_member_and_user();
	open_streams();
	for (int i = 0; i < BLOCKED; i++) {
		page[i] = slow_page_create();
		if (pthread_create(&reader[i], NULL, read_slowly, (void *)(intptr_t)i))
			bail("pthread_create");
		give(from[i]);
		slow_page_await(&page[i]);
		while (give(from[i]))
			;
	}
	ok(becomes(backlogs_are_charged), "what waits for a call that holds the socket is charged");
	for (int i = 0; i < BLOCKED; i++) {
		slow_page_fill(&page[i], "", 1);
		pthread_join(reader[i], NULL);
	}
	close_all(from);
	close_all(at);
	ok(becomes(nothing_is_charged), "and nothing remains");
}

static void reserved_memory_is_refused(void)
{
	int bytes = 1 << 16, fd = new_socket(SOCK_DGRAM);

	fails(setsockopt(fd, SOL_SOCKET, SO_RESERVE_MEM, &bytes, sizeof(bytes)), ENOMEM,
	      "a socket cannot reserve memory");
	close(fd);
}

static int test_group(const char *kind)
{
	if (!strcmp(kind, "backlog") &&
	    !slow_page_is_possible("what waits for a call that holds the socket is charged"))
		return done_testing();
	if (!strcmp(kind, "backlog"))
		fill_backlogs();
	else
		fill_group(kind);
	if (!strcmp(kind, "backlog"))
		reserved_memory_is_refused();
	return done_testing();
}

/* ---- The limit of all ------------------------------------------------------------------- */

static void set_limit(const char *pages)
{
	FILE *f = fopen("/proc/sys/net/enet/mem", "w");

	if (!f || fprintf(f, "%s\n", pages) < 0 || fclose(f))
		bail("net.enet.mem");
}

static long unread(void)
{
	long bytes = 0;
	char into[PIECE];

	for (int i = 0; i < SOCKETS; i++)
		while (recv(at[i], into, sizeof(into), MSG_DONTWAIT) > 0)
			bytes += sizeof(into);
	return bytes;
}

static void *read_all(void *arg)
{
	char into[PIECE];
	long bytes = 0, n;

	while ((n = recv(*(int *)arg, into, sizeof(into), 0)) > 0)
		bytes += n;
	return (void *)bytes;
}

/*
 * A stream of 4 MiB: others hold all memory when it begins, and less and less. It never waits: as
 * long as others hold all that its receiver would need, nothing would end that but its timeout.
 */
static void stream_goes_on_when_others_read(int sender, int receiver)
{
	long sent = 0, was_refused = 0, n;
	pthread_t reader;
	void *got;

	pthread_create(&reader, NULL, read_all, &receiver);
	for (int i = 0; sent < 4 * MIB;) {
		n = send(sender, piece, PIECE, MSG_DONTWAIT);
		if (n < 0 && errno != ENOBUFS && errno != EAGAIN)
			bail("send");
		was_refused += n < 0 && errno == ENOBUFS;
		sent += n > 0 ? n : 0;
		if (n < 0 && i < SOCKETS)
			close(at[i++]);
		else if (n < 0)
			usleep(INTERVAL_US);
	}
	shutdown(sender, SHUT_WR);
	pthread_join(reader, &got);
	ok(was_refused > 0, "a stream is refused memory that others hold");
	is((long)got, sent, "and arrives whole when they have closed");
}

/* Amounts are exact up to a MiB for each of the two processors. */
static int test_all(void)
{
	int stream[2], listener = new_socket(SOCK_STREAM);
	struct sockaddr_en any = address(PORT + 1, 0, NULL);
	unsigned long long before = dropped_here("memory");
	long held;

	if (bind(listener, generic(&any), sizeof(any)) || listen(listener, 1))
		bail("listen");
	local.sen_port = any.sen_port;
	stream[0] = new_socket(SOCK_STREAM);
	if (connect(stream[0], generic(&local), sizeof(local)))
		bail("connect");
	stream[1] = accept(listener, NULL, NULL);
	set_limit("512 768 1024");
	open_datagrams();
	fill();
	ok(shared->refused + dropped_here("memory") > before,
	   "beyond net.enet.mem sends are refused");
	held = unread();
	printf("# %ld bytes, %lu calls refused\n", held, shared->refused);
	ok(held > MIB && held <= 1024 * 4096 + 2 * MIB, "and sockets hold what it says");
	fill();
	stream_goes_on_when_others_read(stream[0], stream[1]);
	return done_testing();
}

int main(int argc, char **argv)
{
	struct rlimit files = { 4000, 4000 };

	setrlimit(RLIMIT_NOFILE, &files);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		bail("mmap");
	local = address(0, if_nametoindex("lo"), "00:00:00:00:00:00");
	if (argc == 2 && !strcmp(argv[1], "all"))
		return test_all();
	folder = argc == 4 ? argv[3] : "";
	return test_group(argc == 4 ? argv[2] : "");
}
