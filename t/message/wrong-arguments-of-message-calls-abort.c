/* SPDX-License-Identifier: BSD-3-Clause */
/* NULL where there must be something, and negative sizes, end the job: calls for messages. */
#include "../lib/spmd.h"

static char byte[8];

/* One message with a tag of 8 bytes and 8 of data is in the queue, and tags have 8 bytes. */
static void begin(void)
{
	bsp_size_t size = 8;

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_send(right(), byte, byte, 8);
	bsp_sync();
	expect_superstep(2);
}

static void set_tagsize_null(void)
{
	begin();
	expect_site(), bsp_set_tagsize(NULL);
	bsp_end();
}

static void set_tagsize_negative(void)
{
	bsp_size_t size = -1;

	begin();
	expect_site(), bsp_set_tagsize(&size);
	bsp_end();
}

static void send_tag_null(void)
{
	begin();
	expect_site(), bsp_send(right(), NULL, byte, 1);
	bsp_end();
}

static void send_payload_null(void)
{
	begin();
	expect_site(), bsp_send(right(), byte, NULL, 1);
	bsp_end();
}

static void send_negative(void)
{
	begin();
	expect_site(), bsp_send(right(), byte, byte, -1);
	bsp_end();
}

static void hpsend_tag_null(void)
{
	begin();
	expect_site(), bsp_hpsend(right(), NULL, byte, 1);
	bsp_end();
}

static void hpsend_payload_null(void)
{
	begin();
	expect_site(), bsp_hpsend(right(), byte, NULL, 1);
	bsp_end();
}

static void hpsend_negative(void)
{
	begin();
	expect_site(), bsp_hpsend(right(), byte, byte, -1);
	bsp_end();
}

static void qsize_null(void)
{
	bsp_size_t nbytes;

	begin();
	expect_site(), bsp_qsize(NULL, &nbytes);
	bsp_end();
}

static void get_tag_status_null(void)
{
	begin();
	expect_site(), bsp_get_tag(NULL, byte);
	bsp_end();
}

static void get_tag_tag_null(void)
{
	bsp_size_t status;

	begin();
	expect_site(), bsp_get_tag(&status, NULL);
	bsp_end();
}

static void get_tag_tag_null_empty_queue(void)
{
	bsp_size_t status;

	begin();
	bsp_move(NULL, 0);
	expect_site(), bsp_get_tag(&status, NULL);
	bsp_end();
}

static void move_null(void)
{
	begin();
	expect_site(), bsp_move(NULL, 1);
	bsp_end();
}

static void move_negative(void)
{
	begin();
	expect_site(), bsp_move(byte, -1);
	bsp_end();
}

static void hpmove_tag_null(void)
{
	void *payload;

	begin();
	expect_site(), bsp_hpmove(NULL, &payload);
	bsp_end();
}

static void hpmove_payload_null(void)
{
	void *tag;

	begin();
	expect_site(), bsp_hpmove(&tag, NULL);
	bsp_end();
}

int main(void)
{
	dies_ok(set_tagsize_null, 0, "bsp_set_tagsize: ", "set_tagsize of NULL");
	dies_ok(set_tagsize_negative, 0, "bsp_set_tagsize: ", "set_tagsize of -1");
	dies_ok(send_tag_null, 0, "bsp_send: ", "send without a tag");
	dies_ok(send_payload_null, 0, "bsp_send: ", "send without data");
	dies_ok(send_negative, 0, "bsp_send: ", "send of -1 bytes");
	dies_ok(hpsend_tag_null, 0, "bsp_hpsend: ", "hpsend without a tag");
	dies_ok(hpsend_payload_null, 0, "bsp_hpsend: ", "hpsend without data");
	dies_ok(hpsend_negative, 0, "bsp_hpsend: ", "hpsend of -1 bytes");
	dies_ok(qsize_null, 0, "bsp_qsize: ", "qsize without a place for the number");
	dies_ok(get_tag_status_null, 0, "bsp_get_tag: ", "get_tag without a status");
	dies_ok(get_tag_tag_null, 0, "bsp_get_tag: ", "get_tag without a place for the tag");
	dies_ok(get_tag_tag_null_empty_queue, 0, "bsp_get_tag: ",
		"get_tag without a place for the tag, when the queue is empty");
	dies_ok(move_null, 0, "bsp_move: ", "move to NULL");
	dies_ok(move_negative, 0, "bsp_move: ", "move of -1 bytes");
	dies_ok(hpmove_tag_null, 0, "bsp_hpmove: ", "hpmove without a place for the tag");
	dies_ok(hpmove_payload_null, 0, "bsp_hpmove: ", "hpmove without a place for the data");
	return done_testing();
}
