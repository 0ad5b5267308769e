// SPDX-License-Identifier: BSD-3-Clause
/* build.c - which build of a program or a library it is, as a number. */

/*
 * A build id is a hash of what the linker has written. Some linkers write none; then a file that
 * was copied is another one, which is better than lines that are wrong. A path may lead to any
 * file, so nothing in it is trusted.
 */

#include "build.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SEGMENTS_MOST = 256,
	NOTES_MOST = 1 << 16,	/* bytes */
	DIGITS_BYTES = 8,
};

/* A note is a head, a name and a description, which begins at a multiple of @align of the note. */
uint64_t build_id_of_notes(const void *notes, size_t nbytes, size_t align)
{
	const unsigned char *at = notes;
	ElfW(Nhdr) head;
	uint64_t id = 0;

	while (nbytes >= sizeof(head)) {
		uint64_t desc, len;

		memcpy(&head, at, sizeof(head));
		desc = (sizeof(head) + (uint64_t)head.n_namesz + align - 1) / align * align;
		len = (desc + head.n_descsz + align - 1) / align * align;
		if (desc + head.n_descsz > nbytes)
			return 0;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof("GNU") &&
		    memcmp(at + sizeof(head), "GNU", sizeof("GNU")) == 0 &&
		    head.n_descsz >= DIGITS_BYTES) {
			for (int i = 0; i < DIGITS_BYTES; i++)
				id = id << 8 | at[desc + (uint64_t)i];
			return id;
		}
		/* the last one may end without what fills it up */
		len = len < nbytes ? len : nbytes;
		at += len;
		nbytes -= len;
	}
	return 0;
}

static bool read_at(int fd, void *to, size_t n, uint64_t offset)
{
	return pread(fd, to, n, (off_t)offset) == (ssize_t)n;
}

static uint64_t id_in_segment(int fd, const ElfW(Phdr) *segment)
{
	void *notes;
	uint64_t id = 0;

	if (segment->p_type != PT_NOTE || segment->p_filesz > NOTES_MOST)
		return 0;
	notes = malloc(segment->p_filesz + 1);
	if (notes && read_at(fd, notes, segment->p_filesz, segment->p_offset))
		id = build_id_of_notes(notes, segment->p_filesz, segment->p_align == 8 ? 8 : 4);
	free(notes);
	return id;
}

/* The file may be an object of another machine, or none. */
static uint64_t id_in_file(int fd)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;
	uint64_t id = 0;

	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(segment))
		return 0;
	for (int i = 0; !id && i < head.e_phnum && i < SEGMENTS_MOST &&
	     read_at(fd, &segment, sizeof(segment), head.e_phoff + (uint64_t)i * sizeof(segment));
	     i++)
		id = id_in_segment(fd, &segment);
	return id;
}

static uint64_t id_of_status(const struct stat *st)
{
	const uint64_t words[] = {
		(uint64_t)st->st_size, (uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec,
	};
	uint64_t id = 1;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		id = (id ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		id ^= id >> 29;
	}
	return id ? id : 1;
}

/* Others than files may block when they are opened, or have no end. */
uint64_t build_id_of_file(const char *path)
{
	struct stat st;
	uint64_t id;
	int fd;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	id = id_in_file(fd);
	if (!id && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		id = id_of_status(&st);
	close(fd);
	return id;
}
