// SPDX-License-Identifier: BSD-3-Clause
/* site.c - call sites: their text, and the number that stands for one in a record. */

#include "bsplib/core/site.h"

#include "bsplib/core/state.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------------ */

/* The text of a site that is none itself, made when a message first needs it. */
struct made {
	struct made *next;
	const char *site;
	char text[];
};

static struct made *made;

/* The file of a number may be one that only another process has named. */
static bool is_known(const char *site)
{
	struct bspj_source source;

	return !bspj_site_is_number(site) || bspj_source_of_number(NULL, site, &source);
}

static struct bspj_source source_of(const char *site)
{
	unsigned int line = bspj_site_line(site);
	struct bspj_source source;

	if (bspj_site_is_number(site)) {
		bspj_source_of_number(NULL, site, &source);
		return source;
	}
	if (bspj_site_is_code(site))
		return bspj_source_of_code(bspj_site_address(site));
	if (!line)
		return *(const struct bspj_source *)bspj_site_address(site);
	return (struct bspj_source){ .file = bspj_site_address(site), .line = line };
}

/* Without memory it is at least the file. */
static const char *make_text(const char *site)
{
	struct bspj_source source = source_of(site);
	size_t len = strlen(source.file) + sizeof(":4294967295");
	struct made *m = malloc(sizeof(*m) + len);

	if (!m)
		return source.file;
	snprintf(m->text, len, source.line ? "%s:%u" : "%s", source.file, source.line);
	m->site = site;
	m->next = made;
	made = m;
	return m->text;
}

const char *bspi_site_text(const char *site)
{
	struct made *m = made;

	if (!site || !is_known(site))
		return "an unknown place";
	if (bspj_site_is_text(site))
		return site;
	while (m && m->site != site)
		m = m->next;
	return m ? m->text : make_text(site);
}

/* ---- Those of other processes ------------------------------------------------ */

struct search {
	uintptr_t from, to;
	bool found;
	bool only_program;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !s->found; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		s->found = segment->p_type == PT_LOAD && (segment->p_flags & PF_R) &&
			   s->from >= start && s->to - start <= segment->p_memsz;
	}
	return s->found || s->only_program;	/* the program comes first */
}

/*
 * Does it lie in something that is loaded? In launched processes libraries lie anywhere, and
 * only the program is the same.
 */
static bool is_loaded(const void *at, size_t len)
{
	struct search s = {
		.from = (uintptr_t)at, .to = (uintptr_t)at + len, .only_program = bspi.job.launched,
	};

	if (s.from <= s.to)
		dl_iterate_phdr(look_into, &s);
	return s.found;
}

/* A number from another process may be damaged, or be of a library that only it has loaded. */
static bool is_site(const char *site)
{
	const void *at = bspj_site_address(site);

	if (bspj_site_is_number(site))
		return is_known(site);
	if (bspj_site_is_text(site) || bspj_site_line(site))
		return is_loaded(bspj_site_is_text(site) ? site : at, 1);
	if (bspj_site_is_code(site))
		return is_loaded(at, 1);
	return (uintptr_t)at % _Alignof(struct bspj_source) == 0 &&
	       is_loaded(at, sizeof(struct bspj_source)) && is_loaded(source_of(site).file, 1);
}

const char *bspi_site_unpack(int64_t packed)
{
	uintptr_t turned = (uintptr_t)packed + bspi.site_base;
	const char *site = (const char *)(turned >> 1 | turned << 63);

	if (!bspi.site_base || packed == INT32_MIN)
		return NULL;
	if (bspj_site_is_number((const char *)((uintptr_t)packed >> 1)) && !(packed & 1))
		site = (const char *)((uintptr_t)packed >> 1);
	return is_site(site) ? site : NULL;
}
