/* SPDX-License-Identifier: BSD-3-Clause */
/* model_nodes.h - what collective operations in two levels cost. */
#ifndef BSPI_MODEL_NODES_H
#define BSPI_MODEL_NODES_H

#include "bsplib/model/model.h"

/*
 * The cost of @task, which has nodes and an algorithm, between which that sends, with its best
 * segment or arity, or with that @number unless it is 0. @p: the network between nodes; @p->inside:
 * inside a node. HUGE_VAL: it cannot be done.
 */
double bspi_model_nodes(const struct bspi_plogp *p, struct goal_task *task, uint64_t number);

/*
 * One level, where @n processes of a node share its interface: all send at once, so the gaps of a
 * process are those of n.
 */
void bspi_model_share(struct bspi_plogp *p, int n);

/* model.c: bspi_model_tune(), or with a segment or arity that is given. */
double bspi_model_tune_to(const struct bspi_plogp *p, struct goal_task *task, int nprocs,
			  uint64_t number);

#endif
