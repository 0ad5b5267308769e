/* SPDX-License-Identifier: BSD-3-Clause */
/* replace.h - a file that takes the place of another, whole or not at all. */
#ifndef REPLACE_H
#define REPLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct replacement {
	FILE *out;			/* write here */
	const char *path;		/* the caller's, until the end */
	char temporary[PATH_MAX];	/* beside it */
};

/* Begin a file that is to be @path. 0 or an error number; then there is nothing to end. */
int replace_begin(struct replacement *r, const char *path);

/*
 * If @keep, what was written is on the disk and is @path, with the rights of the file that was
 * there; otherwise, and on an error, @path is as it was. 0 or an error number.
 */
int replace_end(struct replacement *r, bool keep);

#endif
