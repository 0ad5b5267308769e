/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.h - the ports of TCP and UDP at which a job may wait for others: BSP_PORTS. */
#ifndef BSPT_PORTS_H
#define BSPT_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct bspt_ports {
	uint16_t low, high;	/* both 0: any */
};

enum { BSPT_PORTS_WHY = 160 };

/* The ports of "LOW-HIGH"; NULL, "" and other texts allow any. */
struct bspt_ports bspt_ports_read(const char *text);
/* How many there are; 0: any. */
int bspt_ports_count(struct bspt_ports ports);
/*
 * The @i-th of them, 0 <= i < count, in an order that begins elsewhere for each process @me: those
 * of a host seldom try the same one at the same time.
 */
uint16_t bspt_ports_at(struct bspt_ports ports, int me, int i);

/*
 * A socket of @type at the address @at, whose port is the first of @ports, in the order of process
 * @me, that is free; a stream socket listens. Its descriptor, or -1 with errno, which is
 * EADDRINUSE if none of them is free.
 */
int bspt_ports_open(struct bspt_ports ports, int me, int type, const struct sockaddr *at,
		    socklen_t len);
/* Is port @port of @ports free at the address @at? 0, or a negative errno. */
int bspt_ports_try(uint16_t port, int type, const struct sockaddr *at, socklen_t len);

/*
 * Has no socket of either family @port, nor a connection that was closed a minute ago or less? It
 * is for programs that set no SO_REUSEADDR.
 */
bool bspt_ports_is_unused(uint16_t port);

/* Write into @why that all of @ports are in use, and what to do. */
void bspt_ports_explain(struct bspt_ports ports, char why[BSPT_PORTS_WHY]);

#endif
