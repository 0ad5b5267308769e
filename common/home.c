// SPDX-License-Identifier: BSD-3-Clause
/* home.c - where the user keeps files of the library: settings, measured parameters. */

#include "home.h"

#include <stdio.h>
#include <stdlib.h>

bool bspi_home_file(const char *file, char *path, size_t len)
{
	const char *config = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
	int n;

	if (config && config[0] == '/')
		n = snprintf(path, len, "%s/bsp/%s", config, file);
	else if (home && home[0] == '/')
		n = snprintf(path, len, "%s/.config/bsp/%s", home, file);
	else
		return false;
	return n > 0 && (size_t)n < len;
}
