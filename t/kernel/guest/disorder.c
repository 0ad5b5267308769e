// SPDX-License-Identifier: BSD-3-Clause
/* disorder.c - threads that share sockets of two hosts and call them in random order. */

/*
 * usage: disorder SECONDS SEED THREADS. The hosts are a and b of cable() in testlib; half of the
 * threads open their sockets on each, and at times on host c, which may be gone. Every result of a
 * call is right, as long as the kernel lives and calls return. Links may change meanwhile.
 *
 * Threads of both hosts also join jobs of two processes and start their schedules. A job is that of
 * its place until a thread finds it failed, or closes it for no reason. As both processes of a job
 * load the same schedules in the same order, most runs of one match runs of the other.
 *
 * A thread may call a number that another has closed and that is of a new file then, and wait there
 * for what never comes. So signals interrupt the threads all the time.
 */

#include "goal_pair.h"

#include "espgoal.h"

#include "../../lib/random.h"

#include <linux/errqueue.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

enum {
	PLACES = 48,		/* of sockets, which all threads share */
	PORT = 2000, PORTS = 4,	/* few, so that sockets meet */
	LISTENERS = 4,		/* that no process closes: of two ports on each host */
	MOST = 1 << 14,
	LIMIT_US = 20000,	/* of a call that waits */
	TIMEOUT_MS = 300,	/* of a connection */
	JOBS = 3, JOB_KEY = 77, JOB_PORT = ENET_PORT_FIRST_KERNEL + 100,
	MEMORY = 2 * PAIR_BYTES + 2 * 4096,	/* to send from, or for the buffers of a run */
	SIGNAL_US = 20000,	/* between signals */
	RETURN_S = 20,		/* in which all calls return */
};

static _Atomic int places[PLACES];	/* 0: free */
static int listeners[LISTENERS];
static _Atomic bool over;
static char bytes[MOST];

struct self {
	uint64_t random;
	bool on_b;
	unsigned char *always;		/* memory that stays, ... */
	unsigned char *until_next;	/* ... and that is unmapped by the next call, or NULL */
};

static unsigned int pick(struct self *t, unsigned int n)
{
	return (unsigned int)random_below(&t->random, n);
}

/* ---- Sockets, which another thread may close at any time ---- */

static void put(struct self *t, int fd)
{
	int old;

	if (fd < 0)
		return;
	old = atomic_exchange(&places[pick(t, PLACES)], fd);
	if (old)
		close(old);
}

static int any(struct self *t)
{
	int fd = places[pick(t, PLACES)];

	return fd ? fd : -1;
}

static void go_to(const char *host)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", host);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	setns(fd, CLONE_NEWNET);
	close(fd);
}

/* Mostly one that makes sense. */
static struct sockaddr_en somewhere(struct self *t, bool here)
{
	static const char *const names[] = { "a0", "b0", "lo", "br0" };
	struct sockaddr_en at = { .sen_family = AF_ENET,
				  .sen_port = htons((uint16_t)(PORT + pick(t, PORTS))) };

	if (!here || pick(t, 2))
		at.sen_ifindex = if_nametoindex(names[pick(t, 8) ? t->on_b : 2 + pick(t, 2)]);
	if (!here) {
		at.sen_addrlen = ENET_ADDR_BYTES;
		at.sen_addr[0] = pick(t, 16) ? 2 : (unsigned char)pick(t, 256);
		at.sen_addr[5] = t->on_b ? 1 : 2;
	}
	if (!pick(t, 24))
		((char *)&at)[pick(t, sizeof(at))] ^= (char)(1 << pick(t, 8));
	return at;
}

