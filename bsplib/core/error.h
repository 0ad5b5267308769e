/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - ending the job with a message, and parts of messages. */
#ifndef BSPI_ERROR_H
#define BSPI_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* End the job with a message about this process. */
_Noreturn __attribute__((format(printf, 3, 4), cold))
void bspi_fail(const char *call, const char *site, const char *format, ...);

/* The same of the end of the program, with @status of the job instead of 1. */
_Noreturn __attribute__((format(printf, 3, 4), cold))
void bspi_fail_with(int status, const char *call, const char *format, ...);

/* The same about a call that process @pid made in superstep @step, at a packed call site. */
_Noreturn __attribute__((format(printf, 5, 6), cold))
void bspi_fail_of(int pid, uint32_t step, const char *call, int64_t site,
		  const char *format, ...);

_Noreturn __attribute__((cold))
void bspi_fail_va(const char *call, const char *site, const char *format, va_list args);

/* The job goes on. */
__attribute__((format(printf, 2, 3), cold))
void bspi_warn(const char *call, const char *format, ...);

/* Called by an operator of a collective operation. */
_Noreturn __attribute__((cold)) void bspi_fail_operator(const char *call, const char *site);

/* The call was made outside the SPMD part, or where it must not be. */
_Noreturn __attribute__((cold)) void bspi_fail_phase(const char *call, const char *site);

/* There is no process @pid. */
_Noreturn __attribute__((cold))
void bspi_fail_pid(const char *call, const char *site, int64_t pid);

_Noreturn __attribute__((cold)) void bspi_fail_memory(const char *call, const char *site);

/*
 * Room for one more element of @size in an array; the array may move. Ends the job when there
 * is no memory.
 */
void *bspi_grow(void *array, size_t n, size_t size, size_t *room);

/* The end that makes a word of @n things a plural. */
static inline const char *bspi_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
