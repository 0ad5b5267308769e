/* SPDX-License-Identifier: BSD-3-Clause */
/* Each of very many messages arrives once, with its own tag. */
#include "../lib/spmd.h"

enum { MESSAGES = 10000 };

static void send_all(void)
{
	int data[8];

	for (int i = 0; i < MESSAGES; i++) {
		int tag[2] = { (int)bsp_pid(), i };
		bsp_pid_t pid = (bsp_pid_t)((i / 7 + (int)bsp_pid()) % (int)bsp_nprocs());

		for (int k = 0; k < 8; k++)
			data[k] = i + k;
		bsp_send(pid, tag, data, (bsp_size_t)((size_t)(i % 9) * sizeof *data));
	}
}

/* Was message @tag for this process, and is it whole? */
static bool is_mine(const int *tag, const int *data, size_t length)
{
	if ((tag[1] / 7 + tag[0]) % (int)bsp_nprocs() != (int)bsp_pid())
		return false;
	if (length != (size_t)(tag[1] % 9) * sizeof *data)
		return false;
	for (int k = 0; k < tag[1] % 9; k++)
		if (data[k] != tag[1] + k)
			return false;
	return true;
}

static void body(void)
{
	static char seen[8][MESSAGES];
	bsp_size_t size = 2 * sizeof(int), length;
	bsp_nprocs_t messages;
	int tag[2], data[8], good = 0, wanted = 0;

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	send_all();
	bsp_sync();
	bsp_qsize(&messages, NULL);
	for (bsp_nprocs_t k = 0; k < messages; k++) {
		bsp_get_tag(&length, tag);
		bsp_move(data, sizeof data);
		good += is_mine(tag, data, (size_t)length) && !seen[tag[0]][tag[1]]++;
	}
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		for (int i = 0; i < MESSAGES; i++)
			wanted += (i / 7 + pid) % (int)bsp_nprocs() == (int)bsp_pid();
	is_int(wanted, (long)messages, "as many as were sent here");
	is_int(wanted, good, "each of them whole and once");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "among several processes");
	lives_ok(body, 2, "among two processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
