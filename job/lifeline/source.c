// SPDX-License-Identifier: BSD-3-Clause
/* source.c - lines of the program to which instructions belong. */

#include "job/job.h"

#include <dlfcn.h>
#include <stdio.h>

static bspj_source_finder *source_finder;

void bspj_find_sources_by(bspj_source_finder *finder)
{
	source_finder = finder;
}

/*
 * "ring+0x1234": what addr2line(1) needs, if nothing here knows more. The text is that of the last
 * call: callers copy it.
 */
static const char *place_in_object(const void *code)
{
	static _Thread_local char text[256];
	Dl_info object;

	if (!dladdr(code, &object) || !object.dli_fname)
		return "an unknown place";
	snprintf(text, sizeof(text), "%.200s+%#tx", object.dli_fname,
		 (const char *)code - (const char *)object.dli_fbase);
	return text;
}

struct bspj_source bspj_source_of_code(const void *code)
{
	struct bspj_source source = { .line = 0 };

	if (!source_finder || !source_finder(code, &source.file, &source.line))
		source = (struct bspj_source){ .file = place_in_object(code) };
	return source;
}
