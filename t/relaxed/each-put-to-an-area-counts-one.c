/* SPDX-License-Identifier: BSD-3-Clause */
/* Several puts to one area count one each, from one process or several, of any size. */
#include "../lib/relaxed.h"

enum { PIECES = 50, SUPERSTEPS = 20, MOST = 8, SHARE = PIECES * PIECES * 4 };

static unsigned char area[MOST * SHARE];
static int wrong_bytes;

/* Piece i has 1 + 7i bytes, now from the first and now from the last. */
static void put_pieces(int pid, uint32_t seed, int s)
{
	static unsigned char source[SHARE];

	fill(source, SHARE, seed);
	for (int k = 0; k < PIECES; k++) {
		int i = s % 2 ? k : PIECES - 1 - k;
		int start = i + 7 * i * (i - 1) / 2;

		bsp_put((bsp_pid_t)pid, source + start, area,
			(bsp_size_t)((int)bsp_pid() * SHARE + start), (bsp_size_t)(1 + 7 * i));
	}
	memset(source, 0, sizeof source);
}

static void body(void)
{
	const int bytes = PIECES + 7 * PIECES * (PIECES - 1) / 2;

	enter_relaxed();
	publish(area, sizeof area);
	for (int s = 0; s < SUPERSTEPS; s++) {
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			put_pieces(pid, (uint32_t)(s * 100 + (int)bsp_pid()), s);
		bsp_sync();
		bsp_read(area, PIECES * (int)bsp_nprocs());
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			wrong_bytes += (int)wrong(area + pid * SHARE, (size_t)bytes,
						  (uint32_t)(s * 100 + pid));
	}
	is_int(0, wrong_bytes, "every byte of every piece");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "fifty puts from each process to each");
	lives_ok(body, 8, "fifty puts from each of eight");
	lives_ok(body, 1, "fifty puts to oneself");
	return done_testing();
}
