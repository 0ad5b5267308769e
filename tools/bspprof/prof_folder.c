// SPDX-License-Identifier: BSD-3-Clause
/* prof_folder.c - the folder of an archive, which appears whole or not at all. */

/*
 * Written is a folder beside it, with random letters in its name, as for files (common/replace.c).
 * At the end it gets its name; a folder that has that name is replaced only if there is nothing in
 * it but an archive: traces.otf2, definitions and traces/, of which the names of files are numbers.
 * A user may have named any folder, and nothing else is ever removed.
 */

#include "prof_archive.h"

#include "common/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_TRIES = 100 };

/* Is it a file of an archive: in its folder, or, if @inside, in traces/ there? */
static bool is_of_archive(const char *name, bool inside)
{
	size_t digits = strspn(name, "0123456789");

	if (!inside)
		return strcmp(name, "traces.otf2") == 0 || strcmp(name, "traces.def") == 0 ||
		       strcmp(name, "traces") == 0;
	return digits > 0 && (strcmp(name + digits, ".evt") == 0 ||
			      strcmp(name + digits, ".def") == 0);
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/*
 * Call @each for all names in the folder @fd, which is closed, until one is not 0. A folder that
 * cannot be read is an error number.
 */
static int each_name(int fd, int (*each)(int fd, const char *name, bool inside), bool inside)
{
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0;

	if (!folder) {
		err = errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (entry = readdir(folder)))
		if (!is_dots(entry->d_name))
			err = each(fd, entry->d_name, inside);
	closedir(folder);
	return err;
}

static int folder_open(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* EEXIST: it is none of an archive, whatever its name. */
static int folder_look_at(int fd, const char *name, bool inside)
{
	bool is_inner = !inside && strcmp(name, "traces") == 0;
	struct stat st;

	if (!is_of_archive(name, inside))
		return EEXIST;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno;
	if (is_inner ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))
		return EEXIST;
	return is_inner ? each_name(folder_open(fd, name), folder_look_at, true) : 0;
}

static int remove_of_archive(int fd, const char *name, bool inside)
{
	if (!is_of_archive(name, inside))
		return 0;
	if (!inside && strcmp(name, "traces") == 0) {
		each_name(folder_open(fd, name), remove_of_archive, true);
		return unlinkat(fd, name, AT_REMOVEDIR) ? errno : 0;
	}
	return unlinkat(fd, name, 0) ? errno : 0;
}

static void remove_archive(const char *path)
{
	each_name(folder_open(AT_FDCWD, path), remove_of_archive, false);
	rmdir(path);
}

/* Without the slashes at its end. */
static bool folder_path(char *name, const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return (size_t)snprintf(name, ARCHIVE_NAME, "%.*s", (int)len, path) < ARCHIVE_NAME;
}

static int folder_refuse(char *why, size_t len, const char *reason)
{
	snprintf(why, len, "%s", reason);
	return -1;
}

static int look_at_path(const char *name, char *why, size_t len)
{
	struct stat st;
	int err;

	if (lstat(name, &st))
		return errno == ENOENT ? 0 : folder_refuse(why, len, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return folder_refuse(why, len, "an OTF2 archive is a folder, and there is a file "
				     "of this name");
	err = each_name(folder_open(AT_FDCWD, name), folder_look_at, false);
	if (err == EEXIST)
		return folder_refuse(why, len, "the folder has other files than those of an OTF2 "
				     "archive; give another name");
	/* Another run may be replacing it, and then it is gone. */
	return err && err != ENOENT ? folder_refuse(why, len, strerror(err)) : 0;
}

/* A folder beside it. */
static int make_beside(struct archive_folder *f, char *why, size_t len)
{
	for (int i = 0; i < FOLDER_TRIES; i++) {
		if (!replace_name(f->temporary, sizeof(f->temporary), f->path, ""))
			return folder_refuse(why, len, strerror(ENAMETOOLONG));
		if (mkdir(f->temporary, 0777) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return folder_refuse(why, len, strerror(errno));
}

int prof_folder_begin(struct archive_folder *f, const char *path, char *why, size_t len)
{
	if (!folder_path(f->path, path))
		return folder_refuse(why, len, strerror(ENAMETOOLONG));
	if (look_at_path(f->path, why, len))
		return -1;
	return make_beside(f, why, len);
}

int prof_folder_try(const char *path, char *why, size_t len)
{
	struct archive_folder f;

	if (prof_folder_begin(&f, path, why, len))
		return -1;
	rmdir(f.temporary);
	return 0;
}

/* Another run may put its own there at the same time: the later one's stays. */
static int take_place(struct archive_folder *f, char *why, size_t len)
{
	char old[ARCHIVE_NAME];

	for (int i = 0; i < FOLDER_TRIES; i++) {
		if (rename(f->temporary, f->path) == 0)
			return 0;
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
		if (look_at_path(f->path, why, len))
			return -1;
		if (!replace_name(old, sizeof(old), f->path, ""))
			return folder_refuse(why, len, strerror(ENAMETOOLONG));
		if (rename(f->path, old))
			continue;
		/* It may have become another one meanwhile, which is put back. */
		if (look_at_path(old, why, len)) {
			rename(old, f->path);
			return -1;
		}
		remove_archive(old);
	}
	return folder_refuse(why, len, strerror(errno));
}

int prof_folder_end(struct archive_folder *f, bool keep, char *why, size_t len)
{
	int err = keep ? take_place(f, why, len) : 0;

	if (!keep || err)
		remove_archive(f->temporary);
	return err;
}
