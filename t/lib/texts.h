/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.h - schedules as text that tests read: of LogGOPSim alone, and with all annotations. */
#ifndef TEXTS_H
#define TEXTS_H

static const char plain_text[] =
	"num_ranks 2\n"
	"rank 0 {\n"
	"w: calc 100\n"
	"s: send 64b to 1 tag 3 cpu 1 nic 2\n"
	"s requires w\n"
	"r: recv 1b from -1 tag -1\n"
	"r irequires s\n"
	"}\n"
	"rank 1 {\n"
	"a_1: recv 64b from 0 tag 3\n"
	"b: send 1b to 0\n"
	"b requires a_1\n"
	"calc 5 cpu 1\n"
	"}\n";

static const char annotated_text[] =
	"num_ranks 3\n"
	"rank 0 {\n"
	"//! buffer 0 64b read\n"
	"//! buffer 1 80b read write\n"
	"//! scratchpad 64b\n"
	"//! multicast from b0\n"
	"m: send 64b to 1 tag 5\n"
	"x: send 64b to 2 tag 5\n"
	"x requires m\n"
	"//! local add u64 to 8b at b1+8 from scratch+8\n"
	"a: calc 0\n"
	"a requires x\n"
	"//! local sub reversed f64 to 16b at b1 from 8b at scratch, 8b at b1+64\n"
	"s: calc 0\n"
	"//! empty\n"
	"e: send 1b to 2 tag 9\n"
	"e irequires s\n"
	"//! call 3 to 8b at scratch from 8b at b0, 4b at b1\n"
	"calc 0\n"
	"//! local timestamp u64 to scratch+16\n"
	"calc 0\n"
	"//! nic 3\n"
	"calc 77 cpu 2\n"
	"}\n"
	"rank 1 {\n"
	"//! buffer 0 64b write\n"
	"//! to 32b at b0+32, 32b at b0\n"
	"recv 64b from 0 tag 5\n"
	"}\n"
	"rank 2 {\n"
	"recv 64b from 0 tag 5\n"
	"//! empty\n"
	"recv 1b from 0 tag 9\n"
	"}\n";

#endif
