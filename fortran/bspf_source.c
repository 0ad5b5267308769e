// SPDX-License-Identifier: BSD-3-Clause
/* bspf_source.c - finds lines of Fortran programs by what their compiler wrote for debuggers. */

#include "fortran/bspf.h"

#include <backtrace.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct found {
	const char *file;
	unsigned int line;
};

/* Without debugging information it is not known, which is no error of the program's. */
static void ignore_error(void *data, const char *text, int number)
{
	(void)data;
	(void)text;
	(void)number;
}

/* The innermost function comes first, if some are inlined. */
static int take_first(void *data, uintptr_t code, const char *file, int line, const char *function)
{
	struct found *found = data;

	(void)code;
	(void)function;
	found->file = file;
	found->line = line > 0 ? (unsigned int)line : 0;
	return 1;
}

/* As the compiler was given it, if that was in this folder: "ring.f90". */
static const char *shorten(const char *file)
{
	char folder[4096];
	size_t len;

	if (!getcwd(folder, sizeof(folder)))
		return file;
	len = strlen(folder);
	return strncmp(file, folder, len) == 0 && file[len] == '/' ? file + len + 1 : file;
}

static int find_source(const void *code, const char **file, unsigned int *line)
{
	static struct backtrace_state *state;
	struct found found = { NULL, 0 };

	if (!state)
		state = backtrace_create_state(NULL, 0, ignore_error, NULL);
	if (state)
		backtrace_pcinfo(state, (uintptr_t)code, take_first, ignore_error, &found);
	*file = found.file ? shorten(found.file) : NULL;
	*line = found.line;
	return found.file && found.line;
}

void bspf_find_lines(void)
{
	bsp_find_sources_by(find_source);
}
