#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Over mix the first message between two processes of different nodes waits for these two alone.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi

cat >pair.c <<'END_C'
#include <arpa/inet.h>
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Three nodes of four processes. */
enum { NODE = 4, A = 6, B = 9 };

static int x[2];

static int is_open(void)
{
	int fd, yes, n = 0;

	for (fd = 0; fd < 1024; fd++) {
		socklen_t len = sizeof(yes);

		n += getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &len) == 0 && yes;
	}
	return n > 0;
}

/* At which this process receives datagrams; 0: at none. */
static int own_port(void)
{
	int fd, type;

	for (fd = 0; fd < 1024; fd++) {
		struct sockaddr_in at = { 0 };
		socklen_t len = sizeof(type);

		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) < 0 || type != SOCK_DGRAM)
			continue;
		len = sizeof(at);
		if (getsockname(fd, (struct sockaddr *)&at, &len) == 0 &&
		    at.sin_family == AF_INET && at.sin_port)
			return ntohs(at.sin_port);
	}
	return 0;
}

static void note(const char *name, int number)
{
	char before[64];
	FILE *file;

	snprintf(before, sizeof(before), "%s.%d", name, (int)getpid());
	file = fopen(before, "w");
	fprintf(file, "%d\n", number);
	fclose(file);
	rename(before, name);
}

/* Makes no call of the library. */
static int await_note(const char *name)
{
	FILE *file;
	int number = -1;

	while (!(file = fopen(name, "r")))
		usleep(1000);
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

/* A and B put to each other, when both have looked, while every other process computes. */
static void exchange(int me)
{
	int value = 100 + me;

	if (me == A || me == B) {
		note(me == A ? "ready.a" : "ready.b", 0);
		await_note(me == A ? "ready.b" : "ready.a");
		bsp_put(A + B - me, &value, x, 0, sizeof(value));
		bsp_sync();
		bsp_read(x, 1);
		printf("process %d has %d\n", me, x[0]);
		note(me == A ? "over.a" : "over.b", 0);
	} else {
		await_note("over.a");
		await_note("over.b");
	}
	printf("exchanged: process %d %s\n", me, is_open() ? "open" : "none");
	if (me != A && me != B)
		bsp_sync();
}

static void send_malformed(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	static const int lengths[] = { 0, 1, 8, 55, 56, 57, 56, 1400 };
	char bytes[1400];
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (i = 0; i < 8; i++) {
		memset(bytes, i == 6 ? 0xff : 0, sizeof(bytes));
		if (sendto(fd, bytes, lengths[i], 0, (void *)&at, sizeof(at)) != lengths[i])
			perror("sendto");
	}
	close(fd);
}

/* Has the socket at @port nothing to be received? */
static int is_empty(int port)
{
	FILE *file = fopen("/proc/net/udp", "r");
	char line[256];
	unsigned int at, sent, waits;
	int found = 0;

	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%*d: %*x:%x %*x:%*x %*x %x:%x", &at, &sent, &waits) == 3 &&
		    (int)at == port)
			found = waits == 0;
	fclose(file);
	return found;
}

/* A waits for a process of its node, which waits until A has looked at what is no request. */
static void receive_malformed(int me)
{
	int value = 7, port;

	if (me == A) {
		note("port", own_port());
	} else if (me == A - 1) {
		port = await_note("port");
		send_malformed(port);
		while (!is_empty(port))
			usleep(1000);
		bsp_put(A, &value, x, sizeof(value), sizeof(value));
	}
	bsp_sync();
	if (me == A) {
		bsp_read(x, 1);
		printf("malformed: process %d %s\n", me, is_open() ? "open" : "none");
	}
}

int main(int argc, char **argv)
{
	int me;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(x, sizeof(x));
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	printf("registered: process %d %s\nport %d\n", me, is_open() ? "open" : "none", own_port());
	if (argc > 1 && !strcmp(argv[1], "malformed"))
		receive_malformed(me);
	exchange(me);
	bsp_end();
	return 0;
}
END_C
bspcc -o pair pair.c >built 2>&1 || bail "pair.c does not compile: $(cat built)"

export BSP_SYNC=program
unset BSP_BARRIER BSP_EAGER BSP_CREDIT BSP_PROGRESS

# pair OPTION... PROGRAM [ARGUMENT...]: its output is in the file out
pair()
{
	rm -f ready.* over.* port
	timeout -k 5 "$(limit)" bsprun -n 12 --nodes 3 "$@" >out 2>err </dev/null
	is 0 $? "$*: ends well" || diag "$(cat err)"
}

# open WHEN: the processes that have an endpoint then
open()
{
	sed -n "s/^$1: process \\([0-9]*\\) open/\\1/p" out | sort -n | tr '\n' ' '
}

# Both have no endpoint, and the first processes of their nodes compute until they are done.
pair -x BSP_OFI_PROVIDER=tcp ./pair
is "0 4 8 " "$(open registered)" "before, the first process of each node has an endpoint"
is "process 6 has 109
process 9 has 106" "$(grep has out | sort)" "two processes exchange while all others compute"
is "0 4 6 8 9 " "$(open exchanged)" "and no other has an endpoint then"

pair -x BSP_OFI_PROVIDER=tcp ./pair malformed
is "malformed: process 6 none" "$(grep malformed out)" "what is no request opens no endpoint"
is 2 "$(grep -c has out)" "and requests are answered afterwards"

# The ports of requests are in the range, too.
pair -x BSP_OFI_PROVIDER=tcp -x BSP_PORTS=23000-23099 ./pair
is 2 "$(grep -c has out)" "two processes exchange with BSP_PORTS"
is 9 "$(grep -c '^port 230[0-9][0-9]$' out)" "requests are received at ports of it" ||
	diag "$(cat out)"
done_testing
