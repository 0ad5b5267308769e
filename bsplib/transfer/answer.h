/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h - answers to our gets. */
#ifndef BSPI_ANSWER_H
#define BSPI_ANSWER_H

void bspi_answers_open(void);
void bspi_answers_close(void);
/* In bsp_end: none is owed. */
void bspi_answers_forget(void);
/* Take in and write all that we are owed. */
void bspi_await_answers(void);

#endif
