// SPDX-License-Identifier: BSD-3-Clause
/* away.c - connections while there is no way to the peer for a long time: they wait and go on, or
 * fail when they should. */

/*
 * usage: away SECONDS, after segment 3 of testlib. From h1 to h2, whose link goes down, and to h3,
 * whose link stays up but whose port leaves the bridge, so that frames vanish.
 */

#include "bytes.h"

#include <net/if.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

enum {
	PORT = 2000,
	PATIENT_MS = 600000,
	IMPATIENT_MS = 5000,
	SLACK_MS = 3000,
	PEERS = 2,
	WAYS = 2
};
enum kind { BUSY, IDLE, IMPATIENT, IMPATIENT_IDLE, KINDS };

/* Shared by all processes. */
static struct progress {
	_Atomic bool stop;
	_Atomic uint64_t sent[PEERS][WAYS], received[PEERS][WAYS];
} *shared;

static int ends[PEERS][KINDS][WAYS];	/* way 0: what h1 has */

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* In the namespace where the bridge is. */
static void run(const char *command)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		int fd = open("/proc/1/ns/net", O_RDONLY);

		if (fd < 0 || setns(fd, CLONE_NEWNET))
			_exit(1);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(1);
	}
	if (waitpid(child, &status, 0) != child || status)
		bail(command);
}

static void be_patient(int fd, unsigned int ms)
{
	if (setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms)))
		bail("ESP_SO_TIMEOUT");
}

static void connect_to(int peer)
{
	struct sockaddr_en here = address(PORT, 0, NULL);
	char host[8], mac[24];
	int at;

	snprintf(host, sizeof(host), "h%d", peer + 2);
	snprintf(mac, sizeof(mac), "02:00:00:00:01:%02x", peer + 2);
	at = socket_in(host, SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, KINDS))
		bail("listen");
	for (int kind = 0; kind < KINDS; kind++) {
		struct sockaddr_en there = address(PORT, 0, mac);
		int *end = ends[peer][kind];

		end[0] = socket_in("h1", SOCK_STREAM);
		if (connect(end[0], generic(&there), sizeof(there)))
			bail("connect");
		end[1] = accept(at, NULL, NULL);
		if (end[1] < 0)
			bail("accept");
		for (int way = 0; way < WAYS; way++)
			be_patient(end[way], kind < IMPATIENT ? PATIENT_MS : IMPATIENT_MS);
	}
	close(at);
}

/* ---- Streams that never pause ------------------------------------------------------------ */

static int send_on(int peer, int way)
{
	int fd = ends[peer][BUSY][way];
	uint64_t done = 0;

	while (!shared->stop) {
		ssize_t n = send(fd, bytes_of(2 * peer + way, done, 5000), 5000, MSG_NOSIGNAL);

		if (n <= 0)
			return bytes_complain(2 * peer + way, "send", done);
		done += n;
		shared->sent[peer][way] = done;
	}
	return shutdown(fd, SHUT_WR);
}

static int receive_on(int peer, int way)
{
	static unsigned char block[BYTES_BLOCK];
	uint64_t done = 0;
	ssize_t n;

	while ((n = recv(ends[peer][BUSY][!way], block, sizeof(block), 0)) > 0) {
		if (memcmp(block, bytes_of(2 * peer + way, done, n), n))
			return bytes_complain(2 * peer + way, "wrong bytes", done);
		done += n;
		shared->received[peer][way] = done;
	}
	return n < 0 ? bytes_complain(2 * peer + way, "recv", done) : 0;
}

static void start(int (*what)(int, int))
{
	fflush(stdout);
	for (int peer = 0; peer < PEERS; peer++)
		for (int way = 0; way < WAYS; way++)
			if (fork() == 0)
				_exit(what(peer, way));
}

/* Until so much more has come by every stream; what has come until then. */
static void await_bytes(uint64_t more)
{
	for (int i = 0; i < PEERS * WAYS; i++) {
		_Atomic uint64_t *received = &shared->received[i / WAYS][i % WAYS];
		uint64_t enough = *received + more;

		while (*received < enough)
			usleep(1000);
	}
}

/* ---- Those that have something to send, and a short timeout ---------------------------------- */

/* Both ends of a connection send, and no answer comes; the timeout of each runs from there. */
static void fail_in_time(void)
{
	struct pollfd p[PEERS * WAYS];
	long begin = now_ms(), first = 0, last = 0;

	for (int i = 0; i < PEERS * WAYS; i++) {
		p[i] = (struct pollfd){ .fd = ends[i / WAYS][IMPATIENT][i % WAYS] };
		if (send(p[i].fd, "unheard", 7, 0) != 7)
			bail("send");
	}
	for (int left = PEERS * WAYS; left > 0;) {
		if (poll(p, PEERS * WAYS, 3 * IMPATIENT_MS) <= 0)
			bail("poll");
		last = now_ms() - begin;
		first = first ? first : last;
		for (int i = 0; i < PEERS * WAYS; i++)
			if (p[i].fd >= 0 && p[i].revents) {
				fails(recv(p[i].fd, &p, 1, MSG_DONTWAIT), ETIMEDOUT,
				      i % WAYS ? "an accepted socket with a short timeout fails" :
						 "a connecting socket with a short timeout fails");
				p[i].fd = -1;
				left--;
			}
	}
	printf("# the first after %ld ms, the last after %ld, of %d\n", first, last, IMPATIENT_MS);
	ok(first >= IMPATIENT_MS, "none before its time");
	ok(last < IMPATIENT_MS + SLACK_MS, "none long after it");
}

static void talk(int peer, enum kind kind, const char *what)
{
	int *end = ends[peer][kind];
	char in[2] = "";

	ok(send(end[0], "a", 1, MSG_NOSIGNAL) == 1 && send(end[1], "b", 1, MSG_NOSIGNAL) == 1 &&
	   recv(end[1], in, 1, 0) == 1 && recv(end[0], in + 1, 1, 0) == 1 && !memcmp(in, "ab", 2),
	   what);
}

static void stop_all(void)
{
	uint64_t sum = 0;
	int lost = 0;

	shared->stop = true;
	is(reap(), 0, "and end well");
	for (int i = 0; i < PEERS * WAYS; i++) {
		sum += shared->received[i / WAYS][i % WAYS];
		lost += shared->sent[i / WAYS][i % WAYS] != shared->received[i / WAYS][i % WAYS];
	}
	is(lost, 0, "every byte that was sent has come, once and in order");
	printf("# %llu KiB in all\n", (unsigned long long)sum >> 10);
}

int main(int argc, char **argv)
{
	long away_ms = 1000 * (argc > 1 ? atol(argv[1]) : 30), begin;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		bail("mmap");
	for (int peer = 0; peer < PEERS; peer++)
		connect_to(peer);
	start(send_on);
	start(receive_on);
	await_bytes(100000);
	run(". /testlib; ip -n h2 link set eth0 down && ip link set p3 nomaster");
	begin = now_ms();
	fail_in_time();
	while (now_ms() < begin + away_ms)
		usleep(10000);
	run(". /testlib; ip -n h2 link set eth0 up && ip link set p3 master br0");
	begin = now_ms();
	await_bytes(100000);
	printf("# streams have gone on after %ld ms\n", now_ms() - begin);
	ok(1, "streams go on, whether the link was down or frames vanished");
	stop_all();
	for (int peer = 0; peer < PEERS; peer++) {
		talk(peer, IDLE, "a connection that was idle meanwhile goes on");
		talk(peer, IMPATIENT_IDLE, "as does an idle one with a short timeout");
	}
	return done_testing();
}
