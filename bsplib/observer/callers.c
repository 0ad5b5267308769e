// SPDX-License-Identifier: BSD-3-Clause
/* callers.c - the callers of functions that contain calls, for recordings. */

/*
 * A function that wraps a call has one call site, however many lines call the function. The first
 * frame outside of the library is that of the function with the call, the next one that of its
 * caller. A text has the instructions of both, since a compiler may have put the function into its
 * caller: debugging information says so, which bspprof reads after the run. Addresses are relative
 * to their object, so they are the same in all processes.
 *
 * A library that is in the program itself has no such border, and then there are no callers. In a
 * language without instructions, whose sites are numbers, the frames are those of its interpreter,
 * so the binding is asked.
 */

#include "bsplib/observer/callers.h"

#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/observer/unwinder.h"

#include "common/build.h"
#include "common/recording.h"

#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLERS_MOST = 1000 };	/* more are not known: a program that recurses by many ways */

/* Where a call is made, and where the function that makes it is called: return addresses. */
struct callers_pair {
	uintptr_t own, outer;
	char *text;		/* NULL: nothing is known of them */
};

/* Something that is loaded. */
struct callers_object {
	uintptr_t at;		/* an address in it */
	uintptr_t base, from, to;
	bool is_program;
	uint64_t build;		/* its build id, or 0: it has none in memory */
	char path[RECORDING_NAME];	/* "": not known */
};

static struct {
	struct bspi_unwinder unwinder;
	uintptr_t from, to;	/* the library; empty: there are no callers */
	struct callers_pair *pairs;
	size_t npairs, room;
	size_t last;		/* the pair that was asked for last */
	uint32_t *of_sites;	/* callers by the number of a site, as said last */
	size_t nsites, sites_room;
} callers;

static bspi_caller_finder *caller_finder;

void bspi_find_callers_by(bspi_caller_finder *finder)
{
	caller_finder = finder;
}

/* ---- Objects ------------------------------------------------------------------------------ */

static void take_path(struct callers_object *o, const char *name)
{
	ssize_t n;

	if (name[0]) {
		char *path = realpath(name, NULL);

		snprintf(o->path, sizeof(o->path), "%s", path ? path : "");
		free(path);
		return;
	}
	n = readlink("/proc/self/exe", o->path, sizeof(o->path) - 1);
	o->path[n > 0 ? n : 0] = '\0';
}

/* The notes of the file may be those of another build by now. */
static uint64_t build_in_memory(const struct callers_object *o, const struct dl_phdr_info *info)
{
	uint64_t build = 0;

	for (int i = 0; !build && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_NOTE && at >= o->from && at < o->to &&
		    h->p_memsz <= o->to - at)
			build = build_id_of_notes((const void *)at, h->p_memsz,
						  h->p_align == 8 ? 8 : 4);
	}
	return build;
}

static int callers_look_into(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct callers_object *o = arg;
	bool found = false;

	(void)size;
	o->from = UINTPTR_MAX;
	o->to = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = start + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		found |= o->at >= start && o->at < end;
		o->from = start < o->from ? start : o->from;
		o->to = end > o->to ? end : o->to;
	}
	if (found) {
		o->base = info->dlpi_addr;
		o->is_program = !info->dlpi_name[0];
		o->build = build_in_memory(o, info);
		take_path(o, info->dlpi_name);
	}
	return found;
}

/*
 * "OBJECT+0xOUTER 0xOWN build=BUILD". In different objects that of the outer one, without the
 * second address; but of a function of the program, as main(), its own with 0 as the outer address.
 * A return address is behind the call, perhaps in another line.
 */
