/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks damaged by chance are refused, or are schedules that run to their end. */
#include "../lib/schedules.h"

enum { BLOCKS = 40, DAMAGES = 2000, MEMORY_MOST = 1 << 16 };

static void *any_block(uint64_t *seed, size_t *len)
{
	struct goal_graph *g = goal_graph_create(3, 0);
	struct edge edges[40];
	void *block;

	random_ops(g, seed, 20);
	random_edges(g, seed, edges, 40);
	block = compiled(g, len);
	goal_graph_destroy(g);
	return block;
}

/* A bit, a byte, a word of four bytes from elsewhere, or a small number. */
static void damage(unsigned char *block, size_t len, uint64_t *seed)
{
	size_t at = random_below(seed, (uint32_t)len), word = at / 4 * 4;
	uint32_t number = random_below(seed, 9);

	switch (random_below(seed, 4)) {
	case 0:
		block[at] ^= (unsigned char)(1 << random_below(seed, 8));
		break;
	case 1:
		block[at] = (unsigned char)random_next(seed);
		break;
	case 2:
		memcpy(block + word, block + random_below(seed, (uint32_t)len / 4) * 4, 4);
		break;
	default:
		memcpy(block + word, &number, 4);
	}
}

static bool is_small(const struct goal_prog *prog)
{
	uint32_t i;

	if (prog->header->scratch_bytes > MEMORY_MOST)
		return false;
	for (i = 0; i < prog->header->nbuffers; i++) {
		if (goal_buffers(prog)[i].bytes > MEMORY_MOST)
			return false;
	}
	return true;
}

static bool runs(const struct goal_prog *prog, uint64_t seed)
{
	struct late late = late_host(prog->header->nops, seed);
	struct own_run *own = own_run(prog, &late_ops, &late, false);
	bool over;

	goal_run_start(&own->run, own->buffers, 0);
	over = late_run(&own->run);
	own_run_free(own);
	late_free(&late);
	return over && !late.twice;
}

int main(void)
{
	uint64_t seed = 20240917;
	unsigned long good_ones = 0, run = 0, small = 0;
	size_t len, at;
	int i, j, k;

	for (i = 0; i < BLOCKS; i++) {
		void *block = any_block(&seed, &len), *copy = some(len);

		for (j = 0; j < DAMAGES; j++) {
			memcpy(copy, block, len);
			for (k = (int)random_below(&seed, 3); k >= 0; k--)
				damage(copy, len, &seed);
			if (check_block(copy, len, UINT32_MAX, &at) == 0) {
				struct goal_prog prog = good(copy, len);

				good_ones++;
				small += is_small(&prog);
				run += is_small(&prog) && runs(&prog, random_next(&seed) | 1);
			}
		}
		free(copy);
		free(block);
	}
	diag("%lu of %d damaged blocks are good", good_ones, BLOCKS * DAMAGES);
	ok(good_ones > BLOCKS, "some damage does no harm: a tag, a peer, what was 0 already");
	ok(good_ones < BLOCKS * DAMAGES / 2, "most of it is found");
	is_int(small, run, "all that is found good and not too large for a test runs to its end");
	return done_testing();
}
