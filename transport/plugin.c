// SPDX-License-Identifier: BSD-3-Clause
/* plugin.c - parts of the library that are loaded when they are wanted. */

/*
 * A part is bsp-NAME.so. It is looked for where BSP_PLUGINS says; else as seen from the library or
 * program that this is part of, F/X being its file:
 *	F/bsp		of an installed library
 *	F		where all is built
 *	F/../lib/bsp	of an installed program; for lib/bsp whatever configure was told
 * and then where it was to be installed. So an installation can be moved. A part stays loaded.
 *
 * What a part needs may install handlers of signals when it is loaded: libinfinipath, which
 * libfabric may need, does for six of them, SIGTERM among them, and writes files
 * when they come. Signals are the program's, so all is put back.
 */

#include "transport.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

#ifndef BSPT_PLUGINS
#define BSPT_PLUGINS "/usr/local/lib/bsp"
#endif

static bool file_in(char *path, const char *folder, const char *name)
{
	return snprintf(path, PATH_MOST, "%s/bsp-%s.so", folder, name) < PATH_MOST &&
	       access(path, R_OK) == 0;
}

/* The folder of whatever this code is in: the library, or a program that has it. */
static bool own_folder(char *folder)
{
	Dl_info info;
	void *extra;
	const struct link_map *map;
	char *slash;

	if (!dladdr1((void *)(uintptr_t)bspt_plugin, &info, &extra, RTLD_DL_LINKMAP))
		return false;
	map = extra;
	if (!realpath(*map->l_name ? map->l_name : "/proc/self/exe", folder))
		return false;
	slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

/* Of a program: an end of the configured folder, beside the program's. */
static bool file_across(char *path, const char *folder, const char *name)
{
	char inner[PATH_MOST + sizeof(BSPT_PLUGINS) + 4];

	for (const char *end = BSPT_PLUGINS; end; end = strchr(end + 1, '/')) {
		snprintf(inner, sizeof(inner), "%s/..%s", folder, end);
		if (file_in(path, inner, name))
			return true;
	}
	return false;
}

static bool file_beside(char *path, const char *name)
{
	char folder[PATH_MOST], inner[PATH_MOST + 8];

	if (!own_folder(folder))
		return false;
	snprintf(inner, sizeof(inner), "%s/bsp", folder);
	return file_in(path, inner, name) || file_in(path, folder, name) ||
	       file_across(path, folder, name);
}

/* The file of a part. */
static bool find(char *path, const char *name)
{
	const char *folder = getenv("BSP_PLUGINS");

	if (folder && *folder)
		return file_in(path, folder, name);
	return file_beside(path, name) || file_in(path, BSPT_PLUGINS, name);
}

static void ask_signals(struct sigaction *of)
{
	for (int i = 1; i < NSIG; i++)
		sigaction(i, NULL, &of[i]);
}

/* Load a part and what it needs; signals stay as they were. */
static void *load(const char *path)
{
	struct sigaction before[NSIG] = { 0 }, after[NSIG] = { 0 };
	void *part;

	ask_signals(before);
	part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	ask_signals(after);
	for (int i = 1; i < NSIG; i++)
		if (before[i].sa_handler != after[i].sa_handler)
			sigaction(i, &before[i], NULL);
	return part;
}

void *bspt_plugin(const char *name, const char *symbol, char *why, size_t len)
{
	char path[PATH_MOST];
	void *part, *at = NULL;

	if (!find(path, name)) {
		snprintf(why, len, "bsp-%s.so is not installed (configure --with-%s builds it; BSP_PLUGINS names another folder)",
			 name, name);
		return NULL;
	}
	part = load(path);
	if (part)
		at = dlsym(part, symbol);
	if (!at)
		snprintf(why, len, "%s", dlerror());
	return at;
}
