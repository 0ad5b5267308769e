/* SPDX-License-Identifier: BSD-3-Clause */
/* home.h - where the user keeps files of the library: settings, measured parameters. */
#ifndef BSPI_HOME_H
#define BSPI_HOME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The name of @file in the folder bsp of XDG_CONFIG_HOME or ~/.config; false if neither is there,
 * as in a program with rights that its user has not, or the name is longer than @len - 1 bytes.
 */
bool bspi_home_file(const char *file, char *path, size_t len);

#endif
