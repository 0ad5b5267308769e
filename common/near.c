// SPDX-License-Identifier: BSD-3-Clause
/* near.c - variables of the environment that look like settings and are none. */

#include "near.h"

#include <string.h>

/*
 * Names that differ by so many letters, or by more than a third of them, are not mistaken for one
 * another: BSP_DIR, as files of modules may set it, does not mean BSP_FAR.
 */
enum { UNLIKE = 4, PREFIX = 4, SHARE = 3 };

/*
 * How many letters are to be changed, put in or left out. Names that are longer are not like
 * any.
 */
static int distance(const char *a, const char *b)
{
	int row[BSPI_SETTING_WORD], n = (int)strlen(b);

	if (n >= BSPI_SETTING_WORD)
		return BSPI_SETTING_WORD;
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 0; a[i]; i++) {
		int before = row[0]++;

		for (int j = 0; j < n; j++) {
			int least = before + (a[i] != b[j]);

			before = row[j + 1];
			least = least < before + 1 ? least : before + 1;
			row[j + 1] = least < row[j] + 1 ? least : row[j] + 1;
		}
	}
	return row[n];
}

const struct bspi_setting *bspi_setting_near(const char *name)
{
	const struct bspi_setting *s, *best = NULL;
	int least = UNLIKE, letters = (int)strlen(name) - PREFIX;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		int d = distance(name, s->variable);

		if (d < least && SHARE * d <= letters) {
			least = d;
			best = s;
		}
	}
	return best;
}

const char *bspi_setting_stray(const char *variable, char name[BSPI_SETTING_WORD])
{
	static const char *const no_settings[] = {
		"BSP_CC", "BSP_CXX", "BSP_FC", "BSP_INCLUDEDIR", "BSP_LIBDIR", "BSP_LAUNCH_USED",
		"BSP_BSPRUN",
	};
	size_t len = strcspn(variable, "=");

	if (strncmp(variable, "BSP_", 4) != 0 || len >= BSPI_SETTING_WORD || !variable[len])
		return NULL;
	memcpy(name, variable, len);
	name[len] = '\0';
	for (size_t i = 0; i < sizeof(no_settings) / sizeof(no_settings[0]); i++)
		if (strcmp(name, no_settings[i]) == 0)
			return NULL;
	return bspi_setting_find(name) ? NULL : variable + len + 1;
}
