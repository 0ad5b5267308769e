// SPDX-License-Identifier: BSD-3-Clause
/* line.c - call sites that are numbers made of a file and a line, and the names of these files. */

/*
 * A process remembers the files that it has named itself, as many as there are. In a job it also
 * writes them to the status table, where the other processes of its node and the supervisor find
 * them: as many as fit, which never change afterwards. A process of another node knows the file of
 * a site if it has named it, too, as copies of one program do.
 */

#include "job/job.h"

#include <stdlib.h>
#include <string.h>

/* A site: 2 in 3 bits, the file in 40, the line in 21. */
enum { LINE_BITS = 21, LINE_MOST = (1 << LINE_BITS) - 1 };

static const uint64_t FILE_MASK = ((uint64_t)1 << 40) - 1;

/* Added by the process alone; its other threads may look. */
struct named_file {
	struct named_file *next;
	uint64_t number;
	char name[];
};

static struct named_file *_Atomic named_files;
static struct bspj_status_table *shared_table;

/* FNV-1a. No file has 0, the number of a free row of the table. */
static uint64_t file_number(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3;
	h = (h ^ h >> 40) & FILE_MASK;
	return h ? h : 1;
}

static const char *file_name_here(uint64_t number)
{
	const struct named_file *f = atomic_load(&named_files);

	while (f && f->number != number)
		f = f->next;
	return f ? f->name : NULL;
}

/* The release pairs with the acquire in file_name_in(). */
static void file_share(const struct named_file *f)
{
	for (int i = 0; i < BSPJ_FILES; i++) {
		struct bspj_file *row = &shared_table->file[i];
		uint64_t is = 0;

		if (!atomic_compare_exchange_strong(&row->claimed, &is, f->number)) {
			if (is == f->number)
				return;
			continue;
		}
		strncpy(row->name, f->name, sizeof(row->name) - 1);
		/* Pairs with the acquire in file_name_in(): the name is whole. */
		atomic_store_explicit(&row->written, true, memory_order_release);
		return;
	}
}

/* A name that is not written yet is not known. Pairs with the release in file_share(). */
static const char *file_name_in(const struct bspj_status_table *table, uint64_t number)
{
	for (int i = 0; table && i < BSPJ_FILES; i++) {
		const struct bspj_file *row = &table->file[i];

		if (atomic_load(&row->claimed) == number)
			return atomic_load_explicit(&row->written, memory_order_acquire) ?
			       row->name : NULL;
	}
	return NULL;
}

void bspj_share_files(struct bspj_status_table *table)
{
	shared_table = table;
	for (const struct named_file *f = atomic_load(&named_files); f && table; f = f->next)
		file_share(f);
}

/* False without memory, or if another file has this number. */
static bool file_remember(uint64_t number, const char *name)
{
	const char *known = file_name_here(number);
	size_t len = strlen(name) + 1;
	struct named_file *f;

	if (known)
		return strcmp(known, name) == 0;
	f = malloc(sizeof(*f) + len);
	if (!f)
		return false;
	f->number = number;
	memcpy(f->name, name, len);
	f->next = atomic_load(&named_files);
	atomic_store(&named_files, f);
	if (shared_table)
		file_share(f);
	return true;
}

const char *bspj_site_of_line(const char *file, unsigned int line)
{
	uint64_t number = file_number(file);

	if (!file_remember(number, file))
		return NULL;
	if (line > LINE_MOST)
		line = LINE_MOST;
	return (const char *)((uintptr_t)BSPJ_SITE_IS_NUMBER << BSPJ_SITE_NUMBER_SHIFT |
			      number << LINE_BITS | line);
}

bool bspj_source_of_number(const struct bspj_status_table *table, const char *site,
			   struct bspj_source *source)
{
	uint64_t number = (uintptr_t)site >> LINE_BITS & FILE_MASK;
	const char *name = file_name_here(number);

	if (!name)
		name = file_name_in(table ? table : shared_table, number);
	*source = (struct bspj_source){ .file = name, .line = (uintptr_t)site & LINE_MOST };
	return name;
}
