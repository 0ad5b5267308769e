// SPDX-License-Identifier: BSD-3-Clause
/* offload_answer.c - how long a frame takes from host h1 to h2 and back, by who answers. */

/*
 * The microbenchmark of Fig. 4 of the paper, over raw sockets: a process answers, or the module
 * kernel/testbed/answer.c does, in softirq or by a worker, as the frame says. Alone, and while
 * another process computes. The three take turns. The link has a latency of 50 us, so that
 * frames come in an interrupt as from a network; without, they come in the system call that
 * sends them.
 */
#include "offload.h"

#include "tools/measure/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ETHERTYPE = 0x9abc, BATCH = 20, MOST_ROUNDS = 2000 };

enum { USER, SOFTIRQ, WORKER, WAYS };

struct frame {
	unsigned char to[6], from[6];
	uint16_t type;
	char who;
	char is_answer;
	uint32_t number;
	unsigned char padding[40];	/* to the least length of a frame */
} __attribute__((packed));

static const struct {
	char who;
	const char *name;
} ways[WAYS] = {
	[USER] = { 'u', "user" }, [SOFTIRQ] = { 's', "softirq" }, [WORKER] = { 'w', "worker" }
};

static int socket_of(int rank)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE) };
	int fd;

	offload_enter(rank);
	at.sll_ifindex = (int)if_nametoindex("eth0");
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHERTYPE));
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at))
		offload_fail("raw socket");
	return fd;
}

static void send_frame(int fd, const struct frame *f)
{
	if (send(fd, f, sizeof *f, 0) != sizeof *f)
		offload_fail("send");
}

static int answerer;		/* the socket of h2 */

static void answer_always(void)
{
	struct frame f;
	int fd = answerer;

	while (recv(fd, &f, sizeof f, 0) == sizeof f) {
		if (f.who != 'u' || f.is_answer)
			continue;
		memcpy(f.to, f.from, sizeof f.to);
		f.from[5] = 2;
		f.is_answer = 1;
		send_frame(fd, &f);
	}
	offload_fail("answer");
}

static void compute_always(void)
{
	static volatile uint32_t n;

	for (;;)
		n = n * 5 + 1;
}

static pid_t child(void (*body)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		offload_fail("fork");
	if (pid == 0)
		body();
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void round_trip(int fd, char who)
{
	static uint32_t number;
	struct frame got, f = { .to = { 2, 0, 0, 0, 1, 2 },
				.from = { 2, 0, 0, 0, 1, 1 },
				.type = htons(ETHERTYPE),
				.who = who,
				.number = ++number };

	send_frame(fd, &f);
	do {
		if (recv(fd, &got, sizeof got, 0) != sizeof got)
			offload_fail("recv");
	} while (!got.is_answer || got.number != number);
}

/* Microseconds of a round trip. */
static double answer_batch(int fd, char who)
{
	double began = clock_now_s();

	for (int i = 0; i < BATCH; i++)
		round_trip(fd, who);
	return 1e6 * (clock_now_s() - began) / BATCH;
}

static void answer_measure(int fd, const char *what, int rounds)
{
	static double us[WAYS][MOST_ROUNDS], more[MOST_ROUNDS];

	for (int w = 0; w < WAYS; w++)
		answer_batch(fd, ways[w].who);
	for (int r = 0; r < rounds; r++)
		for (int w = 0; w < WAYS; w++)
			us[w][r] = answer_batch(fd, ways[w].who);
	for (int r = 0; r < rounds; r++)
		more[r] = us[WORKER][r] - us[SOFTIRQ][r];
	for (int w = 0; w < WAYS; w++)
		offload_row("answer", what, ways[w].name, 2, "50", us[w], rounds);
	offload_row("answer", what, "worker-softirq", 2, "50", more, rounds);
}

/* A frame that no process answers would be waited for for ever: a second is the end. */
void offload_answers(int rounds)
{
	struct timeval second = { .tv_sec = 1 };
	pid_t answers, computes;
	int fd;

	if (rounds > MOST_ROUNDS)
		rounds = MOST_ROUNDS;
	answerer = socket_of(1);
	fd = socket_of(0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
	answers = child(answer_always);
	answer_measure(fd, "idle", rounds);
	computes = child(compute_always);
	answer_measure(fd, "computing", rounds);
	end(computes);
	end(answers);
}
