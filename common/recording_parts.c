// SPDX-License-Identifier: BSD-3-Clause
/* recording_parts.c - the files of a run that is recorded, and how they become one. */

/*
 * Others may write to the folder. A part is created under a name that was not there, and read only
 * if it is a file and no link; head.used says how far the part of a process that died is complete.
 */

#include "recording.h"

#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 16 };		/* of the number of a run */

uint64_t recording_new_job(void)
{
	struct timespec now;
	uint64_t job;

	if (getrandom(&job, sizeof(job), GRND_NONBLOCK) != sizeof(job)) {
		clock_gettime(CLOCK_REALTIME, &now);
		job = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec << 2 ^
		      (uint64_t)getpid() << 40;
	}
	return job ? job : 1;
}

/* ---- Names ----------------------------------------------------------------------- */

bool recording_part_name(char *name, size_t room, const char *record, uint64_t job, int pid)
{
	int len = snprintf(name, room, "%s.%016" PRIx64 ".part%d", record, job, pid);

	return len > 0 && (size_t)len < room;
}

static bool end_name(char *name, size_t room, const char *record, uint64_t job)
{
	int len = snprintf(name, room, "%s.%016" PRIx64 ".end", record, job);

	return len > 0 && (size_t)len < room;
}

/* Is @name that of a part, or if @is_end of a note, of the recording whose name is @base? */
static bool is_of(const char *name, const char *base, bool is_end, uint64_t *job)
{
	size_t len = strlen(base);
	const char *digits = name + len + 1, *kind = digits + DIGITS;

	if (strncmp(name, base, len) != 0 || name[len] != '.' ||
	    strspn(digits, "0123456789abcdef") != DIGITS)
		return false;
	if (is_end ? strcmp(kind, ".end") != 0 : strncmp(kind, ".part", 5) != 0)
		return false;
	*job = strtoull(digits, NULL, 16);
	return true;
}

static DIR *open_folder(const char *record)
{
	const char *slash = strrchr(record, '/');
	char *folder = slash ? strndup(record, (size_t)(slash - record) + 1) : strdup(".");
	DIR *dir = folder ? opendir(folder) : NULL;

	free(folder);
	return dir;
}

