/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - time of the system's monotonic clock, and processor time. */
#ifndef MEASURE_CLOCK_H
#define MEASURE_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);
double clock_now_s(void);
/* Processor time of all threads of this process. */
double clock_cpu_ns(void);
/*
 * Busy time of all processors of the machine, whatever they work for, and time that a hypervisor
 * took: from any origin, so differences count. 0: not known.
 */
double clock_machine_s(void);

#endif
