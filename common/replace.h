/* SPDX-License-Identifier: BSD-3-Clause */
/* replace.h - a file that takes the place of another, whole or not at all. */
#ifndef REPLACE_H
#define REPLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct replacement {
	FILE *out;			/* write here */
	const char *path;		/* the caller's, until the end */
	bool unsynced;			/* set after the beginning: a power cut may empty it */
	char temporary[PATH_MAX];	/* beside it; "": @path is a device or a pipe */
};

/*
 * Begin a file that is to be @path. Written is @path and a point and random letters, which is all
 * that a process leaves that is killed; a device or a pipe is written as it is. A link is
 * replaced, never followed to a file. 0 or an error number; then there is nothing to end.
 */
int replace_begin(struct replacement *r, const char *path);

/*
 * If @keep, what was written is on the disk and is @path, with the rights of the file that was
 * there; otherwise, and on an error, @path is as it was. 0 or an error number.
 */
int replace_end(struct replacement *r, bool keep);

/* Could it begin? 0 or an error number, and nothing is left. */
int replace_try(const char *path);

/* @path with a point, random letters and @end; false if that does not fit. */
bool replace_name(char *name, size_t room, const char *path, const char *end);

#endif
