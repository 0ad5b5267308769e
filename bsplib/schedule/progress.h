/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - the thread of BSP_PROGRESS. */
#ifndef BSPI_PROGRESS_H
#define BSPI_PROGRESS_H

/* Start the thread, if there is to be one; the holder of the lock ends it. */
void bspi_progress_open(const char *site);
void bspi_progress_close(void);
/* At exit of a process: it does nothing more. */
void bspi_progress_stop(void);

#endif
