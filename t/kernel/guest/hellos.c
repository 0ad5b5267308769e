// SPDX-License-Identifier: BSD-3-Clause
/* hellos.c - connections of transport esp to and from processes that are not of the job. */

/*
 * usage:
 *	hellos record COMMAND...	runs COMMAND, records all frames of the loopback interface,
 *					and searches them for what its processes drew as keys
 *	hellos				a program of the job: supersteps
 *	hellos imitate			and before process 0 sends its hello to a peer, that peer
 *					gets others, on connections of their own
 *	hellos divert			of two processes: that of process 0 goes to the impostor
 *	hellos impostor			the impostor, no process of the job
 *
 * In a process of the job getrandom(), connect() and send() are those below.
 */

#include "frames.h"

#include <bsp.h>
#include <poll.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* A hello, of which this file knows no more than that it ends with what must be right. */
enum { HELLO = 16, RANK_AT = 4, PROOF_AT = 8 };
/* A connection that is neither ended nor used by then was believed. */
enum { REFUSED_WITHIN_MS = 10000 };

static const char keys_file[] = "/tmp/keys", report_file[] = "/tmp/report";
static const char port_file[] = "/tmp/port";
static const char *mode = "";

static void append(const char *file, const void *data, size_t len)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		abort();
	close(fd);
}

static void report(const char *what, const char *result)
{
	char line[200];

	append(report_file, line, snprintf(line, sizeof(line), "%s: %s\n", what, result));
}

/* ---- What the library calls in a process of the job ---------------------------- */

enum { FILES = 1024 };

static struct sockaddr_en connected_to[FILES];

ssize_t getrandom(void *to, size_t len, unsigned int flags)
{
	ssize_t n = syscall(SYS_getrandom, to, len, flags);

	if (n > 0 && n % 8 == 0)
		append(keys_file, to, n);
	return n;
}

static ssize_t really_send(int fd, const void *data, size_t len)
{
	return sendto(fd, data, len, MSG_NOSIGNAL, NULL, 0);
}

static int really_connect(int fd, const struct sockaddr *to, socklen_t len)
{
	return (int)syscall(SYS_connect, fd, to, len);
}

/* A hello on a connection of its own: is it closed, and nothing sent on it? */
static void imitate(const char *what, const struct sockaddr_en *to, const void *hello, size_t len)
{
	struct sockaddr_en at = *to;
	struct pollfd p = { .fd = socket(AF_ENET, SOCK_STREAM, 0), .events = POLLIN };
	char byte;

	if (p.fd < 0 || really_connect(p.fd, generic(&at), sizeof(at)) < 0 ||
	    really_send(p.fd, hello, len) != (ssize_t)len)
		report(what, strerror(errno));
	else if (poll(&p, 1, REFUSED_WITHIN_MS) == 1 && recv(p.fd, &byte, 1, 0) <= 0)
		report(what, "refused");
	else
		report(what, "believed");
	close(p.fd);
}

static void imitate_with_bit(const struct sockaddr_en *to, const void *hello, int bit)
{
	unsigned char other[HELLO];

	memcpy(other, hello, HELLO);
	other[bit / 8] ^= 1 << bit % 8;
	imitate("a hello with another bit", to, other, HELLO);
}

/* The peer has not seen @hello yet, which is right for the connection that it is meant for. */
static void imitate_all(const struct sockaddr_en *to, const void *hello)
{
	unsigned char other[HELLO];

	imitate("the hello of another connection", to, hello, HELLO);
	for (int bit = 8 * PROOF_AT; bit < 8 * HELLO; bit += 9)
		imitate_with_bit(to, hello, bit);
	imitate_with_bit(to, hello, 0);
	memcpy(other, hello, HELLO);
	memset(other + RANK_AT, 0xff, 4);
	imitate("a hello of no process", to, other, HELLO);
	memset(other, 0, HELLO);
	imitate("zeros", to, other, HELLO);
}

/* Is it process 0 that sends a hello to a peer? */
static bool is_first_hello(int fd, const void *data, size_t len)
{
	uint32_t rank = 1;

	if (len == HELLO)
		memcpy(&rank, (const char *)data + RANK_AT, sizeof(rank));
	return rank == 0 && fd < FILES && connected_to[fd].sen_family == AF_ENET;
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	if (!strcmp(mode, "imitate") && is_first_hello(fd, data, len))
		imitate_all(&connected_to[fd], data);
	return sendto(fd, data, len, flags, NULL, 0);
}

/* Where the impostor listens. */
static struct sockaddr_en impostor_address(void)
{
	struct sockaddr_en at = { .sen_family = AF_ENET, .sen_ifindex = if_nametoindex("lo"),
				  .sen_addrlen = ENET_ADDR_BYTES };
	int fd = open(port_file, O_RDONLY | O_CLOEXEC);