/* No call waits for long. */
static void set_limit(int fd)
{
	struct timeval limit = { .tv_usec = LIMIT_US };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

/* ---- Memory, which may change or go while the kernel uses it ---- */

static unsigned char *memory_map(int kind)
{
	void *at = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Pages of it may be missing, or not there yet. */
static unsigned char *memory_get(struct self *t)
{
	unsigned char *at;

	if (pick(t, 3))
		return t->always;
	at = memory_map(pick(t, 3) ? MAP_PRIVATE : MAP_SHARED);
	if (!at)
		return t->always;
	memset(at, (int)pick(t, 256), pick(t, pick(t, 8) ? 8192 : MEMORY));
	if (!pick(t, 8))
		mprotect(at + pick(t, MEMORY / 4096) * 4096, 4096, PROT_NONE);
	return at;
}

/* After the call that uses it. */
static void memory_leave(struct self *t, unsigned char *at)
{
	unsigned int some = pick(t, MEMORY / 4096) * 4096;

	if (at == t->always) {
		memset(at + some, (int)pick(t, 256), 2048);
		return;
	}
	if (t->until_next)
		munmap(t->until_next, MEMORY);
	t->until_next = NULL;
	if (pick(t, 2)) {
		munmap(at, MEMORY);
		return;
	}
	if (pick(t, 2))
		madvise(at, some, MADV_DONTNEED);
	else
		mprotect(at, some, PROT_NONE);
	t->until_next = at;
}

/* ---- Calls: each returns whether it did what it is for ---- */

static bool do_socket(struct self *t)
{
	unsigned int ms = TIMEOUT_MS;
	int size = 1 << (10 + pick(t, 8)), fd;
	bool stream = pick(t, 3);

	go_to(pick(t, 16) ? (t->on_b ? "b" : "a") : "c");
	fd = socket(AF_ENET, (stream ? SOCK_STREAM : SOCK_DGRAM) | (pick(t, 2) ? SOCK_NONBLOCK : 0),
		    0);
	if (fd < 0)
		return false;
	set_limit(fd);
	if (stream)
		setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms));
	if (!pick(t, 3))
		setsockopt(fd, SOL_SOCKET, pick(t, 2) ? SO_SNDBUF : SO_RCVBUF, &size, sizeof(size));
	put(t, fd);
	return true;
}

static bool do_bind(struct self *t)
{
	struct sockaddr_en at = somewhere(t, true);

	return bind(any(t), generic(&at), sizeof(at)) == 0;
}

static bool do_listen(struct self *t)
{
	return listen(any(t), (int)pick(t, 12)) == 0;
}

static bool do_connect(struct self *t)
{
	struct sockaddr_en to = somewhere(t, false);

	return connect(any(t), generic(&to), sizeof(to)) == 0 || errno == EINPROGRESS;
}

static bool do_accept(struct self *t)
{
	int at = pick(t, 4) ? listeners[pick(t, LISTENERS)] : any(t);
	int fd = accept4(at, NULL, NULL, pick(t, 2) ? SOCK_NONBLOCK : 0);

	if (fd >= 0)
		set_limit(fd);
	put(t, fd);
	return fd >= 0;
}

static bool do_send(struct self *t)
{
	static const int flags[] = { 0, MSG_DONTWAIT, MSG_MORE, MSG_OOB };

	return send(any(t), bytes, pick(t, pick(t, 2) ? 2000 : MOST),
		    MSG_NOSIGNAL | flags[pick(t, 4)]) > 0;
}

