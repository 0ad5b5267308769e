/* SPDX-License-Identifier: BSD-3-Clause */
/* emulated.h - what an emulated network is like: for the emulator, and for tools that predict. */
#ifndef EMULATED_H
#define EMULATED_H

#include <stddef.h>
#include <stdint.h>

/*
 * A network, as the text describes it. Times are in picoseconds; transport/emu/emu.h says what they
 * mean.
 */
struct emulated {
	uint64_t L, o, g, G;
	/* of a byte through the switch, and through a link between the halves; 0: never busy */
	uint64_t fabric, bisection;
	uint64_t jitter;	/* a message takes up to so much longer */
	double cpu;		/* computing takes so many times its processor time */
	uint64_t seed;		/* of jitter and order */
	uint64_t reorder;	/* 1: chunks of different processes are polled in random order */
	uint64_t order;		/* 1: chunks are polled in the order of their virtual arrival */
};

/*
 * Read @text, a name or key=value with commas between: transport/emu/README has both. Returns 0, or
 * -EINVAL and the reason in @why (@len bytes, always terminated); @net is then left alone.
 */
int emulated_parse(const char *text, struct emulated *net, char *why, size_t len);

/*
 * @text for people: behind the name of a network its parameters are added, as in
 * "sp2 (L=24us,o=10us,g=10us,G=29.2ns,cpu=80)" and "sp2,cpu=1 (sp2: L=24us,o=10us, ...)".
 */
void emulated_describe(const char *text, char *said, size_t len);

#endif
