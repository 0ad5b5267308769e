/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - a page of a tool: one file that needs nothing else, for light, dark, paper, keyboard. */

/*
 * A page is a title, then cards; a card has a heading, then paragraphs, terms, and what the other
 * headers here have: tables (table.h), bars (bars.h), plots (plot.h), heat maps (heat.h),
 * timelines (timeline.h). All else is written with markup.h; nothing is written without it, so
 * every text is escaped, and the page is well-formed as HTML and as XML. Nothing comes from another
 * file.
 *
 * A card is never wider than the window: wide contents scroll in a frame inside of it, which
 * the keyboard reaches. Folded columns and the curves of a legend go by check boxes and the style
 * sheet; only a timeline has a script, by which it is zoomed.
 */
#ifndef PAGE_H
#define PAGE_H

#include "markup.h"

/*
 * From the beginning to the heading. @mark is a comment on the second line, by which a program
 * knows its pages; or NULL.
 */
void page_begin(struct markup *m, FILE *out, const char *title, const char *mark);

/* The same up to the beginning of the body; @style is behind the style sheet, unless it is NULL. */
void page_head(struct markup *m, FILE *out, const char *title, const char *mark,
	       const char *style);

/* The end of what is shown; the caller may still write comments, on lines of their own. */
void page_end_shown(struct markup *m);

/* The end of the page: "</body>\n</html>\n". */
void page_end(struct markup *m);

__attribute__((format(printf, 2, 3)))
void page_card(struct markup *m, const char *format, ...);
void page_card_end(struct markup *m);

/* Cards, or figures, beside each other where there is room, until markup_close(). */
void page_grid(struct markup *m);

/* A paragraph; PAGE_ABOUT is smaller, PAGE_WARNING is marked. */
enum page_tone { PAGE_PLAIN, PAGE_ABOUT, PAGE_WARNING };
__attribute__((format(printf, 3, 4)))
void page_say(struct markup *m, enum page_tone tone, const char *format, ...);

/* Terms and what they are: page_terms(), then each, then page_terms_end(). */
void page_terms(struct markup *m);
__attribute__((format(printf, 3, 4)))
void page_term(struct markup *m, const char *term, const char *format, ...);
void page_terms_end(struct markup *m);

/* This version, "bsp 0.1.0". */
extern const char page_version[];

/* How the figures came about; what is NULL or "" is left out. */
struct page_conditions {
	const char *file;		/* they were read from */
	const char *program;		/* with its arguments */
	const char *host, *processor, *kernel, *clock;
	const char *network;		/* or transport */
	const char *date;
	const char *version;		/* of what measured, or drew */
	const char *command;		/* that makes the page, or the figures, again */
};
void page_conditions(struct markup *m, const struct page_conditions *c);

/* The same as one line of text, for pictures that are files. */
void page_conditions_text(const struct page_conditions *c, char *text, size_t len);

#endif
