/* SPDX-License-Identifier: BSD-3-Clause */
/* forked.h - a child that the program forks gets a copy of the areas that peers write to. */
#ifndef BSPI_FORKED_H
#define BSPI_FORKED_H

/* In the process that forks, before and after; in the child. For pthread_atfork(). */
void bspi_fork_begins(void);
void bspi_fork_ends(void);
void bspi_fork_child(void);

#endif
