/* SPDX-License-Identifier: BSD-3-Clause */
/* gauge_socket.h - sockets of modules: whether they exist, and their addresses. */
#ifndef BSP_GAUGE_SOCKET_H
#define BSP_GAUGE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct sockaddr_in;
struct gauge_job;
struct gauge_option;

/* The options of a module over an interface: each has its own, as its value is in them. */
#define GAUGE_SOCKET_OPTIONS { \
	{ .key = "interface", .values = "NAME", .is_good = gauge_socket_has, \
	  .what = "the network interface, instead of --interface" }, \
	{ .key = NULL }, \
}

/*
 * Can a socket of this family, type and protocol be made? 0, or -1 and @otherwise and the error in
 * @why.
 */
int gauge_socket_probe(int family, int type, int protocol, const char *otherwise, char *why,
		       size_t len);
/* Is there such an interface? */
bool gauge_socket_has(const char *interface);
/* The interface of the module's option, or of --interface. */
const char *gauge_socket_interface(const struct gauge_option *o);
/* The Ethernet address of @interface; false, and @address as it was, if it has none. */
bool gauge_socket_ethernet(const char *interface, unsigned char *address);
/*
 * The address at which the others reach this process: that of loopback if all are on this host,
 * else one that BSP_INTERFACE allows and no other host of the job has, first that of the default
 * route. Called by all; false if there is none.
 */
bool gauge_socket_internet(struct gauge_job *job, struct sockaddr_in *in, bool all_here);
/* Write into @why for what reason no other process reaches @process. */
void gauge_socket_explain(int process, char *why, size_t len);
/*
 * Bind @fd to @at, of IP at a port of BSP_PORTS; then @at has the port. False, and errno, if it
 * cannot be.
 */
bool gauge_socket_bind(const struct gauge_job *job, int fd, struct sockaddr *at, socklen_t len);

#endif
