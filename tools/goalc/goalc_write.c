// SPDX-License-Identifier: BSD-3-Clause
/* goalc_write.c - where goalc writes to; what could not be written whole does not stay. */

#include "goalc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool goalc_is_standard(const char *file)
{
	return !file || strcmp(file, "-") == 0;
}

FILE *goalc_create(const char *file)
{
	FILE *out = goalc_is_standard(file) ? stdout : fopen(file, "wb");

	if (!out)
		goalc_fail("%s: %s", file, strerror(errno));
	return out;
}

/* No device. */
static void remove_file(const char *file)
{
	struct stat st;

	if (lstat(file, &st) == 0 && S_ISREG(st.st_mode))
		unlink(file);
}

int goalc_close(FILE *out, const char *file)
{
	bool wrong = fflush(out) != 0 || ferror(out);
	int why = errno;

	if (goalc_is_standard(file))
		return wrong ? goalc_fail("standard output: %s", strerror(why)) : GOALC_GOOD;
	if (fclose(out) && !wrong) {
		wrong = true;
		why = errno;
	}
	if (!wrong)
		return GOALC_GOOD;
	remove_file(file);
	return goalc_fail("%s: %s", file, strerror(why));
}

void goalc_discard(FILE *out, const char *file)
{
	if (goalc_is_standard(file))
		return;
	fclose(out);
	remove_file(file);
}
