// SPDX-License-Identifier: BSD-3-Clause
/* launch_path.c - the file that the name of a program means on the search path. */

#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* @file as any folder has it. Links stay: what they lead to may have another name. */
static bool launch_absolute(const char *file, char path[PATH_MAX])
{
	char folder[PATH_MAX] = "/";
	int n;

	if (file[0] != '/' && !getcwd(folder, sizeof(folder)))
		return false;
	n = snprintf(path, PATH_MAX, "%s%s%s", file[0] == '/' ? "" : folder,
		     file[0] == '/' ? "" : "/", file);
	return n < PATH_MAX;
}

bool launch_on_path(const char *name, char path[PATH_MAX])
{
	const char *dir = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";
	char candidate[PATH_MAX];
	struct stat st;

	for (;; dir++) {
		size_t len = strcspn(dir, ":");

		snprintf(candidate, sizeof(candidate), "%.*s/%s", len ? (int)len : 1,
			 len ? dir : ".", name);
		if (stat(candidate, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(candidate, X_OK) == 0)
			return launch_absolute(candidate, path);
		dir += len;
		if (!*dir)
			return false;
	}
}
