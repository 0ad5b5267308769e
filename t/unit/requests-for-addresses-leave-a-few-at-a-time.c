/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that asks a thousand others for their addresses sends datagrams to a few at a time, and
 * to each once before it asks any again. */

#include "transport/ofi/ofi.h"

#include "../lib/tap.h"

#include <netinet/in.h>

enum { PEERS = 1000, FEW = 16, ROUNDS = 3 };

static uint64_t now_ns;

static uint64_t fake_now_ns(void)
{
	return now_ns;
}

static int requests[PEERS + 1], at_once;

static ssize_t fake_sendto(int fd, const void *data, size_t len, int flags,
			   const struct sockaddr *to, socklen_t to_len);

#define bspt_now_ns fake_now_ns
#define sendto fake_sendto
#include "transport/ofi/ofi_datagram.c"
#undef sendto
#undef bspt_now_ns

#include <stdlib.h>

static ssize_t fake_sendto(int fd, const void *data, size_t len, int flags,
			   const struct sockaddr *to, socklen_t to_len)
{
	const struct datagram *d = data;

	(void)fd, (void)flags, (void)to, (void)to_len;
	requests[d->of]++;
	at_once++;
	return (ssize_t)len;
}

/* ---- In place of the other files of transport/ofi --------------------------------- */

int bspt_ofi_socket_type(const struct fi_info *info)
{
	(void)info;
	return SOCK_STREAM;
}

void bspt_ofi_late_learn(struct bspt_ofi *s, int peer, const char *name)
{
	(void)name;
	s->peers[peer]->known = true;
}

/* All are made below. */
struct ofi_peer *bspt_ofi_make_peer(struct bspt_ofi *s, int peer)
{
	(void)s, (void)peer;
	abort();
}

void bspt_ofi_introduce(struct bspt_ofi *s, int peer)
{
	(void)s, (void)peer;
}

/* ---- The claims --------------------------------------------------------------------- */

/* Process 0 asks all others, each of which is the first of its node. */
static struct bspt_ofi *ask_all(void)
{
	struct bspt_ofi *s = calloc(1, sizeof(*s));
	struct sockaddr_in at = { .sin_family = AF_INET };

	s->base.nprocs = PEERS + 1;
	s->name_len = sizeof(at);
	s->names = malloc(sizeof(at));
	memcpy(s->names, &at, sizeof(at));
	s->peers = calloc(PEERS + 1, sizeof(struct ofi_peer *));
	s->datagram_ports = calloc(PEERS + 1, sizeof(*s->datagram_ports));
	for (int p = PEERS; p >= 0; p--) {
		s->peers[p] = calloc(1, sizeof(struct ofi_peer));
		s->peers[p]->number = p;
		s->peers[p]->name = s->names;
		s->datagram_ports[p] = 1;
		if (p == s->base.me)
			continue;
		s->peers[p]->next_asked = s->asked_peers;
		s->asked_peers = s->peers[p];
	}
	s->ask_interval = OFI_ASK_FIRST;
	s->ask_at = OFI_ASK_FIRST;
	return s;
}

/* The most at a time until each that has not answered has had @times requests. */
static int most_until(struct bspt_ofi *s, int last, int times)
{
	int most = 0;

	while (requests[last] < times) {
		at_once = 0;
		now_ns += 100000;
		bspt_ofi_datagram_ask(s);
		most = at_once > most ? at_once : most;
	}
	return most;
}

static int count(int first, int times)
{
	int n = 0;

	for (int p = first; p <= PEERS; p++)
		n += requests[p] == times;
	return n;
}

int main(void)
{
	struct bspt_ofi *s = ask_all();
	uint64_t began[ROUNDS + 1] = { 0 };

	for (int round = 1; round <= ROUNDS; round++) {
		is_int(FEW, most_until(s, PEERS, round), "round %d: %d at a time", round, FEW);
		is_int(PEERS, count(1, round), "round %d: each has had as many", round);
		most_until(s, 1, round + 1);
		began[round] = now_ns;
	}
	ok(began[3] - began[2] > began[2] - began[1], "rounds become rarer");
	for (int p = 1; p < PEERS; p++)
		s->peers[p]->known = true;
	most_until(s, PEERS, ROUNDS + 3);
	ok(requests[PEERS / 2] <= ROUNDS + 1, "one that has answered is not asked again");
	is_int(ROUNDS + 3, requests[PEERS], "and one that has not is");
	for (int p = 0; p <= PEERS; p++)
		free(s->peers[p]);
	free(s->peers);
	free(s->datagram_ports);
	free(s->names);
	free(s);
	return done_testing();
}
