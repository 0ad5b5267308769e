/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h - the settings of common/env.def as the runtime and bsprun see them. */
#ifndef BSPI_SETTING_H
#define BSPI_SETTING_H

#include <stddef.h>

enum bspi_setting_type { COUNT, BYTES, SECONDS, WORD, TEXT, TIMES, RANGE };

struct bspi_setting {
	const char *section;		/* title of the part that begins with it, or NULL */
	const char *variable;
	enum bspi_setting_type type;
	unsigned long long least, most;	/* no bound if both are 0 */
	const char *words;		/* of a WORD: those it may be; of TIMES: names; between | */
	const char *standard;		/* what it is when it is not set */
	const char *help;
};

enum { BSPI_SETTINGS_MOST = 64 };

/* The i-th setting, or NULL after the last; there are fewer than BSPI_SETTINGS_MOST. */
const struct bspi_setting *bspi_setting_at(unsigned int i);

/* The one of that variable, or NULL. */
const struct bspi_setting *bspi_setting_find(const char *variable);

/*
 * Where in @value the name of a file or folder begins, which means the same wherever the program
 * goes only if it is absolute; or -1.
 */
int bspi_setting_file(const struct bspi_setting *s, const char *value);

enum {
	BSPI_SETTING_TEXT = 600,	/* room for the text of bspi_setting_values() */
	BSPI_SETTING_WORD = 64,		/* and of bspi_setting_current(); a longer one is no word */
};

/* The values of the setting in words: "a number from 1 to 4096". Always terminated. */
void bspi_setting_values(const struct bspi_setting *s, char *text, size_t len);

/*
 * The value that @value was renamed to, in @text, or @value itself if it was not.
 * bspi_setting_check() accepts both; the caller prints a notice.
 */
const char *bspi_setting_current(const struct bspi_setting *s, const char *value, char *text,
				 size_t len);

/* May it have this value? 0 or -EINVAL. */
int bspi_setting_check(const struct bspi_setting *s, const char *value);

/* A good value that is a number, in the unit of its type; -1 for "auto". */
double bspi_setting_number(const struct bspi_setting *s, const char *value);

/* The time of that name in a good list, or its default; -1 for "auto". */
double bspi_setting_time(const struct bspi_setting *s, const char *list, const char *name);

/* A variable of earlier versions that is an item of TIMES now. */
struct bspi_setting_moved {
	const char *old;
	const char *variable, *name;
	const char *unit;		/* of a number without one */
};

/* The i-th, or NULL after the last; and the one of that variable, or NULL. */
const struct bspi_setting_moved *bspi_setting_moved_at(unsigned int i);
const struct bspi_setting_moved *bspi_setting_moved_find(const char *old);

/* The item of a list that says what @value of the old variable did: "lifeline:3", in @text. */
const char *bspi_setting_moved_item(const struct bspi_setting_moved *m, const char *value,
				    char *text, size_t len);

/* The value in the environment; NULL: it is not set, or empty. */
const char *bspi_setting_nonempty(const char *variable);

/*
 * The value in the environment, or NULL. A list of times has those of old variables in front, in
 * @text; later ones count.
 */
const char *bspi_setting_given(const struct bspi_setting *s, char text[BSPI_SETTING_TEXT]);

#endif
