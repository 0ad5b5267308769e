// SPDX-License-Identifier: BSD-3-Clause
/* acks.c - when frames are acknowledged: small ones together, others where a process waits. */

/*
 * usage: acks [timed]. After cable of testlib, as root. "timed": the clock of the guest says how
 * long the sockets take, and not how busy the host is.
 *
 * An acknowledgement is delayed by 40 ms. How many frames a sender receives may so depend on how
 * long the test takes; it says what it allows for that.
 */

#include "guest.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

enum {
	PORT = 2000,
	MTU = 1500 - 48,
	SMALL = 64,
	LARGE = 1000,
	MESSAGES = 400,
	/* of the kernel, see esp.h */
	SHARE = 8,
	SHARE_LARGE = 2,
	ASKS = 64,
	DELAY_MS = 40,
};

static char bytes[1 << 20];

struct pair {
	int a, b;
};

static struct pair connection(const char *from, const char *to, const char *device,
			      const char *mac, int sndbuf)
{
	struct sockaddr_en here = address(PORT, 0, NULL), there;
	int at = socket_in(to, SOCK_STREAM);
	struct pair p;

	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	p.a = socket_in(from, SOCK_STREAM);
	if (sndbuf && setsockopt(p.a, SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof(sndbuf)))
		bail("SO_SNDBUF");
	there = address(PORT, if_nametoindex(device), mac);
	if (connect(p.a, generic(&there), sizeof(there)))
		bail("connect");
	p.b = accept(at, NULL, NULL);
	if (p.b < 0)
		bail("accept");
	close(at);
	return p;
}

static struct pair over_cable(int sndbuf)
{
	return connection("a", "b", "a0", MAC_B, sndbuf);
}

static void hang_up(struct pair p)
{
	close(p.a);
	close(p.b);
}

static void read_all(int fd, size_t len)
{
	if (recv(fd, bytes, len, MSG_WAITALL) != (ssize_t)len)
		bail("recv");
}

/* One message, which has arrived when this returns. */
static void move(struct pair p, size_t len)
{
	if (send(p.a, bytes, len, 0) != (ssize_t)len)
		bail("send");
	read_all(p.b, len);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static struct esp_stats stats(int fd)
{
	struct esp_stats s;
	socklen_t len = sizeof(s);

	if (getsockopt(fd, SOL_ENET, ESP_SO_STATS, &s, &len))
		bail("ESP_SO_STATS");
	return s;
}

static int unacknowledged(int fd)
{
	int n;

	if (ioctl(fd, TIOCOUTQ, &n))
		bail("TIOCOUTQ");
	return n;
}

/* All messages have been acknowledged: the delay ends that. */
static void settle(int fd)
{
	while (unacknowledged(fd))
		usleep(1000);
}

/* Frames that come back to the sender of @n messages; @late: those that the delay may have sent. */
static int frames_back(struct pair p, int n, size_t len, int *late)
{
	unsigned int before = stats(p.a).received;
	double begin = now_ms();

	for (int i = 0; i < n; i++)
		move(p, len);
	*late = 1 + (int)((now_ms() - begin) / DELAY_MS);
	return (int)(stats(p.a).received - before);
}

static void share(struct pair p, size_t len, int frames, const char *what)
{
	int late, n = frames_back(p, MESSAGES, len, &late), wanted = MESSAGES / frames;

	if (!ok(n >= wanted && n <= wanted + late, what))
		printf("# %d frames came back, wanted %d to %d\n", n, wanted, wanted + late);
}

static void small_frames_share_acknowledgements(void)
{
	struct pair p = over_cable(0);

	share(p, SMALL, SHARE, "eight small frames share an acknowledgement");
	share(p, LARGE, SHARE_LARGE, "two large ones do");
	hang_up(p);
}

/* A busy processor may run the timer of the receiver later than that of the sender. */
static void a_frame_is_acknowledged_though_none_follows(bool timed)
{
	struct pair p = over_cable(0);
	unsigned int before = stats(p.a).retransmitted;	/* a SYN, with its cookie */
	int delayed = 0;

	for (int i = 0; i < SHARE; i++) {
		move(p, SMALL);
		delayed += unacknowledged(p.a) > 0;
		settle(p.a);
	}
	ok(delayed, "a single message is acknowledged with a delay");
	if (timed)
		is((long)(stats(p.a).retransmitted - before), 0,
		   "which is shorter than the timeout of its sender");
	hang_up(p);
}

static void a_transfer_is_acknowledged_at_its_end(void)
{
	struct pair p = over_cable(0);
	int once = 0;

	for (int i = 0; i < SHARE; i++) {
		move(p, 3 * MTU);
		once += unacknowledged(p.a) == 0;
		settle(p.a);
	}
	/* a softirq may have been left to a thread of the kernel */
	if (!ok(once > SHARE / 2, "a transfer of several frames is acknowledged when it ends"))
		printf("# %d of %d were\n", once, SHARE);
	hang_up(p);
}

/* A full buffer waits for the delay less than once for each frame that it holds. */
static void a_full_buffer_does_not_wait(bool timed, size_t len, const char *what)
{
	struct pair p = over_cable(1);
	double begin = now_ms(), took;
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (int i = 0; i < MESSAGES; i++)
			if (send(p.a, bytes, len, 0) != (ssize_t)len)
				exit(1);
		exit(0);
	}
	for (int i = 0; i < MESSAGES; i++)
		read_all(p.b, len);
	took = now_ms() - begin;
	waitpid(child, &status, 0);
	is(status, 0, "messages are sent from the smallest buffer");
	if (timed && !ok(took < MESSAGES / SHARE * DELAY_MS / 2, what))
		printf("# %d messages took %.0f ms\n", MESSAGES, took);
	hang_up(p);
}

