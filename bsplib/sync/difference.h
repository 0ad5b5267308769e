/* SPDX-License-Identifier: BSD-3-Clause */
/* difference.h - end the job when processes did not do the same. */
#ifndef BSPI_DIFFERENCE_H
#define BSPI_DIFFERENCE_H

/* The sums differ. Process 0 ends the job and says in which call; the others wait for that. */
_Noreturn __attribute__((cold)) void bspi_explain_difference(void);

#endif
