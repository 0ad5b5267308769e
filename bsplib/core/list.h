/* SPDX-License-Identifier: BSD-3-Clause */
/* list.h - a part of a message that is a list. */
#ifndef BSPI_LIST_H
#define BSPI_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A text in pieces; a piece that does not fit is cut off. */
struct bspi_list {
	char text[1200];
	size_t len;
};

__attribute__((format(printf, 2, 3)))
void bspi_list_append(struct bspi_list *l, const char *format, ...);
/* "process 2", "processes 1 and 3", "processes 0, 2 to 5 and 7": those of the job that are @in. */
void bspi_list_processes(struct bspi_list *l, const bool *in);

#endif
