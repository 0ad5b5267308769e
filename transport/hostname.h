/* SPDX-License-Identifier: BSD-3-Clause */
/* hostname.h - the name of this host, as long as the kernel lets it be. */
#ifndef BSPT_HOSTNAME_H
#define BSPT_HOSTNAME_H

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
	/* with the NUL; Linux has names of 64 bytes, whatever the C library's HOST_NAME_MAX is */
	BSPT_HOSTNAME = 64 + 1,
	/* libpmix 4.2 copies what comes before the first digit of a name into so many bytes */
	BSPT_HOSTNAME_PREFIX = 50,
};

static inline void bspt_hostname(char name[BSPT_HOSTNAME])
{
	if (gethostname(name, BSPT_HOSTNAME) != 0)
		name[0] = '\0';
	name[BSPT_HOSTNAME - 1] = '\0';
}

/* Does libpmix, and with it Open MPI's mpirun, write past the end of its memory for this name? */
static inline bool bspt_hostname_is_too_long(const char *name)
{
	return strcspn(name, "0123456789") >= BSPT_HOSTNAME_PREFIX;
}

#endif
