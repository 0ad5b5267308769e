// SPDX-License-Identifier: BSD-3-Clause
/* record.c - bsprun --record, --profile, --trace: run the program, and show what was recorded. */

/*
 * The library records (BSP_RECORD), and process 0 joins the parts of all processes at bsp_end. If
 * that did not come, the parts are still there and are joined here, with how the run ended.
 *
 * The recording has a name of its own until the program has ended, so it is that of this run,
 * whatever other runs record to the same name meanwhile.
 */

#include "record.h"

#include "common/complain.h"
#include "common/recording.h"
#include "common/replace.h"
#include "common/setting.h"
#include "tools/bspprof/prof.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char own[PATH_MAX];		/* name of the recording while the program runs */

bool record_is_wanted(const struct record_request *r)
{
	return r->record || r->profile || r->trace || r->predict;
}

bool record_may_choose(const struct record_request *r)
{
	return r->profile || (r->trace && !prof_is_archive(r->trace));
}

void check_output(const char *what, const char *file)
{
	char *copy;
	struct stat st;

	if (!file)
		return;
	if (!file[0])
		fail(EXIT_USAGE, "%s: the name of the file is empty", what);
	if (stat(file, &st) == 0 && S_ISDIR(st.st_mode))
		fail(EXIT_USAGE, "%s %s: it is a directory", what, file);
	copy = strdup(file);
	if (!copy)
		fail(1, "no memory");
	if (access(file, F_OK) ? access(dirname(copy), W_OK | X_OK) : access(file, W_OK))
		fail(EXIT_USAGE, "%s %s: %s", what, file, strerror(errno));
	free(copy);
}

/* The folder of a file, and its name there; false: it is not known. */
static bool stat_folder(const char *file, struct stat *folder, char *name, size_t len)
{
	char copy[PATH_MAX];

	if (strlen(file) >= sizeof(copy) || strlen(file) >= len)
		return false;
	strcpy(copy, file);
	strcpy(name, basename(copy));
	strcpy(copy, file);
	return stat(dirname(copy), folder) == 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Files that are there, or will be, by any names. A device or pipe takes several. */
static bool is_one_file(const char *a, const char *b)
{
	char names[2][PATH_MAX];
	struct stat of_a, of_b;
	bool there = stat(a, &of_a) == 0;

	if (strncmp(a, "/dev/", 5) == 0 ||
	    (there && (S_ISCHR(of_a.st_mode) || S_ISFIFO(of_a.st_mode))))
		return false;
	if (there != (stat(b, &of_b) == 0))
		return false;
	return there ? is_same(&of_a, &of_b) :
		       stat_folder(a, &of_a, names[0], sizeof(names[0])) &&
			       stat_folder(b, &of_b, names[1], sizeof(names[1])) &&
			       is_same(&of_a, &of_b) && strcmp(names[0], names[1]) == 0;
}

/* The later one would be written over the other. */
static void check_apart(const struct record_request *r)
{
	static const char *const option[] = { "--record", "--profile", "--trace", "--report" };
	const char *const file[] = { r->record, r->profile, r->trace,
				     bspi_setting_nonempty("BSP_REPORT") };

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < i; j++)
			if (file[i] && file[j] && is_one_file(file[i], file[j]))
				fail(EXIT_USAGE, "%s and %s write to the same file %s; name two",
				     option[j], option[i], file[i]);
}

void record_prepare(struct record_request *r)
{
	const char *beside = r->record ? r->record : r->profile ? r->profile :
			     r->trace ? r->trace : "bsprun";
	char why[PROF_WHY];

	check_apart(r);
	check_output("--record", r->record);
	check_output("--profile", r->profile);
	if (!r->trace || !prof_is_archive(r->trace))
		check_output("--trace", r->trace);
	else if (prof_archive_try(r->trace, why, sizeof(why)))
		fail(EXIT_USAGE, "--trace %s: %s", r->trace, why);
	if (r->predict && prof_networks_check(r->predict, why, sizeof(why)))
		fail(EXIT_USAGE, "--predict %s: %s", r->predict, why);
	if (r->shown && r->record)
		snprintf(own, sizeof(own), "%s", r->record);
	else if (!replace_name(own, sizeof(own), beside, ".rec"))
		fail(EXIT_USAGE, "%s: the name of the file is too long", beside);
	if (setenv("BSP_RECORD", own, 1) ||
	    (r->trace && setenv("BSP_RECORD_OPERATIONS", "1", 0)))
		fail(1, "no memory");
}

static bool make_form(const char *form, const char *recording, const char *file)
{
	char why[PROF_WHY];

	if (!file || prof_write(form, recording, file, why, sizeof(why)) == 0)
		return true;
	complain("%s", why);
	return false;
}

/* An archive has the whole run, whatever section the page is of. */
static bool make_trace(const struct record_request *r)
{
	if (r->trace && prof_is_archive(r->trace))
		prof_choice = (struct prof_choice){ NULL, NULL };
	return make_form("trace", own, r->trace);
}

static bool print_prediction(const char *recording)
{
	char why[PROF_WHY];

	if (prof_write("predict", recording, NULL, why, sizeof(why)) == 0)
		return true;
	complain("--predict: %s", why);
	return false;
}

/* The run was cut off; without a part no process has begun. */
static bool join_what_is_there(const char *recording, int status)
{
	char note[80];
	int found, err;

	if (status > 128)
		snprintf(note, sizeof(note), "it was ended by signal %d (%s)", status - 128,
			 strsignal(status - 128));
	else
		snprintf(note, sizeof(note), "it ended with status %d before bsp_end", status);
	err = recording_join(recording, 0, 0, note, &found);
	if (err)
		complain("the parts of the recording %s cannot be joined: %s", recording,
			 strerror(err));
	else if (!found)
		complain("there is no recording: the program did not come to bsp_begin, or "
			 "another machine has it, as %s", recording);
	return !err && found;
}

/*
 * The recording of each SPMD part; the name of a later one ends in its number. False: the first has
 * none.
 */
static bool name_recordings(const char *record)
{
	char from[sizeof(own) + 16], to[PATH_MAX];
	bool all = true;

	if (rename(own, record)) {
		complain("--record %s: %s; the recording is %s", record, strerror(errno), own);
		return false;
	}
	for (int part = 2; all; part++) {
		snprintf(from, sizeof(from), "%s.%d", own, part);
		snprintf(to, sizeof(to), "%s.%d", record, part);
		all = rename(from, to) == 0;
	}
	return true;
}

int record_finish(const struct record_request *r, int status)
{
	bool good = access(own, F_OK) == 0 || join_what_is_there(own, status), there = good;

	prof_choice = (struct prof_choice){ r->only, r->without };
	good = good && make_form("html", own, r->profile);
	good = good && make_trace(r);
	prof_choice = (struct prof_choice){ NULL, NULL };
	prof_networks = r->predict;
	good = good && (!r->predict || print_prediction(own));
	if (!r->record)
		unlink(own);
	else if (there)
		there = name_recordings(r->record);
	if (there)
		recording_remove_rest(own);
	good = good && there;
	return status || good ? status : 1;
}
