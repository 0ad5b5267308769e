/* SPDX-License-Identifier: BSD-3-Clause */
/* Get_tag shows the same message until it is moved, qsize counts those not yet moved. */
#include "../lib/spmd.h"

enum { MESSAGES = 10 };

static void begin_and_send(void)
{
	static const char data[MESSAGES * MESSAGES];
	bsp_size_t size = sizeof(int);

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	for (int i = 0; i < MESSAGES; i++)
		bsp_send(right(), &i, data, (bsp_size_t)(i * i));
	bsp_sync();
}

static void same_tag_twice(void)
{
	int tag, again, stable = 0, order = 0;

	begin_and_send();
	for (int i = 0; i < MESSAGES; i++) {
		bsp_size_t length, length_again;
		void *tag_moved, *payload;

		bsp_get_tag(&length, &tag);
		bsp_get_tag(&length_again, &again);
		stable +=
			tag == again && length == length_again && length == (bsp_size_t)(tag * tag);
		order += bsp_hpmove(&tag_moved, &payload) == length && *(int *)tag_moved == tag;
	}
	is_int(MESSAGES, stable, "twice the same tag and length");
	is_int(MESSAGES, order, "and that message is the one that goes");
	bsp_end();
}

static void counts(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes, left_over = 0, length;
	int right_counts = 0;

	begin_and_send();
	for (int i = 0; i < MESSAGES; i++)
		left_over += (bsp_size_t)(i * i);
	for (int i = MESSAGES; i > 0; i--) {
		int tag;

		bsp_qsize(&messages, &nbytes);
		right_counts += messages == (bsp_nprocs_t)i && nbytes == left_over;
		bsp_get_tag(&length, &tag);
		bsp_move(NULL, 0);
		left_over -= length;
	}
	is_int(MESSAGES, right_counts, "number and bytes without tags are right each time");
	bsp_qsize(&messages, NULL);
	is_int(0, (long)messages, "at last none; the place for bytes may be NULL");
	bsp_qsize(&messages, &nbytes);
	is_int(0, (long)(messages + nbytes), "nor any bytes");
	bsp_end();
}

int main(void)
{
	lives_ok(same_tag_twice, 0, "get_tag");
	lives_ok(same_tag_twice, 1, "get_tag on one process");
	lives_ok(counts, 0, "qsize");
	lives_ok(counts, 1, "qsize on one process");
	return done_testing();
}
