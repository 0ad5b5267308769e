/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder.h - recordings of a run, for bspprof: BSP_RECORD. */
#ifndef BSPI_RECORDER_H
#define BSPI_RECORDER_H

/* Before the processes exist: for which file; when they do: observe, as the settings ask for it. */
void bspi_recorder_choose(void);
void bspi_recorder_open(void);
/* By the supervisor of the job: a process did not end well, as @what says. */
void bspi_recorder_note_failure(int process, const char *what);

#endif
