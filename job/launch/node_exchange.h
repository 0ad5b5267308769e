/* SPDX-License-Identifier: BSD-3-Clause */
/* node_exchange.h - exchanges of launched processes by one of each node: node_exchange.c. */
#ifndef BSPJ_NODE_EXCHANGE_H
#define BSPJ_NODE_EXCHANGE_H

#include "job/job.h"

struct bspj_node_exchange;

/*
 * By all processes of the wire, once it can share memory; @launch is theirs. 0: *@opened is NULL on
 * all of them alike if the launcher cannot do it, nodes share no memory, or each process is alone
 * on its own. -ENOMEM: this process has none for its lists, and the job cannot go on: the others
 * wait for it.
 */
int bspj_node_exchange_open(struct bspt_wire *w, const struct bspj_launch *launch,
			    struct bspj_node_exchange **opened);
/* As struct bspj_launch has exchange(), among the processes of the wire. */
int bspj_node_exchange(struct bspj_node_exchange *x, const void *mine, size_t len,
		       bspt_take_fn *take, void *arg, double timeout_s);
void bspj_node_exchange_close(struct bspj_node_exchange *x);

#endif