	if (read(fd, &at.sen_port, sizeof(at.sen_port)) != sizeof(at.sen_port))
		abort();
	close(fd);
	return at;
}

int connect(int fd, const struct sockaddr *to, socklen_t len)
{
	if (to->sa_family != AF_ENET || fd >= FILES)
		return really_connect(fd, to, len);
	memcpy(&connected_to[fd], to, sizeof(connected_to[fd]));
	if (!strcmp(mode, "divert"))
		connected_to[fd] = impostor_address();
	return really_connect(fd, generic(&connected_to[fd]), sizeof(connected_to[fd]));
}

static int take_part(void)
{
	enum { STEPS = 20 };
	int from = -1, me, n, wrong = 0;

	bsp_begin(bsp_nprocs());
	me = bsp_pid(), n = bsp_nprocs();
	bsp_push_reg(&from, sizeof(from));
	bsp_sync();
	for (int i = 0; i < STEPS; i++) {
		int mine = me * 1000 + i, left = (me + n - 1) % n;

		bsp_put((me + 1) % n, &mine, &from, 0, sizeof(mine));
		bsp_sync();
		wrong += from != left * 1000 + i;
	}
	if (wrong)
		bsp_abort("%d of %d numbers are wrong", wrong, STEPS);
	bsp_end();
	return 0;
}

/* ---- The impostor ------------------------------------------------------------------ */

static int listen_as_impostor(void)
{
	struct sockaddr_en at = { .sen_family = AF_ENET };
	socklen_t len = sizeof(at);
	int listener = socket(AF_ENET, SOCK_STREAM, 0);

	if (bind(listener, generic(&at), sizeof(at)) || listen(listener, 1) ||
	    getsockname(listener, generic(&at), &len))
		bail("listen");
	append(port_file, &at.sen_port, sizeof(at.sen_port));
	return listener;
}

/* It accepts in the place of process 1, and has no proof but that of the process that connects. */
static int be_impostor(void)
{
	int fd = accept(listen_as_impostor(), NULL, NULL);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char hello[HELLO], rest[64];

	if (recv(fd, hello, HELLO, MSG_WAITALL) != HELLO)
		report("impostor", "no hello came");
	/* A process that believes it would send a chunk soon. */
	if (poll(&p, 1, 1000) == 1)
		report("impostor", "data came before it had answered");
	hello[RANK_AT] = 1;
	really_send(fd, hello, HELLO);
	report("impostor", recv(fd, rest, sizeof(rest), 0) > 0 ? "data came" : "nothing came");
	return 0;
}

/* ---- Recording ------------------------------------------------------------------ */

enum { RECORD_MOST = 64 << 20 };

static unsigned char record[RECORD_MOST];
static size_t recorded;

static void record_some(int raw)
{
	struct pollfd p = { .fd = raw, .events = POLLIN };

	for (int ms = 100; poll(&p, 1, ms) == 1 && recorded < RECORD_MOST - 65536; ms = 0) {
		ssize_t n = recv(raw, record + recorded, 65536, 0);

		recorded += n > 0 ? n : 0;
	}
}

static int record_while(int raw, char **command)
{
	int status;
	pid_t job = fork();

	if (job == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	while (waitpid(job, &status, WNOHANG) == 0)
		record_some(raw);
	record_some(raw);
	return status;
}

static int record_and_search(char **command)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = (int)if_nametoindex("lo") };
	int raw = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), room = RECORD_MOST, status;
	struct tpacket_stats seen = { 0 };
	socklen_t len = sizeof(seen);
	int keys, shown = 0, drawn = 0;
	uint64_t key;

	setsockopt(raw, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (raw < 0 || bind(raw, (struct sockaddr *)&ll, sizeof(ll)))
		bail("AF_PACKET");
	status = record_while(raw, command);
	getsockopt(raw, SOL_PACKET, PACKET_STATISTICS, &seen, &len);
	keys = open(keys_file, O_RDONLY);
	for (; read(keys, &key, sizeof(key)) == sizeof(key); drawn++)
		shown += memmem(record, recorded, &key, sizeof(key)) != NULL;
	printf("# %u frames, %zu bytes, %d words drawn\n", seen.tp_packets, recorded, drawn);
	is(status, 0, "a job runs and ends well");
	ok(seen.tp_packets > 0 && seen.tp_drops == 0, "all of its frames are recorded");
	ok(drawn > 0, "its processes have drawn keys");
	is(shown, 0, "no frame shows a word of them");
	return done_testing();
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "record"))
		return record_and_search(argv + 2);
	if (argc > 1 && !strcmp(argv[1], "impostor"))
		return be_impostor();
	if (argc > 1)
		mode = argv[1];
	return take_part();
}
