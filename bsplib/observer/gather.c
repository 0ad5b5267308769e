// SPDX-License-Identifier: BSD-3-Clause
/* gather.c - parts of a recording come to process 0 from machines that share no folder with it. */

/*
 * As data of the superstep of bsp_end: pieces that say where they belong, so their order does not
 * matter. Whether machines share the folder cannot be known; so a sender removes its own file
 * first, and process 0 writes one of that name once all have met. All of it waits in the memory
 * of process 0 for that moment, hence the limit; what is beyond it stays where it was recorded.
 */

#include "bsplib/observer/gather.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/drma.h"

#include "common/recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELD_MOST = 512 << 20 };	/* bytes in the memory of process 0 */

static struct {
	const char *record;	/* name of the recording */
	uint64_t job;
	bool *begun;		/* of each process: its file is there */
} gathered;

/* Only a file that was not there before: another user may have put a link in its place. */
static int open_part(int from, const char *name)
{
	int new = gathered.begun[from] ? 0 : O_CREAT | O_EXCL;

	gathered.begun[from] = true;
	return open(name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | new, 0666);
}

/* Until all of it is written; a part that is not whole is not read. */
static bool write_piece(int to, uint64_t at, const char *data, size_t bytes)
{
	ssize_t n = 0;

	while (bytes > 0 && (n = pwrite(to, data, bytes, (off_t)at)) > 0) {
		data += n;
		at += (uint64_t)n;
		bytes -= (size_t)n;
	}
	return close(to) == 0 && n >= 0 && !bytes;
}

/* A part that has no room on the disk is missing, as one that never came is. */
static const char *gather_on_part(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const char *next = bspi_after(from, at, end);
	char name[RECORDING_PART_NAME];
	int to;

	if (!recording_part_name(name, sizeof(name), gathered.record, gathered.job, from))
		return next;
	to = open_part(from, name);
	if (to >= 0 && !write_piece(to, rec->dst, (const char *)(rec + 1), rec->nbytes))
		unlink(name);
	return next;
}

void bspi_gather_open(const char *record, uint64_t job)
{
	gathered.record = record;
	gathered.job = job;
	gathered.begun = calloc((size_t)bspi.nprocs, sizeof(*gathered.begun));
	if (!gathered.begun)
		bspi_fail_memory("bsp_begin", NULL);
	bspi_record_handle(BSPI_RECORDED, BSPI_AT_END, gather_on_part);
}

void bspi_gather_close(void)
{
	free(gathered.begun);
	gathered.begun = NULL;
}

static int processes_elsewhere(void)
{
	const int *node = bspi.job.wire->node;
	int n = 0;

	for (int p = 0; p < bspi.nprocs; p++)
		n += node[p] != node[0];
	return n;
}

bool bspi_gather_is_due(size_t bytes)
{
	const int *node = bspi.nprocs > 1 ? bspi.job.wire->node : NULL;

	return node && node[bspi.me] != node[0] &&
	       bytes <= HELD_MOST / (size_t)processes_elsewhere();
}

void bspi_gather_send(const void *part, size_t bytes)
{
	const char *src = part;
	uint64_t at = 0;

	while (at < bytes) {
		size_t n = bytes - at;
		struct bspi_rec *rec = bspi_room_for_data(0, sizeof(*rec), src + at, &n);

		*rec = (struct bspi_rec){ .what = bspi_what(BSPI_RECORDED, 0),
					  .nbytes = (uint32_t)n, .dst = at };
		memcpy(rec + 1, src + at, n);
		at += n;
	}
}
