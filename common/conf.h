/* SPDX-License-Identifier: BSD-3-Clause */
/* conf.h - settings that stand in files, of the user and of the site. */
#ifndef BSPI_CONF_H
#define BSPI_CONF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A file has lines NAME=VALUE, where NAME is that of a setting, empty lines, and lines that begin
 * with #. An option or the environment counts first, then the file of the user, then that of the
 * site, then the default. BSP_WAIT is a list of times, and each time counts for itself.
 */
enum bspi_conf_of { BSPI_CONF_USER, BSPI_CONF_SITE, BSPI_CONF_FILES };

enum { BSPI_CONF_WHY = 1000 };	/* room for the reason against a file */

/*
 * The name of the file: bsp.conf of the user (home.h), or bsp/bsp.conf in the folder that
 * configure was given as --sysconfdir; false if there is none, or it is longer than @len - 1 bytes.
 */
bool bspi_conf_path(enum bspi_conf_of of, char *path, size_t len);

/*
 * Put into the environment what the files set and it has not: once in a process, later calls
 * return what the first one did, and not in one that bsprun started (BSP_BSPRUN), which did it. A
 * program with rights that its user has not (@privileged) reads the file of the site alone.
 * 0; -EINVAL: a file cannot be read or has a line that is no setting, @why names it and what is
 * wrong, and nothing has been set that stands behind that line.
 * Context: before the process has a second thread, as it changes the environment.
 */
int bspi_conf_load(bool privileged, char why[BSPI_CONF_WHY]);

/*
 * Where the value of @variable comes from since bspi_conf_load(), in @text: "FILE:LINE",
 * "environment" or "default".
 */
void bspi_conf_origin(const char *variable, char *text, size_t len);

#endif
