// SPDX-License-Identifier: BSD-3-Clause
/* mix_count.c - counting barriers of nodes. */

/*
 * The near one counts chunks that stay inside a node, and holds its rounds: it says when all have
 * entered, and ends the round when the first process says so. Chunks that leave the node are added
 * up in memory that its processes share, a word for each process of the job; a job of one node has
 * no such memory. A process that is alone has a round of its own and words of its own.
 *
 * Order. Additions to these words are relaxed: they come before count_enter() of the near one,
 * whose count_full() the first process calls before it reads them and sets them to 0. It does so
 * before count_release(), and others add again only when that has ended their round.
 */

#include "mix.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

int bspt_mix_count_open(struct bspt_mix *m, int node)
{
	m->outside = m->near ? m->shared->nodes[node].outside :
			       calloc((size_t)m->base.nprocs, sizeof(*m->outside));
	return m->outside || !m->shared->far ? 0 : -ENOMEM;
}

void bspt_mix_count_close(struct bspt_mix *m)
{
	if (!m->near)
		free((void *)m->outside);
}

void bspt_mix_count_add(struct bspt *t, int peer, uint32_t n)
{
	struct bspt_mix *m = bspt_mix_of(t);
	int number = m->near ? bspt_mix_number(m, peer) : -1;

	if (number >= 0)
		m->near->ops->count_add(m->near, number, n);
	else
		atomic_fetch_add_explicit(&m->outside[peer], n, memory_order_relaxed);
}

void bspt_mix_count_enter(struct bspt *t, uint32_t word)
{
	struct bspt_mix *m = bspt_mix_of(t);

	if (m->near) {
		m->near->ops->count_enter(m->near, word);
		return;
	}
	m->alone.counts = (struct bspt_counts){ .any = word, .all = word };
	m->alone.is = MIX_FULL;
}

bool bspt_mix_count_test(struct bspt *t, struct bspt_counts *result)
{
	struct bspt_mix *m = bspt_mix_of(t);

	if (m->near)
		return m->near->ops->count_test(m->near, result);
	if (m->alone.is != MIX_OVER)
		return false;
	m->alone.is = MIX_NO_ROUND;
	*result = m->alone.counts;
	return true;
}

static bool mix_is_full(struct bspt_mix *m, struct bspt_counts *node)
{
	if (m->near)
		return m->near->ops->count_full(m->near, NULL, node);
	if (m->alone.is != MIX_FULL)
		return false;
	m->alone.is = MIX_SEEN;
	*node = m->alone.counts;
	return true;
}

bool bspt_mix_count_full(struct bspt *t, uint32_t *out, struct bspt_counts *node)
{
	struct bspt_mix *m = bspt_mix_of(t);
	int q = t->me;

	if (!mix_is_full(m, node))
		return false;
	for (int d = 0; m->outside && d < t->nprocs; d++) {
		uint32_t n = atomic_load_explicit(&m->outside[q], memory_order_relaxed);

		if (n) {
			out[d] = n;
			atomic_store_explicit(&m->outside[q], 0, memory_order_relaxed);
		}
		q = q + 1 == t->nprocs ? 0 : q + 1;
	}
	return true;
}

void bspt_mix_count_release(struct bspt *t, const uint32_t *in, const struct bspt_counts *all)
{
	struct bspt_mix *m = bspt_mix_of(t);

	if (m->near) {
		m->near->ops->count_release(m->near, in, all);
		return;
	}
	m->alone.counts = (struct bspt_counts){ in[0], all->any, all->all };
	m->alone.is = MIX_OVER;
}
