// SPDX-License-Identifier: BSD-3-Clause
/* plugin.c - parts of the library that are loaded when they are wanted. */

/*
 * A part is bsp-NAME.so. It is looked for where BSP_PLUGINS says; else as seen from the library or
 * program that this is part of, F/X being its file:
 *	F/bsp		of an installed library
 *	F		where all is built
 *	F/../lib/bsp	of an installed program; configure may rename lib/bsp
 * and then where it was to be installed. So an installation can be moved. A part stays loaded.
 *
 * The plugin mpi is built with one MPI, and as bsp-mpich.so with MPICH if that is installed
 * besides. The second one is loaded instead of the first in programs that are linked with MPICH
 * or an MPI derived from it, and in those that are linked with no MPI but were started by MPICH's
 * launcher.
 *
 * A program that is linked statically cannot load parts. dlopen() is looked for, because the
 * linker warns of it in every such program.
 *
 * A program with rights that its user has not (setuid) loads none: the libraries that they need
 * load in turn what variables of their own name.
 *
 * Libraries that a plugin needs may install signal handlers when they are loaded: libinfinipath,
 * which libfabric may need, does so for six signals, SIGTERM among them, and writes files when
 * they arrive. Signals belong to the program, so all handlers are restored.
 */

#include "limits.h"
#include "transport.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_MOST = 4096, MPI_VERSION_MOST = 8192 };

/*
 * The stack of the main thread: with less Open MPI crashes, and so does the loading of libfabric.
 * Threads that libraries make have a stack of that size, too.
 */
static const struct bspt_need stack = { RLIMIT_STACK, 256 << 10 };

#ifndef BSPT_PLUGINS
#define BSPT_PLUGINS "/usr/local/lib/bsp"
#endif

static bool file_in(char *path, const char *folder, const char *name)
{
	return snprintf(path, PATH_MOST, "%s/bsp-%s.so", folder, name) < PATH_MOST &&
	       access(path, R_OK) == 0;
}

/* The folder of the library or program that contains this code. */
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

/*
 * The file of a part. If the library is part of a program in bin/, as when linked statically, ends
 * of the configured folder (/bsp, /lib/bsp, ...) are tried beside the program's folder.
 */
static bool plugin_find(char *path, const char *name)
{
	const char *set = getenv("BSP_PLUGINS");
	char folder[PATH_MOST], inner[PATH_MOST + sizeof(BSPT_PLUGINS) + 4];

	if (set && *set)
		return snprintf(folder, PATH_MOST, "%s", set) < PATH_MOST &&
		       bspt_absolute_name(folder, PATH_MOST) && file_in(path, folder, name);
	if (!own_folder(folder))
		return file_in(path, BSPT_PLUGINS, name);
	snprintf(inner, sizeof(inner), "%s/bsp", folder);
	if (file_in(path, inner, name) || file_in(path, folder, name))
		return true;
	for (const char *end = BSPT_PLUGINS; end; end = strchr(end + 1, '/')) {
		snprintf(inner, sizeof(inner), "%s/..%s", folder, end);
		if (file_in(path, inner, name))
			return true;
	}
	return file_in(path, BSPT_PLUGINS, name);
}

/*
 * Hydra, and nothing else, says how many processes of a job are on this node, beside PMI's
 * variables.
 */
static bool mpich_is_in_use(void)
{
	int (*ask_version)(char *text, int *len), len = 0;
	void *symbol = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
	char text[MPI_VERSION_MOST] = "";

	if (!symbol)
		return getenv("PMI_SIZE") && getenv("MPI_LOCALNRANKS");
	memcpy(&ask_version, &symbol, sizeof(ask_version));
	ask_version(text, &len);
	return strncmp(text, "Open MPI", 8) != 0;
}

static void ask_signals(struct sigaction *of)
{
	for (int i = 1; i < NSIG; i++)
		sigaction(i, NULL, &of[i]);
}

typedef void *open_part(const char *path, int flags);

/* dlopen(), or NULL in a program that is linked statically. */
static open_part *opener(void)
{
	void *symbol = dlsym(RTLD_DEFAULT, "dlopen");
	open_part *open;

	memcpy(&open, &symbol, sizeof(open));
	return open;
}

/* Load a part and what it needs; signals stay as they were. */
static void *plugin_load(open_part *open, const char *path)
{
	struct sigaction before[NSIG] = { 0 }, after[NSIG] = { 0 };
	void *part;

	ask_signals(before);
	part = open(path, RTLD_NOW | RTLD_LOCAL);
	ask_signals(after);
	for (int i = 1; i < NSIG; i++)
		if (before[i].sa_handler != after[i].sa_handler)
			sigaction(i, &before[i], NULL);
	return part;
}

/*
 * A frame of its own: it is large, and what looks whether there is a stack for it must not need
 * it.
 */
static __attribute__((noinline)) void *look_up(const char *name, const char *symbol, char *why,
					       size_t len)
{
	open_part *open = opener();
	char path[PATH_MOST];
	void *part, *at = NULL;
	bool found;

	if (!open) {
		snprintf(why, len,
			 "the program is linked statically and cannot load bsp-%s.so; link it "
			 "without -static",
			 name);
		return NULL;
	}
	/* the file of the part, or of the one that stands in for it */
	found = strcmp(name, "mpi") == 0 && mpich_is_in_use() && plugin_find(path, "mpich");
	if (!found && !plugin_find(path, name)) {
		snprintf(why, len,
			 "bsp-%s.so is not installed (configure --with-%s builds it; BSP_PLUGINS "
			 "names another folder)",
			 name, name);
		return NULL;
	}
	part = plugin_load(open, path);
	if (part)
		at = dlsym(part, symbol);
	if (!at)
		snprintf(why, len, "%s", dlerror());
	return at;
}

void *bspt_plugin(const char *name, const char *symbol, char *why, size_t len)
{
	if (bspt_is_privileged()) {
		snprintf(why, len,
			 "the program has rights of another user (setuid, setgid, capabilities) "
			 "and loads no bsp-%s.so", name);
		return NULL;
	}
	return bspt_limits_suffice(&stack, 1, why, len) ? look_up(name, symbol, why, len) : NULL;
}
