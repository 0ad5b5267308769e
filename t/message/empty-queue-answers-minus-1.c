/* SPDX-License-Identifier: BSD-3-Clause */
/* On an empty queue get_tag and hpmove return -1, and touch no tag. */
#include "../lib/spmd.h"

static void body(void)
{
	bsp_size_t size = 8, status = 5;
	char tag[8] = "########";
	void *tag_address = tag, *payload = tag;

	enter();
	bsp_get_tag(&status, NULL);
	ok(status == bsp_size_unavailable, "get_tag before any message");
	ok(bsp_hpmove(&tag_address, &payload) == bsp_size_unavailable, "hpmove before any message");
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_send(right(), "12345678", NULL, 0);
	bsp_sync();
	bsp_move(NULL, 0);
	status = 5;
	bsp_get_tag(&status, tag);
	ok(status == bsp_size_unavailable, "get_tag after the last message");
	is_blob("########", tag, 8, "the tag is untouched");
	ok(bsp_hpmove(&tag_address, &payload) == bsp_size_unavailable,
	   "hpmove after the last message");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