static bool do_send_to(struct self *t)
{
	struct sockaddr_en to = somewhere(t, false);
	struct iovec parts[3];
	struct msghdr m = { .msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = parts,
			    .msg_iovlen = pick(t, 4) };

	for (int i = 0; i < 3; i++)
		parts[i] = (struct iovec){ bytes, pick(t, 700) };
	return sendmsg(any(t), &m, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/* From the pages of the process: ESP_SO_ZEROCOPY. */
static bool do_pages(struct self *t)
{
	unsigned char *at = memory_get(t);
	struct iovec parts[8];
	struct msghdr m = { .msg_iov = parts, .msg_iovlen = 1 + pick(t, 8) };
	int fd = any(t), on = pick(t, 16) != 0;
	bool sent;

	for (int i = 0; i < 8; i++)
		parts[i] = (struct iovec){ at + pick(t, MEMORY - 8192),
					   pick(t, pick(t, 4) ? 1500 : 8192) };
	if (pick(t, 4))
		setsockopt(fd, SOL_ENET, ESP_SO_ZEROCOPY, &on, sizeof(on));
	sent = sendmsg(fd, &m, MSG_ZEROCOPY | MSG_NOSIGNAL | (pick(t, 2) ? MSG_DONTWAIT : 0) |
		       (pick(t, 4) ? 0 : MSG_MORE)) > 0;
	memory_leave(t, at);
	return sent;
}

/* Reads the notices of some sockets; other sockets are closed with unread ones. */
static bool do_notices(struct self *t)
{
	union {
		struct cmsghdr head;
		char bytes[256];
	} control;
	struct msghdr m = { .msg_control = &control, .msg_controllen = pick(t, sizeof(control)) };
	bool some = false;

	for (int i = 0; i < 8; i++)
		some |= recvmsg(any(t), &m, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0;
	return some;
}

static bool do_receive(struct self *t)
{
	static const int flags[] = { 0, MSG_DONTWAIT, MSG_PEEK, MSG_TRUNC, MSG_WAITALL };
	char into[4096];

	return recv(any(t), into, pick(t, sizeof(into)), flags[pick(t, 5)]) > 0;
}

static bool do_shutdown(struct self *t)
{
	return shutdown(any(t), (int)pick(t, 4)) == 0;
}

static bool do_option(struct self *t)
{
	unsigned char value[sizeof(struct sockaddr_en)];
	int level = pick(t, 2) ? SOL_ENET : SOL_SOCKET;
	int name = (int)pick(t, level == SOL_ENET ? 6 : 16);
	socklen_t len = pick(t, sizeof(value) + 1);

	if (pick(t, 2))
		return getsockopt(any(t), level, name, value, &len) == 0;
	if (level == SOL_ENET && name == ESP_SO_TIMEOUT)
		return false;		/* which stays short */
	for (size_t i = 0; i < sizeof(value); i++)
		value[i] = (unsigned char)pick(t, 256);
	if (level == SOL_SOCKET && (name == SO_LINGER || name == SO_DEBUG))
		return false;		/* a linger of years */
	return setsockopt(any(t), level, name, value, len) == 0;
}

static bool do_join(struct self *t)
{
	struct sockaddr_en group = somewhere(t, false);

	memset(group.sen_addr, 3, sizeof(group.sen_addr));
	return setsockopt(any(t), SOL_ENET, pick(t, 3) ? EDP_SO_JOIN : EDP_SO_LEAVE, &group,
			  sizeof(group)) == 0;
}

static bool do_ask(struct self *t)
{
	struct sockaddr_en at;
	socklen_t len = sizeof(at);
	int n;

	if (pick(t, 2))
		return getpeername(any(t), generic(&at), &len) == 0;
	return ioctl(any(t), pick(t, 2) ? FIONREAD : TIOCOUTQ, &n) == 0;
}

static bool do_poll(struct self *t)
{
	struct pollfd many[4];

	for (int i = 0; i < 4; i++)
		many[i] = (struct pollfd){ any(t), POLLIN | POLLOUT | POLLRDHUP, 0 };
	return poll(many, 4, (int)pick(t, 5)) > 0;
}

static bool do_close(struct self *t)
{
	int fd = atomic_exchange(&places[pick(t, PLACES)], 0);

	return fd && close(fd) == 0;
}

static bool do_duplicate(struct self *t)
{
	int fd = dup(any(t));

	put(t, fd);
	return fd >= 0;
}

static bool do_read_tables(struct self *t)
{
	static const char *const names[] = { "/proc/thread-self/net/enet",
					     "/proc/thread-self/net/protocols" };
	char text[1024];
	int fd = open(names[pick(t, 2)], O_RDONLY | O_CLOEXEC);
	bool some = fd >= 0 && read(fd, text, sizeof(text)) > 0;

	if (fd >= 0)
		close(fd);
	return some;
}

/* ---- Jobs of a process on each host ---- */

static struct job {
	_Atomic int fd;			/* 0: none */
	_Atomic unsigned int nloaded;
	_Atomic unsigned int newest;	/* slot of a run */
	_Atomic unsigned char schedule[ESPGOAL_RUNS_MOST];	/* by slot */
} jobs[JOBS][2];

static struct {
	void *block;
	size_t len;
} blocks[PAIR_SCHEDULES][2];

/* Runs that ended; those of them that needed the other process. */
static _Atomic unsigned long nended, nmet;

static int job_open(struct self *t, unsigned int which)
{
	struct sockaddr_en peers[2];
	struct espgoal_join join = {
		.version = ESPGOAL_VERSION, .nprocs = 2, .rank = t->on_b, .networks = 1,
		.key = JOB_KEY + which, .peers = (uintptr_t)peers, .timeout_ms = TIMEOUT_MS,
	};
	unsigned int ifindex = if_nametoindex(t->on_b ? "b0" : "a0");
	int fd = open("/dev/espgoal", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -1;
	for (int i = 0; i < 2; i++)
		peers[i] = address(JOB_PORT + (int)which, ifindex, i ? MAC_B : MAC_A);
	if (which)
		join.group = address(JOB_PORT + (int)which, 0, "03:42:53:50:00:01");
	if (ioctl(fd, ESPGOAL_JOIN, &join) == 0)
		return fd;
	close(fd);
	return -1;
}

/* The same schedules in the same order as the other process. */
static bool job_load(struct job *j, int fd, bool on_b)
{
	unsigned int i = j->nloaded++ % PAIR_SCHEDULES;
	struct espgoal_load load = { .block = (uintptr_t)blocks[i][on_b].block,
				     .bytes = blocks[i][on_b].len };

	return ioctl(fd, ESPGOAL_LOAD, &load) == 0;
}

static bool job_is_good(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, 0) == 0;
}

/* Replaces a job that is not there or has failed; at times one that runs. */
static bool do_job(struct self *t)
{
	unsigned int which = pick(t, JOBS);
	struct job *j = &jobs[which][t->on_b];
	int fd = j->fd;

	if (fd && job_is_good(fd) && pick(t, 64))
		return false;
	fd = atomic_exchange(&j->fd, 0);
	if (fd)
		close(fd);
	fd = job_open(t, which);
	if (fd < 0)
		return false;
	j->nloaded = 0;
	for (int i = 0; i < PAIR_SCHEDULES; i++)
		job_load(j, fd, t->on_b);
	fd = atomic_exchange(&j->fd, fd);
	if (fd)
		put(t, fd);		/* another thread has joined meanwhile */
	return true;
}

static struct job *job_any(struct self *t, int *fd)
{
	struct job *j = &jobs[pick(t, JOBS)][pick(t, 16) ? t->on_b : !t->on_b];

	*fd = j->fd;
	if (!*fd)
		*fd = any(t);
	return j;
}

/* The next schedule in place of the oldest, which may be in use. */
static bool do_reload(struct self *t)
{
	int fd;
	struct job *j = job_any(t, &fd);
	uint32_t id = j->nloaded % PAIR_SCHEDULES;

	if (pick(t, 8))
		return false;
	return ioctl(fd, ESPGOAL_UNLOAD, &id) == 0 && job_load(j, fd, t->on_b);
}

static bool job_finish(struct self *t, struct job *j, int fd, uint32_t slot)
{
	char scratch[64];
	struct espgoal_finish f = { .slot = slot, .nowait = pick(t, 8) != 0,
				    .scratch = pick(t, 4) ? 0 : (uintptr_t)scratch,
				    .scratch_bytes = pick(t, sizeof(scratch) + 1) };
	unsigned int schedule = j->schedule[slot];
	unsigned char *copy = pick(t, 4) ? NULL : memory_get(t);
	bool finished;

	f.copy = (uintptr_t)copy;
	f.copy_bytes = pick(t, 2 * PAIR_BYTES + 4096);
	finished = ioctl(fd, ESPGOAL_FINISH, &f) == 0;
	if (copy)
		memory_leave(t, copy);
	if (!finished)
		return false;
	nended++;
	nmet += pair_schedules[schedule].meets;
	return true;
}

static bool do_start(struct self *t)
{
	int fd;
	struct job *j = job_any(t, &fd);
	unsigned char *at = memory_get(t), scratch[64] = { 0 };
	uint64_t buffers[] = { (uintptr_t)at + 8 * pick(t, 512),
			       (uintptr_t)at + PAIR_BYTES + 8 * pick(t, 512) };
	struct espgoal_start s = { .id = pick(t, pick(t, 48) ? PAIR_GOOD : PAIR_SCHEDULES),
				   .buffers = (uintptr_t)buffers,
				   .scratch = pick(t, 8) ? 0 : (uintptr_t)scratch,
				   .scratch_bytes = pick(t, sizeof(scratch)) };
	bool started;

	if (pick(t, 4) == 0) {		/* copied; mostly all of it */
		s.copy = (uintptr_t)at;
		s.copy_bytes = pick(t, 4) ? 2 * PAIR_BYTES + 4096 : pick(t, 8 * PAIR_BYTES);
	}
	started = ioctl(fd, ESPGOAL_START, &s) == 0;
	if (started) {
		j->schedule[s.slot] = (unsigned char)s.id;
		j->newest = s.slot;
	}
	memory_leave(t, at);
	return started;
}

static bool do_finish(struct self *t)
{
	int fd;
	struct job *j = job_any(t, &fd);

	return job_finish(t, j, fd, pick(t, 2) ? j->newest : pick(t, ESPGOAL_RUNS_MOST));
}

/* Finishes the runs that the job's page shows as over. */
static bool do_look(struct self *t)
{
	int fd;
	struct job *j = job_any(t, &fd);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	const struct espgoal_page *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	bool some = false;

	if (page == MAP_FAILED)
		return false;
	if (pick(t, 2))
		poll(&p, 1, (int)pick(t, LIMIT_US / 1000));
	for (uint32_t i = 0; i < ESPGOAL_RUNS_MOST; i++)
		if (page->state[i] == ESPGOAL_OVER)
			some |= job_finish(t, j, fd, i);
	munmap((void *)page, 4096);
	return some;
}

static bool do_stats(struct self *t)
{
	struct espgoal_stats stats;	/* or a port */
	int fd;

	job_any(t, &fd);
	return ioctl(fd, pick(t, 4) ? ESPGOAL_STATS : ESPGOAL_PORT, &stats) == 0;
}

/* Another process has all files for a moment, and uses them. */
static bool do_fork(struct self *t)
{
	pid_t child;

	if (pick(t, 32))
		return false;
	child = fork();
	if (child == 0) {
		do_start(t);
		do_pages(t);
		usleep(pick(t, 3000));
		_exit(0);
	}
	return child > 0 && waitpid(child, NULL, 0) == child;
}

/* ---- Which calls, and how often ---- */

static const struct call {
	const char *name;
	bool (*make)(struct self *t);
	unsigned int weight;
	bool rare;		/* need not succeed in a short run */
} calls[] = {
	{ "socket", do_socket, 5, false }, { "bind", do_bind, 6, false },
	{ "listen", do_listen, 3, false }, { "connect", do_connect, 8, false },
	{ "accept", do_accept, 8, false }, { "send", do_send, 16, false },
	{ "sendmsg", do_send_to, 8, false }, { "recv", do_receive, 16, false },
	{ "shutdown", do_shutdown, 1, true }, { "options", do_option, 3, false },
	{ "join", do_join, 2, false }, { "ask", do_ask, 2, false }, { "poll", do_poll, 3, false },
	{ "close", do_close, 2, false }, { "dup", do_duplicate, 1, false },
	{ "fork", do_fork, 1, true }, { "tables", do_read_tables, 1, false },
	{ "pages", do_pages, 12, false }, { "notices", do_notices, 8, false },
	{ "job", do_job, 3, false }, { "reload", do_reload, 1, true },
	{ "start", do_start, 12, false }, { "finish", do_finish, 6, false },
	{ "look", do_look, 8, false }, { "stats", do_stats, 1, false },
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static _Atomic unsigned long made[CALLS], good[CALLS];

static int choose(struct self *t)
{
	unsigned int all = 0, at;
	int i = 0;

	for (int k = 0; k < CALLS; k++)
		all += calls[k].weight;
	for (at = pick(t, all); at >= calls[i].weight; i++)
		at -= calls[i].weight;
	return i;
}

static void *work(void *argument)
{
	struct self *t = argument;

	t->always = memory_map(MAP_PRIVATE);
	if (!t->always)
		bail("mmap");
	go_to(t->on_b ? "b" : "a");
	while (!over) {
		int i = choose(t);

		good[i] += calls[i].make(t);
		made[i]++;
	}
	return NULL;
}

/* ---- All of them ---- */

static int listen_at(const char *host, int port)
{
	struct sockaddr_en at = address(port, 0, NULL);
	int fd = socket_in(host, SOCK_STREAM | SOCK_NONBLOCK);

	if (bind(fd, generic(&at), sizeof(at)) || listen(fd, 20))
		bail("listen");
	return fd;
}

static void interrupt(int signo)
{
	(void)signo;
}

static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Interrupt one after the other, for so long by the clock: a sleep is longer on a debug kernel. */
static void disturb(const pthread_t *threads, int n, int seconds)
{
	struct sigaction action = { .sa_handler = interrupt };	/* calls do not begin again */
	time_t end = seconds_now() + seconds;

	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; seconds_now() < end; i++) {
		pthread_kill(threads[i % n], SIGUSR1);
		usleep(SIGNAL_US);
	}
}

/* Interrupt it until it returns. */
static bool join(pthread_t thread)
{
	for (long i = 0; i < RETURN_S * (1000000L / SIGNAL_US); i++) {
		if (pthread_tryjoin_np(thread, NULL) == 0)
			return true;
		pthread_kill(thread, SIGUSR1);
		usleep(SIGNAL_US);
	}
	return false;
}

static void close_all(void)
{
	for (int i = 0; i < PLACES; i++)
		if (places[i])
			close(places[i]);
	for (int i = 0; i < LISTENERS; i++)
		close(listeners[i]);
	for (int i = 0; i < 2 * JOBS; i++)
		if (jobs[i / 2][i % 2].fd)
			close(jobs[i / 2][i % 2].fd);
}

int main(int argc, char **argv)
{
	enum { THREADS_MOST = 64 };
	static struct self selves[THREADS_MOST];
	pthread_t threads[THREADS_MOST];
	int n = argc == 4 ? atoi(argv[3]) : 0, seconds = argc == 4 ? atoi(argv[1]) : 0;
	unsigned long long seed = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	bool all = true;
	int joined = 0;

	if (n < 1 || n > THREADS_MOST)
		bail("usage");
	for (int i = 0; i < LISTENERS; i++)
		listeners[i] = listen_at(i % 2 ? "b" : "a", PORT + i / 2);
	for (int i = 0; i < 2 * PAIR_SCHEDULES; i++)
		blocks[i / 2][i % 2].block = pair_compile(i / 2, i % 2, &blocks[i / 2][i % 2].len);
	for (int i = 0; i < n; i++) {
		selves[i] = (struct self){ seed * 1000 + (unsigned int)i, i % 2, NULL, NULL };
		if (pthread_create(&threads[i], NULL, work, &selves[i]))
			bail("pthread_create");
	}
	disturb(threads, n, seconds);
	over = true;
	for (int i = 0; i < n; i++)
		joined += join(threads[i]);
	is(joined, n, "all calls return");
	close_all();
	for (int i = 0; i < CALLS; i++) {
		printf("# %s: %lu of %lu did something\n", calls[i].name, good[i], made[i]);
		all = all && (good[i] || calls[i].rare);
	}
	ok(all, "calls of each kind do something");
	printf("# %lu runs ended, of which %lu needed the other process\n", nended, nmet);
	ok(nmet, "runs of both processes of a job match");
	return done_testing();
}
