// SPDX-License-Identifier: BSD-3-Clause
/* started.c - how this program was started: in which folder, and with the rights of which user. */

#include "transport.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

bool bspt_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

static char start_folder[PATH_MAX];

/* Before main(), in which a program may change its folder. */
__attribute__((constructor)) static void note_folder(void)
{
	if (!getcwd(start_folder, sizeof(start_folder)))
		start_folder[0] = '\0';		/* it is gone, or too deep */
}

const char *bspt_start_folder(void)
{
	return start_folder;
}

bool bspt_absolute_name(char *name, size_t room)
{
	size_t folder = strlen(start_folder), len = strlen(name);
	size_t slash = folder > 0 && start_folder[folder - 1] != '/';

	if (name[0] == '/' || !name[0] || !folder)
		return true;
	if (folder + slash + len >= room)
		return false;
	memmove(name + folder + slash, name, len + 1);
	memcpy(name, start_folder, folder);
	if (slash)
		name[folder] = '/';
	return true;
}
