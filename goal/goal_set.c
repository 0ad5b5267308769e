/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_set.c - the schedules of all processes in one file. */
#include "goal.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A file is untrusted input, and may be a pipe. Memory is taken as bytes come and not as
 * the file promises them, so that a short file never costs much.
 */
enum { FIRST_BYTES = 1 << 16 };

struct reading {
	FILE *in;
	uint64_t at;			/* bytes read */
	struct goal_where *where;
};

static int set_wrong(struct goal_where *where, uint64_t at, const char *what)
{
	*where = (struct goal_where){ .at = at };
	snprintf(where->what, sizeof where->what, "%s", what);
	return -1;
}

static int no_memory(const struct reading *r)
{
	return set_wrong(r->where, r->at, "there is no memory for what follows");
}

static int set_take(struct reading *r, void *to, size_t bytes)
{
	size_t n = fread(to, 1, bytes, r->in);

	r->at += n;
	if (n == bytes)
		return 0;
	return set_wrong(r->where, r->at,
			 ferror(r->in) ? strerror(errno) : "the file ends too early");
}

/* So many bytes in memory of malloc(), or NULL. */
static void *take_new(struct reading *r, uint64_t bytes)
{
	uint64_t have = 0, room = FIRST_BYTES;
	unsigned char *data = NULL, *grown;
	int error = 0;

	while (!error && (have < bytes || !data)) {
		if (room > bytes)
			room = bytes;
		grown = realloc(data, room ? room : 1);
		error = grown ? 0 : no_memory(r);
		data = grown ? grown : data;
		if (!error)
			error = set_take(r, data + have, room - have);
		have = room;
		room *= 2;
	}
	if (!error)
		return data;
	free(data);
	return NULL;
}

static int set_take_header(struct reading *r, struct goal_set_header *h)
{
	if (set_take(r, h, sizeof *h))
		return -1;
	if (h->magic != GOAL_SET_MAGIC)
		return set_wrong(r->where, 0, "this is no file of schedules");
	if (h->last_compatible < 1 || h->last_compatible > GOAL_VERSION ||
	    h->version < h->last_compatible)
		return set_wrong(r->where, offsetof(struct goal_set_header, version),
				 "the file is of a version that is not understood");
	if (h->nprocs < 1 || h->nprocs > GOAL_PROCESSES_MOST)
		return set_wrong(r->where, offsetof(struct goal_set_header, nprocs),
				 "the number of processes is out of bounds");
	if (h->zero)
		return set_wrong(r->where, offsetof(struct goal_set_header, zero),
				 "what has no meaning is not 0");
	return 0;
}

/*
 * Blocks lie in order, without gaps, and the last one ends with the file: then each one's length is
 * known.
 */
static int check_offsets(struct reading *r, const struct goal_set_header *h, const uint64_t *offset)
{
	uint64_t at = sizeof *h + h->nprocs * sizeof *offset, end;
	uint32_t i;

	for (i = 0; i < h->nprocs; i++, at = end) {
		end = i + 1 < h->nprocs ? offset[i + 1] : h->bytes;
		if (offset[i] != at || end <= at || end - at > GOAL_BLOCK_MOST)
			return set_wrong(r->where, sizeof *h + i * sizeof *offset,
					 "blocks do not follow each other");
	}
	return 0;
}

static int check_block(struct reading *r, const void *block, size_t len, int nprocs, int rank)
{
	uint64_t begin = r->at - len;
	size_t work_bytes = goal_check_bytes(len), at = 0;
	void *work = malloc(work_bytes);
	const struct goal_header *h = block;
	struct goal_prog prog;
	int error;

	if (!work)
		return no_memory(r);
	error = goal_check(block, len, UINT32_MAX, work, work_bytes, &prog, &at);
	free(work);
	if (error)
		return set_wrong(r->where, begin + at, goal_strerror(error));
	if ((int)h->nprocs != nprocs || (int)h->rank != rank)
		return set_wrong(r->where, begin + offsetof(struct goal_header, nprocs),
				 "the block is that of another process");
	return 0;
}

static int take_blocks(struct reading *r, const struct goal_set_header *h, const uint64_t *offset,
		       struct goal_set *set)
{
	uint64_t len;
	uint32_t i;
	int error = 0;

	set->block = calloc(h->nprocs, sizeof *set->block);
	set->len = calloc(h->nprocs, sizeof *set->len);
	if (!set->block || !set->len)
		return no_memory(r);
	set->nprocs = (int)h->nprocs;
	for (i = 0; i < h->nprocs && !error; i++) {
		len = (i + 1 < h->nprocs ? offset[i + 1] : h->bytes) - offset[i];
		set->block[i] = take_new(r, len);
		if (!set->block[i])
			return -1;
		set->len[i] = len;
		error = check_block(r, set->block[i], len, set->nprocs, (int)i);
	}
	if (!error && getc(r->in) != EOF)
		error = set_wrong(r->where, r->at, "the file is longer than it says");
	return error;
}

int goal_set_read(struct goal_set *set, FILE *in, struct goal_where *where)
{
	struct reading r = { .in = in, .where = where };
	struct goal_set taken = { 0 };
	struct goal_set_header h;
	uint64_t *offset = NULL;
	int error = set_take_header(&r, &h);

	if (!error) {
		offset = take_new(&r, h.nprocs * sizeof *offset);
		error = offset ? check_offsets(&r, &h, offset) : -1;
	}
	if (!error)
		error = take_blocks(&r, &h, offset, &taken);
	free(offset);
	if (error)
		goal_set_free(&taken);
	else
		*set = taken;
	return error;
}

void goal_set_free(struct goal_set *set)
{
	int i;

	for (i = 0; i < set->nprocs; i++)
		free(set->block[i]);
	free(set->block);
	free(set->len);
	*set = (struct goal_set){ 0 };
}

int goal_set_write_front(const struct goal_set *set, FILE *out)
{
	struct goal_set_header h = {
		.magic = GOAL_SET_MAGIC,
		.version = GOAL_VERSION,
		.last_compatible = GOAL_LAST_COMPATIBLE,
		.nprocs = (uint32_t)set->nprocs,
		.bytes = sizeof h + (uint64_t)set->nprocs * sizeof(uint64_t),
	};
	uint64_t at = h.bytes;
	int i;

	for (i = 0; i < set->nprocs; i++)
		h.bytes += set->len[i];
	if (fwrite(&h, sizeof h, 1, out) != 1)
		return -1;
	for (i = 0; i < set->nprocs; at += set->len[i++]) {
		if (fwrite(&at, sizeof at, 1, out) != 1)
			return -1;
	}
	return 0;
}

int goal_set_write(const struct goal_set *set, FILE *out)
{
	int i;

	if (goal_set_write_front(set, out))
		return -1;
	for (i = 0; i < set->nprocs; i++) {
		if (fwrite(set->block[i], set->len[i], 1, out) != 1)
			return -1;
	}
	return fflush(out) ? -1 : 0;
}
