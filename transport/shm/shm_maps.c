// SPDX-License-Identifier: BSD-3-Clause
/* shm_maps.c - what lies at addresses of this process: /proc/self/maps, read for windows. */

/*
 * The file has a line for each mapping, and with windows there are two more mappings for each of
 * them. So it is read once for all areas that are exposed together (survey), and a window that ends
 * is found by a look-up of its addresses, which takes as long however many there are.
 */

#include "shm.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIELDS_LEAST = 6, MAPPINGS_MOST = 65530 };

static bool read_mapping(FILE *maps, char **line, size_t *size, struct shm_mapping *m)
{
	if (getline(line, size, maps) <= 0)
		return false;
	m->name[0] = '\0';
	return sscanf(*line, "%" SCNxPTR "-%" SCNxPTR " %4s %" SCNx64 " %11s %" SCNu64 " %31s",
		      &m->from, &m->to, m->mode, &m->offset, m->device, &m->inode, m->name) >=
	       FIELDS_LEAST;
}

bool bspt_shm_maps_each(void (*see)(const struct shm_mapping *m, void *arg), void *arg)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct shm_mapping m;
	char *line = NULL;
	size_t size = 0;

	if (!maps)
		return false;
	while (read_mapping(maps, &line, &size, &m))
		see(&m, arg);
	free(line);
	return fclose(maps) == 0;
}

/* ---- Of the whole process -------------------------------------------------- */

/* Anonymous, so neither a file's nor of hugetlb: with these madvise() means something else. */
static bool is_plain(const struct shm_mapping *m)
{
	return strcmp(m->mode, "rw-p") == 0 && m->inode == 0 &&
	       strncmp(m->name, "[stack", 6) != 0;
}

/* Room for one more. */
static bool survey_grow(struct shm_survey *v)
{
	size_t room = v->room ? 2 * v->room : 64;
	struct shm_range *plain;

	if (v->n < v->room)
		return true;
	plain = realloc(v->plain, room * sizeof(*plain));
	if (!plain)
		return false;
	v->plain = plain;
	v->room = room;
	return true;
}

/* Without memory for it the area is not exposed. */
static void survey_add(struct shm_survey *v, const struct shm_mapping *m)
{
	if (survey_grow(v))
		v->plain[v->n++] = (struct shm_range){ m->from, m->to };
}

static void survey_see(const struct shm_mapping *m, void *arg)
{
	struct bspt_shm *s = arg;
	uintptr_t segment = (uintptr_t)s->map.base;

	s->survey.mappings++;
	if (m->from <= segment && segment < m->to)
		s->survey.segment = *m;
	else if (is_plain(m))
		survey_add(&s->survey, m);
}

static size_t mappings_most(void)
{
	size_t most = MAPPINGS_MOST;
	char text[32];

	bspt_system_file("/proc/sys/vm/max_map_count", text, sizeof(text));
	return sscanf(text, "%zu", &most) == 1 ? most : MAPPINGS_MOST;
}

void bspt_shm_survey(struct bspt *t)
{
	struct bspt_shm *s = bspt_shm_of(t);

	s->survey.n = 0;
	s->survey.mappings = 0;
	if (!s->survey.mappings_most)
		s->survey.mappings_most = mappings_most();
	if (!bspt_shm_maps_each(survey_see, s))
		s->survey.n = 0;
}

/* The first plain mapping that ends behind @at, or v->n. */
static size_t survey_find(const struct shm_survey *v, uintptr_t at)
{
	size_t low = 0, high = v->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (v->plain[middle].to <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool bspt_shm_survey_covers(const struct shm_survey *v, struct shm_range r,
			    bool (*fits)(struct shm_range r))
{
	for (size_t i = survey_find(v, r.from); r.from < r.to; i++) {
		struct shm_range part = { r.from, 0 };

		if (i == v->n || v->plain[i].from > r.from)
			return false;
		part.to = v->plain[i].to < r.to ? v->plain[i].to : r.to;
		if (!fits(part))
			return false;
		r.from = part.to;
	}
	return true;
}

/*
 * Mappings that are left without addresses stay in the order. Without memory for one more the
 * addresses behind are taken for none.
 */
void bspt_shm_survey_cut(struct shm_survey *v, struct shm_range r)
{
	size_t first = survey_find(v, r.from), last = survey_find(v, r.to - 1);
	struct shm_range rest = { r.to, v->plain[last].to };

	for (size_t i = first; i < last; i++)
		v->plain[i].to = r.from;
	for (size_t i = first + 1; i < last; i++)
		v->plain[i].from = r.from;
	if (first < last) {
		v->plain[last].from = r.to;
		return;
	}
	v->plain[first].to = r.from;
	if (!survey_grow(v))
		return;
	memmove(v->plain + first + 2, v->plain + first + 1, (v->n - first - 1) * sizeof(rest));
	v->plain[first + 1] = rest;
	v->n++;
}

/* ---- Of one range ------------------------------------------------------------ */

/* A link of that name is there if one mapping of a file or of shared memory has these ends. */
bool bspt_shm_maps_has(struct shm_range r)
{
	struct stat link;
	char path[80];

	snprintf(path, sizeof(path), "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR, r.from, r.to);
	return lstat(path, &link) == 0;
}

/* The kernel tries: it makes the bitwise or of the word there and 0. */
bool bspt_shm_maps_may_write(uintptr_t at)
{
	return syscall(SYS_futex, at, FUTEX_WAKE_OP_PRIVATE, 0, NULL, at,
		       FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}
