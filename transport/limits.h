/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - do the limits of this process (ulimit) leave what a library of others needs? */

/*
 * Some libraries hang or crash where memory, stack or files are short. A transport that uses such
 * a library checks the limits before, in probe(), so that the message names the limit. The values
 * were measured.
 *
 * This is part of the library and of each plugin that wants it (Makefile.include).
 */
#ifndef BSPT_LIMITS_H
#define BSPT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bspt_need {
	int resource;		/* RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK or RLIMIT_NOFILE */
	uint64_t amount;	/* of memory: bytes beyond what this process has; else in all */
};

/*
 * Does every limit leave what is needed? If not, the first that does not, and what to raise, is
 * in @why.
 */
bool bspt_limits_suffice(const struct bspt_need *needs, size_t n, char *why, size_t len);

#endif
