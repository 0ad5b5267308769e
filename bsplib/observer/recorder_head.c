// SPDX-License-Identifier: BSD-3-Clause
/* recorder_head.c - the head of each part of a recording, and the parts become one. */

#include "bsplib/observer/recorder.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/model/params.h"

#include "common/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes of one process, and of all of them together. */
#define LIMIT_EACH ((uint64_t)64 << 20)
#define LIMIT_ALL ((uint64_t)8 << 30)

int bspi_recorder_map(int fd, uint64_t room, uint64_t limit, struct recording_head **head)
{
	int err = posix_fallocate(fd, 0, (off_t)(sizeof(**head) + room));
	void *at;

	if (err)
		return err;
	at = mmap(NULL, sizeof(**head) + limit, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return errno;
	*head = at;
	return 0;
}

/* The first record. Emulated processes are on no machine. */
static void record_node(struct recording_head *h)
{
	const struct bspt_wire *wire = bspi.job.wire;
	int node = bspi.nprocs > 1 && wire && wire->node ? wire->node[bspi.me] : 0;
	unsigned char *begin = (unsigned char *)(h + 1), *at = begin;
	char host[RECORDING_MACHINE];

	if (bspi.clock)
		return;
	bspi_params_host(host, sizeof(host));
	*at++ = RECORDING_NODE;
	at = recording_put(at, (uint64_t)node);
	at = recording_put(at, strlen(host));
	memcpy(at, host, strlen(host));
	h->used = (uint64_t)(at + strlen(host) - begin);
}

uint64_t bspi_recorder_limit(void)
{
	uint64_t share = LIMIT_ALL / (uint64_t)bspi.nprocs;

	if (bspi.env.record_limit >= 0)
		return (uint64_t)bspi.env.record_limit;
	return share < LIMIT_EACH ? share : LIMIT_EACH;
}

void bspi_recorder_fill_head(struct recording_head *h, uint64_t job)
{
	const struct bspt_cost *cost = bspi.net ? &bspi.net->cost : NULL;

	*h = (struct recording_head){
		.magic = RECORDING_MAGIC, .order = RECORDING_ORDER, .head_bytes = sizeof(*h),
		.job = job, .me = (uint32_t)bspi.me,
		.nprocs = (uint32_t)bspi.nprocs, .began_ns = bspi_now(),
		.virtual_clock = bspi.clock,
		.L = cost ? cost->L : 0, .o = cost ? cost->o : 0,
		.g = cost ? cost->g : 0, .G = cost ? cost->G : 0,
		.chunk = bspi.net ? bspi.net->good_chunk : 0,
	};
	snprintf(h->program, sizeof(h->program), "%s", program_invocation_short_name);
	snprintf(h->transport, sizeof(h->transport), "%s",
		 bspi.net ? bspi.net->ops->name : "self");
	snprintf(h->emulate, sizeof(h->emulate), "%.*s", (int)sizeof(h->emulate) - 1,
		 bspi.env.emulate);
	record_node(h);
}

/* The last one takes what has no sum of its own, of any kind and place. */
struct recording_sum *bspi_recorder_sum(struct recording_head *h, enum recording_kind kind,
					uint32_t site, uint32_t name)
{
	for (uint64_t i = 0; i < h->nsums; i++) {
		struct recording_sum *s = &h->sums[i];

		if ((s->kind == kind && s->site == site && s->name == name) ||
		    s->kind == RECORDING_OTHERS)
			return s;
	}
	if (h->nsums == RECORDING_SUMS - 1) {
		kind = RECORDING_OTHERS;
		site = name = RECORDING_NO_NAME;
	}
	h->sums[h->nsums] = (struct recording_sum){ .kind = kind, .site = site, .name = name };
	return &h->sums[h->nsums++];
}

/* Results are worth more than their recording: the job goes on. */
void bspi_recorder_join(const char *record, uint64_t job)
{
	int found, err = recording_join(record, bspi.nprocs, job, NULL, &found);

	if (err)
		bspi_warn("bsp_end",
			  "cannot write the recording %s (BSP_RECORD): %s; what the processes "
			  "recorded is in %s.%016llx.partN, to be joined with cat",
			  record, strerror(err), record, (unsigned long long)job);
	else if (found < bspi.nprocs)
		bspi_warn("bsp_end",
			  "the recording %s has %d of %d processes; the others are in %s.%016llx"
			  ".partN on their machines, to be joined with cat",
			  record, found, bspi.nprocs, record, (unsigned long long)job);
}
