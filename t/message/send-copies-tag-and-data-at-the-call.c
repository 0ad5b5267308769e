/* SPDX-License-Identifier: BSD-3-Clause */
/* Tag and data of a send may change as soon as it returns. */
#include "../lib/spmd.h"

static void send(void)
{
	bsp_size_t size = 2, length;
	char tag[2] = "ab", data[3] = "cde";

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_send(right(), tag, data, 3);
	memset(tag, '#', 2);
	memset(data, '#', 3);
	bsp_sync();
	bsp_get_tag(&length, tag);
	bsp_move(data, 3);
	is_blob("ab", tag, 2, "the tag as it was");
	is_blob("cde", data, 3, "the data as they were");
	bsp_end();
}

static void hpsend(void)
{
	enum { SIZE = 1000000 };
	unsigned char *data = malloc(SIZE);
	void *tag, *payload;

	enter();
	fill(data, SIZE, (uint32_t)bsp_pid());
	bsp_hpsend(right(), NULL, data, SIZE);
	bsp_hpsend(right(), NULL, data, 10);
	bsp_sync();
	for (int i = 0; i < 2; i++) {
		bsp_size_t length = bsp_hpmove(&tag, &payload);

		ok(length == SIZE || length == 10, "one of the lengths sent");
		is_int(0, wrong(payload, (size_t)length, (uint32_t)left()), "data of hpsend");
	}
	bsp_end();
	free(data);
}

int main(void)
{
	lives_ok(send, 0, "send");
	lives_ok(send, 1, "send on one process");
	lives_ok(hpsend, 0, "hpsend");
	lives_ok(hpsend, 1, "hpsend on one process");
	return done_testing();
}
