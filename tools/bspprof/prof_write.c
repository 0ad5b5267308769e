// SPDX-License-Identifier: BSD-3-Clause
/* prof_write.c - a recording in one of its forms, into a file that appears whole or not at all. */

#include "prof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *prof_networks;

static int write_refuse(char *why, size_t len, const char *file, const char *reason)
{
	snprintf(why, len, "%s: %s", file, reason);
	return -1;
}

static int write_form_to(FILE *out, const char *form, const char *recording, char *why, size_t len)
{
	char reason[PROF_WHY];
	struct prof p;
	int err = 0;

	if (prof_load(&p, recording, reason, sizeof(reason)))
		return write_refuse(why, len, recording, reason);
	if (strcmp(form, "trace") == 0 && !p.calls) {
		prof_free(&p);
		return write_refuse(why, len, recording, "it has too many calls for a timeline");
	}
	if (strcmp(form, "goal") == 0)
		err = prof_write_goal(&p.recording, out, reason, sizeof(reason));
	else if (strcmp(form, "predict") == 0)
		err = prof_write_prediction(&p.recording, prof_networks, p.time, out, reason,
					    sizeof(reason));
	else if (strcmp(form, "trace") == 0)
		prof_write_trace(&p, out);
	else if (strcmp(form, "html") == 0)
		prof_write_html(&p, out);
	else
		prof_write_table(&p, out);
	prof_free(&p);
	return err ? write_refuse(why, len, recording, reason) : 0;
}

static int write_whole(FILE *out, const char *form, const char *recording, const char *file,
		       char *why, size_t len)
{
	int err = write_form_to(out, form, recording, why, len);

	if ((ferror(out) | fflush(out)) && !err)
		err = write_refuse(why, len, file, strerror(errno));
	return err;
}

/* A temporary file beside it takes its place at the end. */
static int write_beside(const char *form, const char *recording, const char *file, char *temporary,
		      char *why, size_t len)
{
	mode_t mask = umask(0);
	int fd = mkstemp(temporary), err;
	FILE *out;

	umask(mask);
	if (fd < 0)
		return write_refuse(why, len, file, strerror(errno));
	out = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
	if (!out) {
		err = write_refuse(why, len, file, strerror(errno));
		close(fd);
	} else {
		err = write_whole(out, form, recording, file, why, len);
		if (fclose(out) && !err)
			err = write_refuse(why, len, file, strerror(errno));
	}
	if (!err && rename(temporary, file))
		err = write_refuse(why, len, file, strerror(errno));
	if (err)
		unlink(temporary);
	return err;
}

/* A device or a pipe is written as it is. */
static bool is_special(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && !S_ISREG(st.st_mode);
}

static int write_special(const char *form, const char *recording, const char *file, char *why,
			 size_t len)
{
	FILE *out = fopen(file, "w");
	int err;

	if (!out)
		return write_refuse(why, len, file, strerror(errno));
	err = write_whole(out, form, recording, file, why, len);
	fclose(out);
	return err;
}

int prof_write(const char *form, const char *recording, const char *file, char *why, size_t len)
{
	char *temporary;
	int err;

	if (!file)
		return write_whole(stdout, form, recording, "standard output", why, len);
	if (is_special(file))
		return write_special(form, recording, file, why, len);
	temporary = malloc(strlen(file) + sizeof(".XXXXXX"));
	if (!temporary)
		return write_refuse(why, len, file, strerror(errno));
	strcpy(temporary, file);
	strcat(temporary, ".XXXXXX");
	err = write_beside(form, recording, file, temporary, why, len);
	free(temporary);
	return err;
}
