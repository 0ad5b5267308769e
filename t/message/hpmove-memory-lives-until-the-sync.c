/* SPDX-License-Identifier: BSD-3-Clause */
/* A message shown by hpmove is aligned for every type and stays until the next bsp_sync. */
#include "../lib/spmd.h"

enum { MESSAGES = 40, TAG = 5, LARGE = 300000 };

static size_t length_of(int i)
{
	return i % 10 == 9 ? LARGE + (size_t)i : (size_t)(3 * i);
}

static void send_all(void)
{
	unsigned char *data = malloc(LARGE + MESSAGES);
	char tag[TAG];

	for (int i = 0; i < MESSAGES; i++) {
		memset(tag, i, sizeof tag);
		fill(data, length_of(i), (uint32_t)i);
		bsp_send(right(), tag, data, (bsp_size_t)length_of(i));
	}
	free(data);
}

static void *tags[MESSAGES], *payloads[MESSAGES];
static bsp_size_t lengths[MESSAGES];

/* All messages that are there, as they are now: how many are whole? */
static int whole(void)
{
	int count = 0;

	for (int k = 0; k < MESSAGES; k++) {
		const char *tag = tags[k];
		bool same = true;

		for (int j = 1; j < TAG; j++)
			same = same && tag[j] == tag[0];
		count += same && (size_t)lengths[k] == length_of(tag[0]) &&
			 !wrong(payloads[k], (size_t)lengths[k], (uint32_t)tag[0]);
	}
	return count;
}

static int aligned(void)
{
	int count = 0;

	for (int k = 0; k < MESSAGES; k++)
		count += (uintptr_t)tags[k] % 16 == 0 && (uintptr_t)payloads[k] % 16 == 0;
	return count;
}

static void body(void)
{
	bsp_size_t size = TAG;
	void *tag, *payload;

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	send_all();
	bsp_sync();
	for (int k = 0; k < MESSAGES; k++)
		lengths[k] = bsp_hpmove(&tags[k], &payloads[k]);
	ok(bsp_hpmove(&tag, &payload) == bsp_size_unavailable, "-1 when the queue is empty");
	is_int(MESSAGES, whole(), "all messages are whole");
	is_int(MESSAGES, aligned(), "all addresses are multiples of 16");
	send_all();
	is_int(MESSAGES, whole(), "they stay whole while others are sent");
	bsp_sync();
	for (int k = 0; k < MESSAGES; k++)
		lengths[k] = bsp_hpmove(&tags[k], &payloads[k]);
	is_int(MESSAGES, whole(), "those of the next superstep are whole too");
	bsp_end();
}

/* The memory is the library's, but may be written to by no other process. */
static void mixed_with_move(void)
{
	int v = 1, moved = 0;
	void *tag, *payload;

	enter();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	is_int(sizeof v, (long)bsp_hpmove(&tag, &payload), "length of the first");
	bsp_move(&moved, sizeof moved);
	is_int(1, moved, "the second by move");
	is_int(1, *(int *)payload, "the first is still there");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "many messages");
	lives_ok(body, 1, "many messages on one process");
	lives_ok(mixed_with_move, 0, "hpmove, then move");
	return done_testing();
}
