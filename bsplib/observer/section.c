// SPDX-License-Identifier: BSD-3-Clause
/* section.c - sections of the program: which are open, and do their ends match? */

/*
 * A name is copied when it is first seen, and then stays where it is until the next bsp_begin: so
 * observers know it by its address. An open section costs no more than its place on the stack.
 */

#include "bsplib/observer/section.h"

#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/observer/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 100 };	/* bytes */

struct section {
	const char *name, *site;
};

static struct {
	struct section *open;	/* the last to begin is the last */
	size_t n, room;
	char **names;
	size_t nnames, names_room;
	struct bspi_numbers numbers;	/* of names */
} sections;

/* ---- Names -------------------------------------------------------------------------------- */

static uint64_t hash_of_text(const char *name)
{
	return bspi_numbers_hash_bytes((const unsigned char *)name, strlen(name));
}

static uint64_t hash_of_name(uint32_t number)
{
	return hash_of_text(sections.names[number]);
}

static bool name_is(uint32_t number, const void *name)
{
	return strcmp(sections.names[number], name) == 0;
}

static const char *section_name(const char *call, const char *site, const char *name)
{
	uint32_t *at;

	bspi_numbers_make_room(&sections.numbers, hash_of_name);
	at = bspi_numbers_find(&sections.numbers, hash_of_text(name), name_is, name);
	if (*at)
		return sections.names[*at - 1];
	sections.names = bspi_grow(sections.names, sections.nnames, sizeof(*sections.names),
				   &sections.names_room);
	sections.names[sections.nnames] = strdup(name);
	if (!sections.names[sections.nnames])
		bspi_fail_memory(call, site);
	*at = (uint32_t)++sections.nnames;
	sections.numbers.n++;
	return sections.names[*at - 1];
}

static void require_name(const char *call, const char *site, const char *name)
{
	size_t len = name ? strnlen(name, NAME_MOST + 1) : 0;

	if (!name)
		bspi_fail(call, site, "the name is NULL");
	if (len == 0)
		bspi_fail(call, site, "the name is empty");
	if (len > NAME_MOST)
		bspi_fail(call, site, "the name is longer than %d bytes", NAME_MOST);
}

/* ---- Calls -------------------------------------------------------------------------------- */

/* Outside of the SPMD part a section is none. */
static bool section_is_ignored(const char *call, const char *site, const char *name)
{
	if (bspi.phase < BSPI_RUNNING)
		return true;
	bspi_require_running(call, site);
	require_name(call, site, name);
	return false;
}

void bspi_section(const char *site, const char *name)
{
	if (section_is_ignored("bsp_section", site, name))
		return;
	name = section_name("bsp_section", site, name);
	sections.open = bspi_grow(sections.open, sections.n, sizeof(*sections.open),
				  &sections.room);
	sections.open[sections.n++] = (struct section){ name, site };
	BSPI_EVENT(section_begins, (site, name));
}

_Noreturn static void fail_mismatch(const char *site, const char *name)
{
	const struct section *last = &sections.open[sections.n - 1];

	if (!last->site)
		bspi_fail("bsp_section_end", site, "section \"%s\" is to end, but the last that "
			  "began is \"%s\"; sections end in the reverse order of their beginnings",
			  name, last->name);
	bspi_fail("bsp_section_end", site, "section \"%s\" is to end, but the last that began is "
		  "\"%s\", by bsp_section at %s; sections end in the reverse order of their "
		  "beginnings", name, last->name, bspi_site_text(last->site));
}

void bspi_section_end(const char *site, const char *name)
{
	if (section_is_ignored("bsp_section_end", site, name))
		return;
	if (sections.n == 0)
		bspi_fail("bsp_section_end", site, "section \"%s\" is to end, but none has begun: "
			  "call bsp_section(\"%s\") before", name, name);
	if (strcmp(sections.open[sections.n - 1].name, name) != 0)
		fail_mismatch(site, name);
	sections.n--;
	BSPI_EVENT(section_ends, (site, sections.open[sections.n].name));
}

size_t bspi_section_names(const char *const **names)
{
	*names = (const char *const *)sections.names;
	return sections.nnames;
}

void bspi_section_open(void)
{
	for (size_t i = 0; i < sections.nnames; i++)
		free(sections.names[i]);
	free(sections.names);
	free(sections.open);
	free(sections.numbers.at);
	memset(&sections, 0, sizeof(sections));
}
