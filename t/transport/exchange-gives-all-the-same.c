/* SPDX-License-Identifier: BSD-3-Clause */
/* By the wire of forked processes all learn what each says, and inherit what it shares. */
#include "../lib/transports.h"

#include <stdint.h>

enum { ROUNDS = 200, PIECES = 3 };

static struct bspt_wire *wire;
static unsigned char *piece[PIECES];
static const size_t bytes_of[PIECES] = { 1, 5000, ((size_t)3 << 20) + 1 };

static size_t len_of(uint32_t round)
{
	static const size_t lens[] = { 0, 1, 8, 100, BSPT_EXCHANGE_MOST };

	return lens[round % 5];
}

static int run_round(uint32_t round, unsigned char *all)
{
	unsigned char mine[BSPT_EXCHANGE_MOST];
	size_t len = len_of(round);
	int bad = 0;

	fill(mine, len, mixed(round, (uint32_t)wire->me, 0));
	if (bspt_exchange_all(wire, mine, len, all))
		bail("exchange of %zu bytes", len);
	for (int p = 0; p < wire->nprocs; p++)
		bad += wrong(all + (size_t)p * len, len, mixed(round, (uint32_t)p, 0)) != 0;
	return bad;
}

/* Each writes a byte of each piece that is large enough, and then sees those of all. */
static int use_pieces(unsigned char *all)
{
	int bad = 0;

	for (int k = 1; k < PIECES; k++) {
		for (size_t i = 0; i < bytes_of[k]; i += 999)
			bad += piece[k][i] != 0;
		bad += (uintptr_t)piece[k] % ((size_t)2 << 20) != 0;
	}
	run_round(0, all);
	for (int k = 1; k < PIECES; k++)
		piece[k][bytes_of[k] - 1 - (size_t)wire->me] = (unsigned char)(1 + wire->me);
	run_round(0, all);
	for (int k = 1; k < PIECES; k++)
		for (int p = 0; p < wire->nprocs; p++)
			bad += piece[k][bytes_of[k] - 1 - (size_t)p] != 1 + p;
	return bad;
}

static void body(int me, int nprocs)
{
	unsigned char *all = malloc((size_t)nprocs * BSPT_EXCHANGE_MOST);
	unsigned char *more = malloc((size_t)nprocs * (BSPT_EXCHANGE_MOST + 1));
	int bad = 0;

	wire->me = me;
	is_int(0, use_pieces(all), "what is shared and is not new, aligned, or the same for all");
	for (uint32_t round = 0; round < ROUNDS; round++)
		bad += run_round(round, all);
	is_int(0, bad, "values that are wrong");
	ok(bspt_exchange_all(wire, more, BSPT_EXCHANGE_MOST + 1, more) < 0, "more than is allowed");
	is_int(0, run_round(3, all), "after which all goes on");
	free(all);
	free(more);
}

/* Nodes of @size processes, the last one with what is left. */
static void check_nodes(int nprocs, int size)
{
	int bad = 0, expected = size ? (nprocs + size - 1) / size : 1;

	for (int p = 0; p < nprocs; p++)
		bad += wire->node[p] != (size ? p / size : 0);
	is_int(0, bad, "%d processes, nodes of %d: numbers that are wrong", nprocs, size);
	is_int(expected, wire->nnodes, "%d processes, nodes of %d: how many", nprocs, size);
	ok(wire->inherits && wire->me == -1 && wire->nprocs == nprocs, "a wire to be inherited");
}

static void over_wire(int nprocs, int node_size)
{
	wire = local_wire(nprocs, node_size);
	check_nodes(nprocs, node_size);
	for (int k = 0; k < PIECES; k++) {
		piece[k] = wire->share(wire, bytes_of[k], bytes_of[k]);
		ok(piece[k], "%zu bytes are shared", bytes_of[k]);
	}
	procs_ok(body, nprocs, "%d processes tell each other something", nprocs);
	for (int k = 0; k < PIECES; k++)
		munmap(piece[k], bytes_of[k]);
	bspj_wire_local_free(wire);
}

int main(void)
{
	over_wire(1, 0);
	over_wire(2, 0);
	over_wire(3, 2);
	over_wire(17, 4);
	return done_testing();
}