/* Parts of run @job, or of any if @job is 0: is there one? *@newest is the run of the last one. */
static bool find_parts(const char *record, uint64_t job, uint64_t *newest)
{
	const char *slash = strrchr(record, '/'), *base = slash ? slash + 1 : record;
	DIR *dir = open_folder(record);
	struct timespec last = { 0, 0 };
	const struct dirent *e;
	bool found = false;
	uint64_t its;
	struct stat st;

	while (dir && (e = readdir(dir))) {
		if (!is_of(e->d_name, base, false, &its) || (job && its != job) ||
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (!found || st.st_mtim.tv_sec > last.tv_sec ||
		    (st.st_mtim.tv_sec == last.tv_sec && st.st_mtim.tv_nsec > last.tv_nsec)) {
			last = st.st_mtim;
			*newest = its;
		}
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* The run of a note that has no parts: of a process that knew another number. */
static bool find_lone_end(const char *record, uint64_t *job)
{
	const char *slash = strrchr(record, '/'), *base = slash ? slash + 1 : record;
	DIR *dir = open_folder(record);
	const struct dirent *e;
	bool found = false;
	uint64_t any;

	while (dir && !found && (e = readdir(dir)))
		found = is_of(e->d_name, base, true, job) && !find_parts(record, *job, &any);
	if (dir)
		closedir(dir);
	return found;
}

/* ---- How it ended ----------------------------------------------------------------- */

static int write_all(int to, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t n = write(to, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

void recording_note_end(const char *record, uint64_t job, const char *text)
{
	char name[RECORDING_PART_NAME];
	uint64_t any;
	int to;

	if (!find_parts(record, job, &any) ||
	    !end_name(name, sizeof(name), record, job ? job : recording_new_job()))
		return;
	to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (to < 0)
		return;
	write_all(to, text, strlen(text));
	close(to);
}

/* A file of ours, or -1: a link is none, and a pipe is not waited for. */
static int open_own(const char *name)
{
	return open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

/* Take the note of the end, which is removed; or @otherwise. */
static const char *take_end(const char *record, uint64_t job, const char *otherwise, char *text,
			    size_t room)
{
	char name[RECORDING_PART_NAME];
	ssize_t n;
	int from;

	if (!end_name(name, sizeof(name), record, job))
		return otherwise;
	from = open_own(name);
	if (from < 0 && find_lone_end(record, &job) && end_name(name, sizeof(name), record, job))
		from = open_own(name);
	if (from < 0)
		return otherwise;
	n = read(from, text, room - 1);
	close(from);
	unlink(name);
	if (n <= 0)
		return otherwise;
	text[n] = '\0';
	return text;
}

/* ---- Joining --------------------------------------------------------------------- */

/* Only what is complete; the file itself is larger. */
static int copy_part(int from, int to, const struct recording_head *head)
{
	char buffer[1 << 16];
	uint64_t left = head->used;
	int err = write_all(to, head, sizeof(*head));

	while (!err && left > 0) {
		ssize_t n = read(from, buffer, left < sizeof(buffer) ? left : sizeof(buffer));

		if (n <= 0)
			return n < 0 ? errno : EIO;
		err = write_all(to, buffer, (size_t)n);
		left -= (size_t)n;
	}
	return err;
}

/* ENOENT if there is none. */
static int join_part(const char *record, uint64_t job, int pid, int to, int *nprocs)
{
	char name[RECORDING_PART_NAME];
	struct recording_head head;
	int from, err;

	if (!recording_part_name(name, sizeof(name), record, job, pid))
		return ENAMETOOLONG;
	from = open_own(name);
	if (from < 0)
		return errno == ELOOP ? ENOENT : errno;
	if (read(from, &head, sizeof(head)) != sizeof(head) || !recording_is_head(&head) ||
	    head.job != job) {
		close(from);
		return ENOENT;
	}
	if (*nprocs == 0 && head.nprocs <= RECORDING_PROCESSES_MOST)
		*nprocs = (int)head.nprocs;
	err = copy_part(from, to, &head);
	close(from);
	return err;
}

static int write_note(int to, const char *note, uint64_t job, int nprocs)
{
	struct recording_head head = {
		.magic = RECORDING_MAGIC, .order = RECORDING_ORDER, .head_bytes = sizeof(head),
		.job = job, .me = RECORDING_NOTE, .nprocs = (uint32_t)nprocs,
		.used = strlen(note),
	};
	int err = write_all(to, &head, sizeof(head));

	return err ? err : write_all(to, note, head.used);
}

/* Without a number of processes the first part says it; so many may be missing before that. */
enum { MISSING_MOST = 256 };

static int join_all(const char *record, int to, int *nprocs, uint64_t job, const char *note,
		    int *found)
{
	for (int pid = 0; pid < (*nprocs ? *nprocs : MISSING_MOST); pid++) {
		int err = join_part(record, job, pid, to, nprocs);

		if (err && err != ENOENT)
			return err;
		*found += !err;
	}
	return note && *found ? write_note(to, note, job, *nprocs) : 0;
}

int recording_join(const char *record, int nprocs, uint64_t job, const char *note, int *found)
{
	char name[RECORDING_PART_NAME], text[512];
	struct replacement r;
	int err, closed;

	*found = 0;
	if (!job && !find_parts(record, 0, &job))
		return 0;
	err = replace_begin(&r, record);
	if (err)
		return err;
	r.unsynced = true;	/* recordings are large, and the run is there to be repeated */
	note = take_end(record, job, note, text, sizeof(text));
	err = join_all(record, fileno(r.out), &nprocs, job, note, found);
	closed = replace_end(&r, !err && *found);
	err = err ? err : closed;
	if (err || !*found)
		return err;
	for (int pid = 0; pid < nprocs; pid++)
		if (recording_part_name(name, sizeof(name), record, job, pid))
			unlink(name);
	return 0;
}

void recording_remove_rest(const char *record)
{
	const char *slash = strrchr(record, '/'), *base = slash ? slash + 1 : record;
	DIR *dir = open_folder(record);
	const struct dirent *e;
	size_t len = strlen(base);

	while (dir && (e = readdir(dir)))
		if (strncmp(e->d_name, base, len) == 0 && e->d_name[len] == '.')
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}
