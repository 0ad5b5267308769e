// SPDX-License-Identifier: BSD-3-Clause
/* prof_write.c - a recording in one of its forms, into a file that appears whole or not at all. */

#include "prof.h"

#include "common/replace.h"

#include <errno.h>
#include <string.h>

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

	if (prof_is_part() && (strcmp(form, "goal") == 0 || strcmp(form, "predict") == 0))
		return write_refuse(why, len, recording,
				    "a section alone is not simulated (--only, --without)");
	if (prof_load(&p, recording, reason, sizeof(reason)))
		return write_refuse(why, len, recording, reason);
	if (strcmp(form, "trace") == 0 && !p.calls) {
		prof_free(&p);
		return write_refuse(why, len, recording, "it has too many calls for a timeline");
	}
	if (strcmp(form, "goal") == 0)
		err = prof_write_goal(&p.recording, out, reason, sizeof(reason));
	else if (strcmp(form, "predict") == 0)
		err = prof_write_prediction(&p, prof_networks, out, reason, sizeof(reason));
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

int prof_write(const char *form, const char *recording, const char *file, char *why, size_t len)
{
	struct replacement r;
	int err, written;

	if (file && strcmp(form, "trace") == 0 && prof_is_archive(file))
		return prof_is_part() ?
		       write_refuse(why, len, file, "an OTF2 archive has the whole run, and its "
				    "sections as regions (--only, --without)") :
		       prof_write_archive(recording, file, why, len);
	if (!file)
		return write_whole(stdout, form, recording, "standard output", why, len);
	err = replace_begin(&r, file);
	if (err)
		return write_refuse(why, len, file, strerror(err));
	written = write_whole(r.out, form, recording, file, why, len);
	err = replace_end(&r, written == 0);
	return err ? write_refuse(why, len, file, strerror(err)) : written;
}
