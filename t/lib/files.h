/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - a folder of the test's own, with files as those in which the system says something. */
#ifndef FILES_H
#define FILES_H

#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILES_NAME "files-XXXXXX"

static char files[sizeof FILES_NAME];

static inline void files_begin(void)
{
	strcpy(files, FILES_NAME);
	if (!mkdtemp(files))
		bail("no folder");
}

/* A file in the folder, with the folders on its way. */
static inline void files_write(const char *name, const char *text)
{
	char path[500];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", files, name);
	for (char *at = path; (at = strchr(at + 1, '/')); *at = '/') {
		*at = '\0';
		mkdir(path, 0755);
	}
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		bail("cannot write %s", path);
}

/* The status of the command that removes all of it. */
static inline int files_remove(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -r %s", files);
	return system(command);
}

#endif
