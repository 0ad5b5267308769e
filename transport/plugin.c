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
 * The plugin mpi exists once for each MPI it was built with: bsp-mpi-openmpi.so, bsp-mpi-mpich.so.
 * A program that is linked with MPICH, or an MPI derived from it, gets the plugin for MPICH. Others
 * get the one for Open MPI, and if it is not installed the one for MPICH, which may have been built
 * with PMIx; the plugin finds out whether it fits (mpi_hold.c). Processes that were started by PMI
 * (mpiexec of MPICH, srun --mpi=pmi2), and have no MPI of their own, get the one for MPICH or none:
 * Open MPI does not speak PMI, and would end the program in words of its own. Names of earlier
 * versions are looked for as well.
 *
 * A program that is linked statically cannot load parts. dlopen() is looked for, because the
 * linker warns of it in every such program.
 *
 * A program with rights that its user has not (setuid) loads none: the libraries that they need
 * load in turn what variables of their own name.
 *
 * A part of another version is refused (built.h): it would take structures for what they are not.
 *
 * Libraries that a plugin needs may install signal handlers when they are loaded: libinfinipath,
 * which libfabric may need, does so for six signals, SIGTERM among them, and writes files when
 * they arrive. Signals belong to the program, so all handlers are restored.
 */

#include "built.h"
#include "launch_env.h"
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

struct own_file {
	bool is_library;	/* the program is the first of all objects */
	const char *name;
};

static int is_own_file(struct dl_phdr_info *object, size_t size, void *arg)
{
	struct own_file *own = arg;
	uintptr_t at = (uintptr_t)bspt_plugin - object->dlpi_addr;

	(void)size;
	own->name = own->is_library ? object->dlpi_name : "/proc/self/exe";
	own->is_library = true;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && at - part->p_vaddr < part->p_memsz)
			return 1;
	}
	return 0;
}

/* The folder of the library or program that contains this code. */
static bool own_folder(char *folder)
{
	struct own_file own = { 0 };
	char *slash;

	if (!dl_iterate_phdr(is_own_file, &own) || !realpath(own.name, folder))
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

static bool program_has_mpich(bool *has_mpi)
{
	int (*ask_version)(char *text, int *len), len = 0;
	void *symbol = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
	char text[MPI_VERSION_MOST] = "";

	*has_mpi = symbol;
	if (!symbol)
		return false;
	memcpy(&ask_version, &symbol, sizeof(ask_version));
	ask_version(text, &len);
	return strncmp(text, "Open MPI", 8) != 0;
}

enum { MPI_NAMES = 4 };

/* The file of the part of mpi that fits; if there is none, @name is the one that is missing. */
static bool mpi_find(char *path, const char **name)
{
	/* mpi and mpich are the names of earlier versions */
	static const char *const for_pmix[MPI_NAMES] = {
		"mpi-openmpi", "mpi", "mpi-mpich", "mpich",
	};
	static const char *const for_mpich[MPI_NAMES] = {
		"mpi-mpich", "mpich", "mpi-openmpi", "mpi",
	};
	static const char *const for_pmi[MPI_NAMES] = { "mpi-mpich", "mpich", "mpi" };
	bool has_mpi, has_mpich = program_has_mpich(&has_mpi);
	bool pmi = !has_mpi && bspt_sign_find().pmi && !bspt_sign_is_pmix();
	const char *const *names = has_mpich ? for_mpich : pmi ? for_pmi : for_pmix;

	*name = names[0];
	for (int i = 0; i < MPI_NAMES && names[i]; i++)
		if (plugin_find(path, names[i]))
			return true;
	return false;
}

bool bspt_plugin_is_installed(const char *name)
{
	char path[PATH_MOST];

	return plugin_find(path, name);
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

static bool plugin_fits(void *part, const char *name, char *why, size_t len)
{
	const struct bspt_built *its = dlsym(part, "bspt_built");
	const char *version = its ? its->version : "an earlier one";

	if (its && memcmp(its, &bspt_built, sizeof(*its)) == 0)
		return true;
	snprintf(why, len,
		 "bsp-%s.so is of another %s of bsp (%.23s) than the library (%s); install both of "
		 "one build (BSP_PLUGINS names another folder)",
		 name, strcmp(version, bspt_built.version) == 0 ? "build" : "version", version,
		 bspt_built.version);
	return false;
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

	if (!open) {
		snprintf(why, len,
			 "the program is linked statically and cannot load bsp-%s.so; link it "
			 "without -static",
			 name);
		return NULL;
	}
	if (!(strcmp(name, "mpi") == 0 ? mpi_find(path, &name) : plugin_find(path, name))) {
		snprintf(why, len,
			 "bsp-%s.so is not installed (configure --with-%s builds it; BSP_PLUGINS "
			 "names another folder)",
			 name, strcmp(name, "mpi-openmpi") == 0 ? "mpi" :
			       strcmp(name, "mpi-mpich") == 0 ? "mpich" : name);
		return NULL;
	}
	part = plugin_load(open, path);
	if (part && !plugin_fits(part, name, why, len))
		return NULL;
	if (part)
		at = dlsym(part, symbol);
	if (!at)
		snprintf(why, len, "%s", dlerror());
	return at;
}

bool bspt_plugin_has_stack(char *why, size_t len)
{
	return bspt_limits_suffice(&stack, 1, why, len);
}

void *bspt_plugin(const char *name, const char *symbol, char *why, size_t len)
{
	if (bspt_is_privileged()) {
		snprintf(why, len,
			 "the program has rights of another user (setuid, setgid, capabilities) "
			 "and loads no bsp-%s.so", name);
		return NULL;
	}
	return bspt_plugin_has_stack(why, len) ? look_up(name, symbol, why, len) : NULL;
}
