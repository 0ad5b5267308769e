// SPDX-License-Identifier: BSD-3-Clause
/* unwinder.c - the frames of functions that have not returned, by the unwinder that C++ uses. */

#include "bsplib/observer/unwinder.h"

#include <dlfcn.h>
#include <string.h>

static bool find_function(void *library, const char *name, void *function)
{
	void *at = dlsym(library, name);

	*(void **)function = at;
	return at != NULL;
}

/* A program that is linked statically has no dlopen(), which is therefore looked for. */
bool bspi_unwinder_open(struct bspi_unwinder *u)
{
	void *(*load)(const char *name, int flags);

	memset(u, 0, sizeof(*u));
	if (!find_function(RTLD_DEFAULT, "dlopen", &load))
		return false;
	u->library = load("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
	return u->library && find_function(u->library, "_Unwind_Backtrace", &u->each) &&
	       find_function(u->library, "_Unwind_GetCFA", &u->stack_pointer) &&
	       find_function(u->library, "_Unwind_GetRegionStart", &u->function) &&
	       find_function(u->library, "_Unwind_GetIP", &u->instruction);
}

void bspi_unwinder_close(struct bspi_unwinder *u)
{
	if (u->library)
		dlclose(u->library);
	u->library = NULL;
}
