/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h - where, when and by which command figures were measured: conditions for page.h. */
#ifndef PAGE_MACHINE_H
#define PAGE_MACHINE_H

#include <stddef.h>

enum { PAGE_MACHINE_TEXT = 256 };

struct page_machine {
	char host[PAGE_MACHINE_TEXT], kernel[PAGE_MACHINE_TEXT];
	char processor[PAGE_MACHINE_TEXT];	/* its name, or the architecture */
	char date[32];				/* now, UTC */
};

void page_machine(struct page_machine *machine);

/* "NAME ARGUMENT...", as much as fits. */
void page_command(char *text, size_t len, const char *name, int argc, char **argv);

#endif
