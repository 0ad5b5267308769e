/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.h - parts of a recording come to process 0 from machines that share no folder with it. */
#ifndef BSPI_GATHER_H
#define BSPI_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On all processes, before any sends: parts of @record, run @job, are to be received. */
void bspi_gather_open(const char *record, uint64_t job);
void bspi_gather_close(void);
/*
 * In bsp_end, before its barrier: is this process on another machine than process 0, and are
 * @bytes of each process not too many for process 0 to hold? The same number of bytes gives the
 * same answer on all processes of a machine.
 */
bool bspi_gather_is_due(size_t bytes);
/* Send the part, which process 0 writes to a file there before it reports. */
void bspi_gather_send(const void *part, size_t bytes);

#endif