static void run(const char *command)
{
	if (system(command))
		bail(command);
}

static void after_a_loss_frames_ask(void)
{
	struct pair p = over_cable(0);
	unsigned int before;
	int late, n;

	move(p, SMALL);
	settle(p.a);
	run("/sbin/tc -n a qdisc add dev a0 root netem loss 100%");
	before = stats(p.a).retransmitted;
	if (send(p.a, bytes, SMALL, 0) != SMALL)
		bail("send");
	while (stats(p.a).retransmitted == before)
		usleep(1000);
	run("/sbin/tc -n a qdisc del dev a0 root");
	read_all(p.b, SMALL);
	settle(p.a);
	n = frames_back(p, ASKS / 2, SMALL, &late);
	if (!ok(n >= ASKS / 2, "after a loss each frame is acknowledged"))
		printf("# %d frames came back for %d\n", n, ASKS / 2);
	frames_back(p, ASKS, SMALL, &late);
	share(p, SMALL, SHARE, "later frames share acknowledgements again");
	hang_up(p);
}

static void lo_does_not_wait(bool timed)
{
	struct pair p = connection("a", "a", "lo", "00:00:00:00:00:00", 0);
	double worst = 0;
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < SHARE; i++) {
			read_all(p.b, sizeof(bytes));
			if (send(p.b, bytes, 1, 0) != 1)
				exit(1);
		}
		exit(0);
	}
	for (int i = 0; i < SHARE; i++) {
		double begin = now_ms(), took;

		if (send(p.a, bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
			bail("send");
		read_all(p.a, 1);
		took = now_ms() - begin;
		worst = took > worst ? took : worst;
	}
	waitpid(child, NULL, 0);
	if (timed && !ok(worst < DELAY_MS / 2, "a MiB over lo waits for no delay"))
		printf("# the slowest took %.1f ms\n", worst);
	hang_up(p);
}

int main(int argc, char **argv)
{
	bool timed = argc > 1 && strcmp(argv[1], "timed") == 0;

	small_frames_share_acknowledgements();
	a_frame_is_acknowledged_though_none_follows(timed);
	a_transfer_is_acknowledged_at_its_end();
	a_full_buffer_does_not_wait(timed, SMALL, "small frames in a full buffer are not delayed");
	a_full_buffer_does_not_wait(timed, LARGE, "nor are large ones");
	after_a_loss_frames_ask();
	lo_does_not_wait(timed);
	return done_testing();
}