static char *make_caller_text(const struct callers_pair *pair)
{
	struct callers_object own = { .at = pair->own - 1 }, outer = { .at = pair->outer - 1 };
	char text[RECORDING_SITE_MOST + 1], second[32] = "";
	uintptr_t first;
	int len;

	if (!dl_iterate_phdr(callers_look_into, &own) ||
	    !dl_iterate_phdr(callers_look_into, &outer) || !own.path[0] || !outer.path[0])
		return NULL;
	first = pair->outer - 1 - outer.base;
	if (own.is_program && own.from != outer.from) {
		outer = own;
		first = 0;
	}
	if (own.from == outer.from)
		snprintf(second, sizeof(second), " 0x%" PRIxPTR, pair->own - 1 - own.base);
	len = snprintf(text, sizeof(text), "%s+0x%" PRIxPTR "%s build=%016" PRIx64, outer.path,
		       first, second, outer.build ? outer.build : build_id_of_file(outer.path));
	return len > 0 && (size_t)len < sizeof(text) ? strdup(text) : NULL;
}

/* ---- Frames ------------------------------------------------------------------------------- */

/* The way out of the library. */
struct callers_way {
	uintptr_t site;		/* of the call, if it is an instruction; 0: any outside */
	uintptr_t own, outer;	/* 0: not there yet */
};

static _Unwind_Reason_Code callers_see(struct _Unwind_Context *c, void *arg)
{
	struct callers_way *way = arg;
	uintptr_t at = callers.unwinder.instruction(c);

	if (way->own) {
		way->outer = at;
		return _URC_NORMAL_STOP;
	}
	/* The site of a return address is that or the byte before. */
	if (way->site ? at - way->site <= 2 : at < callers.from || at >= callers.to)
		way->own = at;
	return _URC_NO_REASON;
}

static struct callers_pair *find_pair(const struct callers_way *way)
{
	struct callers_pair *pairs = callers.pairs;

	for (size_t n = 0; n < callers.npairs; n++) {
		size_t i = (callers.last + n) % callers.npairs;

		if (pairs[i].own == way->own && pairs[i].outer == way->outer) {
			callers.last = i;
			return &pairs[i];
		}
	}
	if (callers.npairs == CALLERS_MOST)
		return NULL;
	callers.pairs = bspi_grow(callers.pairs, callers.npairs, sizeof(*callers.pairs),
				  &callers.room);
	callers.last = callers.npairs;
	pairs = &callers.pairs[callers.npairs++];
	*pairs = (struct callers_pair){ .own = way->own, .outer = way->outer };
	pairs->text = make_caller_text(pairs);
	return pairs;
}

const char *bspi_caller_of(const char *site)
{
	struct callers_way way = { .own = 0 };
	const struct callers_pair *pair;
	const char *found = NULL;

	if (site && bspj_site_is_number(site)) {
		if (caller_finder)
			caller_finder(site, &found);
		return found;
	}
	if (callers.from == callers.to)
		return NULL;
	if (site && bspj_site_is_code(site))
		way.site = (uintptr_t)bspj_site_address(site);
	callers.unwinder.each(callers_see, &way);
	if (!way.outer)
		return NULL;
	pair = find_pair(&way);
	return pair ? pair->text : NULL;
}

bool bspi_caller_changes(uint32_t site, uint32_t caller)
{
	bool changes;

	while (callers.nsites <= site) {
		callers.of_sites = bspi_grow(callers.of_sites, callers.nsites,
					     sizeof(*callers.of_sites), &callers.sites_room);
		callers.of_sites[callers.nsites++] = 0;
	}
	changes = callers.of_sites[site] != caller;
	callers.of_sites[site] = caller;
	return changes;
}

/* ---- Opening ------------------------------------------------------------------------------ */

void bspi_callers_open(void)
{
	struct callers_object library = { .at = (uintptr_t)&callers };

	memset(&callers, 0, sizeof(callers));
	if (!bspi_unwinder_open(&callers.unwinder) ||
	    !dl_iterate_phdr(callers_look_into, &library) || library.is_program)
		return;
	callers.from = library.from;
	callers.to = library.to;
}

void bspi_callers_close(void)
{
	for (size_t i = 0; i < callers.npairs; i++)
		free(callers.pairs[i].text);
	free(callers.pairs);
	free(callers.of_sites);
	bspi_unwinder_close(&callers.unwinder);
	memset(&callers, 0, sizeof(callers));
}
