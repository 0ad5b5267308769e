#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Over mix a process opens its endpoint of libfabric when it first talks to another node.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi

cat >first.c <<'END_C'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static int x[MOST];

/* An endpoint of provider tcp has a socket that listens, and nothing else here has. */
static int listens(void)
{
	int fd, yes, n = 0;

	for (fd = 0; fd < 1024; fd++) {
		socklen_t len = sizeof(yes);

		n += getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &len) == 0 && yes;
	}
	return n;
}

static void print(const char *when)
{
	printf("%s: process %d %s\n", when, bsp_pid(), listens() ? "open" : "none");
}

static void put_to_all(int me, int n)
{
	int i, wrong = 0;

	for (i = 0; i < n; i++) {
		int value = 100 * me + i;

		bsp_put(i, &value, x, me * (int)sizeof(value), sizeof(value));
	}
	bsp_sync();
	for (i = 0; i < n; i++)
		wrong += x[i] != 100 * i + me;
	printf("wrong: %d\n", wrong);
}

static void send_one(int from, int to)
{
	int value = 17;

	if (bsp_pid() == from)
		bsp_send(to, NULL, &value, sizeof(value));
	bsp_sync();
	print("sent");
	if (bsp_pid() != to)
		return;
	bsp_move(&value, sizeof(value));
	printf("value %d\n", value);
	fclose(fopen("arrived", "w"));
}

/* Makes no call of the library before the message has arrived. */
static void compute_until_arrived(void)
{
	while (access("arrived", F_OK) != 0)
		usleep(1000);
	printf("seen\n");
}

/*
 * first [FROM TO [BUSY]]: process FROM sends to process TO, and process BUSY computes until it is
 * there; first all: each puts to all
 */
int main(int argc, char **argv)
{
	int i;

	bsp_begin(bsp_nprocs());
	for (i = 0; i < 3; i++)
		bsp_sync();
	print("barriers");
	bsp_sync();
	if (argc > 2) {
		send_one(atoi(argv[1]), atoi(argv[2]));
		if (argc > 3 && bsp_pid() == atoi(argv[3]))
			compute_until_arrived();
	} else if (argc > 1) {
		bsp_push_reg(x, sizeof(x));
		bsp_sync();
		print("pushed");
		bsp_sync();
		put_to_all(bsp_pid(), bsp_nprocs());
		put_to_all(bsp_pid(), bsp_nprocs());
	}
	bsp_end();
	return 0;
}
END_C
bspcc -o first first.c >built 2>&1 || bail "first.c does not compile: $(cat built)"

export BSP_OFI_PROVIDER=tcp
unset BSP_BARRIER

# run OPTION... PROGRAM [ARGUMENT...]: its output is in the file out
run()
{
	timeout -k 5 "$(limit)" bsprun "$@" >out 2>err </dev/null
	is 0 $? "bsprun $*: ends well" || diag "$(cat err)"
}

# open WHEN: the processes that have an endpoint then
open()
{
	sed -n "s/^$1: process \\([0-9]*\\) open/\\1/p" out | sort -n | tr '\n' ' '
}

run -n 12 --nodes 3 ./first 6 9
is "0 4 8 " "$(open barriers)" "after barriers the first process of each node has an endpoint"
is "0 4 6 8 9 " "$(open sent)" "after a message from node 1 to node 2 its two have one, too"
is "value 17" "$(grep value out)" "and it has arrived"

# Process 8 has to answer process 6, but leaves bsp_sync when all have entered it.
rm arrived
run -n 12 --nodes 3 ./first 6 9 8
is "seen" "$(grep seen out)" "a message arrives while the first process of the node computes"

run -n 12 --nodes 3 ./first 4 5
is "0 4 8 " "$(open sent)" "a message inside a node opens none"

run -n 10 --nodes 4 ./first all
is "0 3 6 9 " "$(open pushed)" "a registration opens no more"
is 20 "$(grep -c '^wrong: 0$' out)" "each to all on nodes of 3, 3, 3 and 1: all values arrive"

# The first messages of all processes are those of bsp_end, by a schedule that knows no nodes.
BSP_BARRIER=dissemination run -n 9 --nodes 3 ./first
is "0 1 2 3 4 5 6 7 8 " "$(open barriers)" "a barrier between all processes opens all endpoints"

# Nodes that are parts of a job that one supervisor forks.
BSP_NODE_SIZE=4 run -n 12 --transport mix ./first 6 9
is "0 4 6 8 9 " "$(open sent)" "BSP_NODE_SIZE makes such nodes as well"
done_testing
