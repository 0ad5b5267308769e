/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of several MiB, with large tags, arrive whole beside small ones. */
#include "../lib/spmd.h"

enum { LARGE = 5 * 1024 * 1024 + 1, TAG = 100003 };

static unsigned char data[LARGE], tag[TAG], place[LARGE + 1];

static void large(void)
{
	bsp_size_t length;

	enter();
	for (uint32_t round = 0; round < 3; round++) {
		fill(data, LARGE, round + 10 * (uint32_t)bsp_pid());
		bsp_send(right(), NULL, data, LARGE);
		memset(data, 0, LARGE);
		bsp_sync();
		bsp_get_tag(&length, NULL);
		is_int(LARGE, (long)length, "its length, round %u", round);
		bsp_move(place, LARGE);
		is_int(0, wrong(place, LARGE, round + 10 * (uint32_t)left()),
		       "its bytes, round %u", round);
	}
	bsp_end();
}

static void large_tag(void)
{
	bsp_size_t size = TAG, length;
	static unsigned char copy[TAG + 1];
	int in_order = 0;

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	fill(data, LARGE, 3);
	for (int i = 0; i < 4; i++) {
		fill(tag, TAG, (uint32_t)i);
		bsp_send(right(), tag, data, i % 2 ? LARGE / 4 : i);
	}
	memset(tag, 0, TAG);
	bsp_sync();
	copy[TAG] = '#';
	for (int k = 0; k < 4; k++) {
		bsp_get_tag(&length, copy);
		for (int i = 0; i < 4; i++)
			in_order += !wrong(copy, TAG, (uint32_t)i) &&
				    length == (bsp_size_t)(i % 2 ? LARGE / 4 : i);
		bsp_move(place, LARGE);
		in_order += !wrong(place, (size_t)length, 3);
	}
	is_int(8, in_order, "tags of 100 kB and what they belong to");
	is_int('#', copy[TAG], "nothing is written behind a tag");
	bsp_end();
}

static void to_all(void)
{
	enum { SIZE = 1 << 20 };
	bsp_nprocs_t messages;
	int whole = 0;
	void *t, *p;

	enter();
	fill(data, SIZE, (uint32_t)bsp_pid());
	for (bsp_pid_t pid = 0; pid < bsp_nprocs(); pid++) {
		bsp_hpsend(pid, NULL, data, SIZE);
		bsp_send(pid, NULL, data, 1);
	}
	bsp_sync();
	bsp_qsize(&messages, NULL);
	is_int(2 * (long)bsp_nprocs(), (long)messages, "two messages from each");
	while (messages--) {
		bsp_size_t length = bsp_hpmove(&t, &p);

		for (uint32_t pid = 0; length == SIZE && pid < (uint32_t)bsp_nprocs(); pid++)
			whole += !wrong(p, SIZE, pid);
	}
	is_int((long)bsp_nprocs(), whole, "a whole one from each");
	bsp_end();
}

int main(void)
{
	lives_ok(large, 0, "5 MiB to the neighbour");
	lives_ok(large, 1, "5 MiB to oneself");
	lives_ok(large_tag, 2, "large tags");
	lives_ok(to_all, 0, "1 MiB from each to each");
	return done_testing();
}
