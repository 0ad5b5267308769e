// SPDX-License-Identifier: BSD-3-Clause
/* launch_path.c - the file that the name of a program means on the search path. */

#include "launch.h"

#include "transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *launch_candidate(const char *dir, const char *name, char path[PATH_MAX])
{
	size_t len = strcspn(dir, ":");	/* an empty one is the current one */

	snprintf(path, PATH_MAX, "%.*s/%s", len ? (int)len : 1, len ? dir : ".", name);
	return dir[len] ? dir + len + 1 : NULL;
}

/* Links stay: what they lead to may have another name. */
bool launch_on_path(const char *name, char path[PATH_MAX])
{
	const char *dir = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";
	struct stat st;

	while (dir) {
		dir = launch_candidate(dir, name, path);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0)
			return bspt_absolute_name(path, PATH_MAX) && path[0] == '/';
	}
	return false;
}
