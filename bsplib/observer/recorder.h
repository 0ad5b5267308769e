/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder.h - recordings of a run, for bspprof: BSP_RECORD. */
#ifndef BSPI_RECORDER_H
#define BSPI_RECORDER_H

#include "common/recording.h"

#include <stdint.h>

/* Before the processes exist: for which file; when they do: observe, as the settings ask for it. */
void bspi_recorder_choose(void);
void bspi_recorder_open(void);
/* Bytes that this process may record, by BSP_RECORD_LIMIT. */
uint64_t bspi_recorder_limit(void);
/* The head, with room for @limit bytes of the stream behind it, of which the file has @room. */
int bspi_recorder_map(int fd, uint64_t room, uint64_t limit, struct recording_head **head);
/* The head says which run and process this is, and the first record on which node it is. */
void bspi_recorder_fill_head(struct recording_head *h, uint64_t job);
/* The sum of calls of this kind, site and name; of others if there are too many. */
struct recording_sum *bspi_recorder_sum(struct recording_head *h, enum recording_kind kind,
					uint32_t site, uint32_t name);
/* On process 0, when all processes have ended theirs: one file. */
void bspi_recorder_join(const char *record, uint64_t job);
/* By the supervisor of the job: a process did not end well, as @what says. */
void bspi_recorder_note_failure(int process, const char *what);

#endif
