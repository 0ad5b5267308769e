// SPDX-License-Identifier: BSD-3-Clause
/* stream.c - connections between two hosts of a guest carry so many bytes each, every one of which
 * is looked at. */

/* usage: stream CONNECTIONS KIBIBYTES [LABEL]: both ways at once on each connection. */

#include "bytes.h"

#include <net/if.h>
#include <time.h>

enum { PORT = 3000 };

static void show(int fd)
{
	struct esp_stats s;
	socklen_t len = sizeof(s);

	if (!getsockopt(fd, SOL_ENET, ESP_SO_STATS, &s, &len))
		printf("# sent %u, again %u, errors %u, received %u, out of sequence %u, dropped "
		       "%u, gaps %u, requests %u\n",
		       s.sent, s.retransmitted, s.send_errors, s.received, s.out_of_sequence,
		       s.dropped, s.sequence_lost, s.requests_sent);
}

static void show_rate(const struct timespec *begin, uint64_t bytes)
{
	struct timespec end;
	double s;

	clock_gettime(CLOCK_MONOTONIC, &end);
	s = (double)(end.tv_sec - begin->tv_sec) + (double)(end.tv_nsec - begin->tv_nsec) / 1e9;
	printf("# %llu KiB in %.2f s, %.2f MiB/s\n", (unsigned long long)bytes >> 10, s,
	       (double)bytes / s / (1 << 20));
}

int main(int argc, char **argv)
{
	int connections = argc > 1 ? atoi(argv[1]) : 1, at, failed;
	uint64_t bytes = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1024) * 1024;
	struct sockaddr_en here = address(PORT, 0, NULL), there = address(PORT, 0, MAC_B);
	struct timespec begin;
	int ends[64][2];

	if (connections < 1 || connections > 64)
		return 2;
	at = socket_in("b", SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, connections))
		bail("listen");
	for (int i = 0; i < connections; i++) {
		ends[i][0] = socket_in("a", SOCK_STREAM);
		if (connect(ends[i][0], generic(&there), sizeof(there)))
			bail("connect");
		ends[i][1] = accept(at, NULL, NULL);
		if (ends[i][1] < 0)
			bail("accept");
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < connections; i++)
		for (int way = 0; way < 2; way++) {
			start_sending(ends[i][way], 2 * i + way, bytes);
			start_receiving(ends[i][!way], 2 * i + way, bytes);
		}
	failed = reap();
	show_rate(&begin, 2 * connections * bytes);
	show(ends[0][0]);
	for (int i = 0; i < connections; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	close(at);
	ok(!failed, argc > 3 ? argv[3] : "every byte arrives once, in order");
	return done_testing();
}
