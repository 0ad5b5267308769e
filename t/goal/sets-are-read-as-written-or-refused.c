/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of schedules is read as it was written; cut, longer or changed it is refused. */
#include "../lib/schedules.h"

#include <stdio.h>

enum { PROCESSES = 3 };

static struct goal_set make_set(void)
{
	struct goal_set set = {
		.nprocs = PROCESSES,
		.block = some(PROCESSES * sizeof *set.block),
		.len = some(PROCESSES * sizeof *set.len),
	};
	struct goal_graph *g;
	int i;

	for (i = 0; i < PROCESSES; i++) {
		g = goal_graph_create(PROCESSES, i);
		goal_requires(g, goal_send(g, 8, GOAL_NOWHERE, (i + 1) % PROCESSES, 0),
			      goal_recv(g, 8, GOAL_NOWHERE, (i + 2) % PROCESSES, 0));
		set.block[i] = compiled(g, &set.len[i]);
		goal_graph_destroy(g);
	}
	return set;
}

static unsigned char *file_of(const struct goal_set *set, size_t *len)
{
	char *bytes;
	FILE *out = open_memstream(&bytes, len);

	if (!out || goal_set_write(set, out) || fclose(out))
		bail("cannot write to memory");
	return (unsigned char *)bytes;
}

/* From a copy of just that length. */
static int read_from(const unsigned char *bytes, size_t len, struct goal_set *set,
		     struct goal_where *where)
{
	unsigned char *copy = some(len);
	FILE *in;
	int error;

	memcpy(copy, bytes, len);
	/* a file of no bytes is none that fmemopen() knows */
	in = len ? fmemopen(copy, len, "rb") : fopen("/dev/null", "rb");
	if (!in)
		bail("cannot read from memory");
	memset(where, 0, sizeof *where);
	error = goal_set_read(set, in, where);
	fclose(in);
	free(copy);
	return error;
}

static void as_written(const struct goal_set *set, const unsigned char *bytes, size_t len)
{
	struct goal_set seen;
	struct goal_where where;
	int i;

	is_int(0, read_from(bytes, len, &seen, &where), "what was written is read");
	is_int(PROCESSES, seen.nprocs, "of as many processes");
	for (i = 0; i < PROCESSES; i++) {
		is_int(set->len[i], seen.len[i], "the block of process %d is as long", i);
		is_blob(set->block[i], seen.block[i], set->len[i], "and the same");
	}
	goal_set_free(&seen);
	goal_set_free(&seen);
	ok(!seen.block, "a set is freed as often as one likes");
}

static void cut(const unsigned char *bytes, size_t len)
{
	size_t n, refused = 0, placed = 0;
	struct goal_set set;
	struct goal_where where;

	for (n = 0; n < len; n++) {
		refused += read_from(bytes, n, &set, &where) < 0;
		placed += where.at <= n && where.what[0];
	}
	is_int(len, refused, "every prefix is refused");
	is_int(len, placed, "with a place and a reason");
}

/* A number of 4 bytes at an offset. */
static void changed(const unsigned char *bytes, size_t len, size_t at, uint32_t number,
		    uint64_t wanted, const char *what)
{
	unsigned char *copy = some(len);
	struct goal_set set;
	struct goal_where where;

	memcpy(copy, bytes, len);
	memcpy(copy + at, &number, 4);
	is_int(-1, read_from(copy, len, &set, &where), "%u at %zu is refused", number, at);
	is_str(what, where.what, "for its reason");
	is_int(wanted, where.at, "at its place");
	free(copy);
}

static void longer(const unsigned char *bytes, size_t len)
{
	unsigned char *copy = some(len + 1);
	struct goal_set set;
	struct goal_where where;

	memcpy(copy, bytes, len);
	is_int(-1, read_from(copy, len + 1, &set, &where), "a byte too many is refused");
	is_str("the file is longer than it says", where.what, "for its reason");
	is_int(len, where.at, "at its place");
	free(copy);
}

static void damaged(const unsigned char *bytes, size_t len)
{
	uint64_t seed = 8;
	unsigned char *copy = some(len);
	int i, refused = 0;

	for (i = 0; i < 5000; i++) {
		struct goal_set set;
		struct goal_where where;

		memcpy(copy, bytes, len);
		copy[random_below(&seed, len)] ^= (unsigned char)(1 + random_below(&seed, 255));
		if (read_from(copy, len, &set, &where))
			refused++;
		else
			goal_set_free(&set);
	}
	ok(refused > 2500, "%d of 5000 damaged files are refused, and none does harm", refused);
	free(copy);
}

static void unwritable(const struct goal_set *set)
{
	FILE *full = fopen("/dev/full", "wb");

	if (!full) {
		skip("no /dev/full");
		return;
	}
	is_int(-1, goal_set_write(set, full), "a full disk is reported");
	fclose(full);
}

int main(void)
{
	struct goal_set set = make_set();
	size_t len, first = sizeof(struct goal_set_header) + PROCESSES * sizeof(uint64_t);
	unsigned char *bytes = file_of(&set, &len);
	const char *order = "blocks do not follow each other";

	as_written(&set, bytes, len);
	cut(bytes, len);
	changed(bytes, len, 0, 0x464c457f, 0, "this is no file of schedules");
	changed(bytes, len, 4, 0x00020002, 4, "the file is of a version that is not understood");
	changed(bytes, len, 4, 0x00010000, 4, "the file is of a version that is not understood");
	changed(bytes, len, 8, 0, 8, "the number of processes is out of bounds");
	changed(bytes, len, 8, UINT32_MAX, 8, "the number of processes is out of bounds");
	changed(bytes, len, 8, GOAL_PROCESSES_MOST, len, "the file ends too early");
	changed(bytes, len, 12, 1, 12, "what has no meaning is not 0");
	changed(bytes, len, 20, 1, 40, order);
	changed(bytes, len, 24, 0, 24, order);
	changed(bytes, len, 32, (uint32_t)first, 24, order);
	changed(bytes, len, 36, 1, 24, order);
	changed(bytes, len, first + 12, 4, first + 12, "the block is that of another process");
	changed(bytes, len, first + 24, 9, first + 24, goal_strerror(GOAL_EHEADER));
	longer(bytes, len);
	damaged(bytes, len);
	unwritable(&set);
	free(bytes);
	goal_set_free(&set);
	return done_testing();
}
