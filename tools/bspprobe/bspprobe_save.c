// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_save.c - put what was measured into the file of parameters, beside what is there. */

/*
 * The new file is written beside the old one and takes its name at once, so a reader sees
 * one or the other. Two that save at the same time come one after the other: each locks the
 * folder. Entries of other machines are copied as they stand, with whatever members they have.
 */

#include "bspprobe.h"

#include "common/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where it goes wrong: that of errno. */
static int fail(char *why, size_t len, const char *what)
{
	snprintf(why, len, "%s: %s", what, strerror(errno));
	return -1;
}

/* The folder and those above it. */
static int make_folder(const char *folder)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s", folder);

	if (n >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (char *at = path + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST)
			return -1;
		*at = '/';
	}
	return mkdir(path, 0777) < 0 && errno != EEXIST ? -1 : 0;
}

/* The entries of the old text but for that of the same machine. */
static void copy_others(FILE *out, struct json *json, const struct bspi_params_key *own)
{
	struct bspi_params_entry e;

	bspi_params_file_begin(json);
	while (bspi_json_more(json, ']')) {
		const char *from = json->at;

		while (from < json->end && *from != '{')
			from++;
		bspi_params_entry_read(json, &e);
		if (json->wrong ||
		    (strcmp(e.key.host, own->host) == 0 &&
		     strcmp(e.key.transport, own->transport) == 0 &&
		     strcmp(e.key.network, own->network) == 0 && e.key.nprocs == own->nprocs &&
		     e.key.offload == own->offload))
			continue;
		fprintf(out, "  %.*s,\n", (int)(json->at - from), from);
	}
	bspi_params_file_end(json);
}

static int probe_save_write_all(FILE *out, const char *path, const struct probe_result *r,
				char *why, size_t len)
{
	size_t bytes;
	char *text = bspi_params_text(path, &bytes);
	struct json json = { .wrong = NULL };

	if (!text && errno != ENOENT)
		return fail(why, len, path);
	fprintf(out, "{ \"version\": %d, \"entries\": [\n", BSPI_PARAMS_VERSION);
	if (text) {
		bspi_json_begin(&json, text, bytes);
		copy_others(out, &json, &r->key);
	}
	fputs("  ", out);
	probe_write_entry(out, r);
	fputs("\n] }\n", out);
	if (json.wrong)
		snprintf(why, len, "%s:%d: %s; mend or remove the file", path,
			 bspi_params_line(&json), json.wrong);
	free(text);
	return json.wrong ? -1 : 0;
}

static int probe_save_replace(const char *path, const struct probe_result *r, char *why, size_t len)
{
	struct replacement file;
	int written;

	errno = replace_begin(&file, path);
	if (errno)
		return fail(why, len, path);
	written = probe_save_write_all(file.out, path, r, why, len);
	errno = replace_end(&file, written == 0);
	return errno ? fail(why, len, path) : written;
}

int probe_save(const char *path, const struct probe_result *r, char *why, size_t len)
{
	char *copy = strdup(path), *folder;
	int lock = -1, err;

	if (!copy)
		return fail(why, len, path);
	folder = dirname(copy);
	if (make_folder(folder) == 0)
		lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		err = fail(why, len, folder);
	else
		err = probe_save_replace(path, r, why, len);
	if (lock >= 0)
		close(lock);
	free(copy);
	return err;
}
