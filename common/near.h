/* SPDX-License-Identifier: BSD-3-Clause */
/* near.h - variables of the environment that look like settings and are none. */
#ifndef BSPI_NEAR_H
#define BSPI_NEAR_H

#include "setting.h"

/* The setting that may have been meant by this name, or NULL. */
const struct bspi_setting *bspi_setting_near(const char *name);

/*
 * The value of @variable, an item of environ, if its name begins with BSP_ and is none of a setting
 * or of a variable that bspcc, bsprun or a launched process reads; its name is in @name. Or NULL.
 */
const char *bspi_setting_stray(const char *variable, char name[BSPI_SETTING_WORD]);

#endif
