// SPDX-License-Identifier: BSD-3-Clause
/* goalc_write.c - where goalc writes to; into a file that appears whole or not at all. */

#include "goalc.h"

#include "common/replace.h"

#include <errno.h>
#include <string.h>

bool goalc_is_standard(const char *file)
{
	return !file || strcmp(file, "-") == 0;
}

/* There is one at a time. */
static struct replacement output;

FILE *goalc_create(const char *file)
{
	int err;

	if (goalc_is_standard(file))
		return stdout;
	err = replace_begin(&output, file);
	if (!err)
		return output.out;
	goalc_fail("%s: %s", file, strerror(err));
	return NULL;
}

int goalc_close(FILE *out, const char *file)
{
	int err = fflush(out) ? errno : ferror(out) ? EIO : 0;

	if (goalc_is_standard(file))
		return err ? goalc_fail("standard output: %s", strerror(err)) : GOALC_GOOD;
	if (err)
		replace_end(&output, false);
	else
		err = replace_end(&output, true);
	return err ? goalc_fail("%s: %s", file, strerror(err)) : GOALC_GOOD;
}

void goalc_discard(FILE *out, const char *file)
{
	if (out != stdout && !goalc_is_standard(file))
		replace_end(&output, false);
}
