/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_expect puts messages of relaxed supersteps into the queue, with tag and data. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 60, MOST = 8, LENGTH = 3000 };

struct tag {
	int from;
	int superstep;
};

static int wrong_messages, wrong_counts;
static unsigned char data[LENGTH];

static size_t length_of(int pid, int s)
{
	return (size_t)(s * 977 + pid * 131) % LENGTH;
}

static void send_all(int s)
{
	struct tag tag = { (int)bsp_pid(), s };
	size_t length = length_of((int)bsp_pid(), s);

	for (int pid = 0; pid < (int)bsp_nprocs(); pid++) {
		fill(data, length, (uint32_t)(s * 100 + (int)bsp_pid()));
		bsp_send((bsp_pid_t)pid, &tag, data, (bsp_size_t)length);
		memset(data, 0, length);
	}
}

static bool is_right(const struct tag *tag, const void *bytes, size_t length, int s)
{
	return tag->superstep == s && tag->from >= 0 && tag->from < (int)bsp_nprocs() &&
	       length == length_of(tag->from, s) &&
	       !wrong(bytes, length, (uint32_t)(s * 100 + tag->from));
}

/* One message, by one of the two ways; returns its sender. */
static int take(int s, bool shown)
{
	struct tag tag = { -1, -1 }, *tag_there = &tag;
	void *bytes = data, *at;
	bsp_size_t length = 0;

	if (shown) {
		length = bsp_hpmove(&at, &bytes);
		tag_there = at;
	} else {
		bsp_get_tag(&length, &tag);
		bsp_move(data, LENGTH);
	}
	wrong_messages += !is_right(tag_there, bytes, (size_t)length, s);
	return tag_there->from;
}

static void take_all(int s)
{
	bsp_nprocs_t messages = 0;
	bsp_size_t nbytes = 0, wanted = 0;
	bool seen[MOST] = { false };

	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		wanted += (bsp_size_t)length_of(pid, s);
	bsp_qsize(&messages, &nbytes);
	wrong_counts += messages != bsp_nprocs() || nbytes != wanted;
	for (int k = 0; k < (int)bsp_nprocs(); k++)
		seen[take(s, (k + s) % 2)] = true;
	for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
		wrong_messages += !seen[pid];
	bsp_qsize(&messages, &nbytes);
	wrong_counts += messages != 0 || nbytes != 0;
}

static void body(void)
{
	bsp_size_t size = sizeof(struct tag);

	enter_relaxed();
	bsp_set_tagsize(&size);
	bsp_sync();
	for (int s = 0; s < SUPERSTEPS; s++) {
		send_all(s);
		bsp_sync();
		bsp_expect((int)bsp_nprocs());
		take_all(s);
	}
	is_int(0, wrong_counts, "bsp_qsize counts them");
	is_int(0, wrong_messages, "each is whole, once, and of the superstep before");
	bsp_end();
}

static void large(void)
{
	enum { LARGE = 3 << 20 };
	unsigned char *bytes = malloc(LARGE);
	void *tag, *there;

	if (!bytes)
		bail("no memory");
	enter_relaxed();
	bsp_sync();
	fill(bytes, LARGE, (uint32_t)bsp_pid());
	bsp_send(right(), NULL, bytes, LARGE);
	bsp_hpsend(left(), NULL, bytes, 1000);
	bsp_send(right(), NULL, NULL, 0);
	bsp_sync();
	free(bytes);
	bsp_expect(3);
	for (int i = 0; i < 3; i++) {
		size_t length = (size_t)bsp_hpmove(&tag, &there);

		if (length == LARGE)
			is_int(0, wrong(there, LARGE, (uint32_t)left()), "the large one");
		else if (length == 1000)
			is_int(0, wrong(there, 1000, (uint32_t)right()), "the unbuffered one");
		else
			is_int(0, (long)length, "the empty one");
	}
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "messages of all to all");
	under("BSP_SHUFFLE", "4711", body, 0, "messages of all to all");
	lives_ok(body, 8, "messages of all to all of eight");
	lives_ok(body, 1, "messages of one to itself");
	under_each(large, 0, "of 3 MiB, unbuffered, and empty");
	lives_ok(large, 1, "of 3 MiB, unbuffered, and empty, one process");
	return done_testing();
}
