/* SPDX-License-Identifier: BSD-3-Clause */
/* folds.h - operators to fold with: exact ones, ones that round, and one for which the order
 * matters. */
#ifndef FOLDS_H
#define FOLDS_H

#include "collectives.h"

struct operator {
	const char *name;
	enum goal_function function;
	enum goal_datatype datatype;
	int call;
	uint64_t element;
};

static const struct operator operators[] = {
	{ "sum of u64", GOAL_ADD, GOAL_U64, -1, 8 },
	{ "xor of u8", GOAL_XOR, GOAL_U8, -1, 1 },
	{ "largest of i16", GOAL_MAX, GOAL_I16, -1, 2 },
	{ "sum of f64", GOAL_ADD, GOAL_F64, -1, 8 },
	{ "least of f64", GOAL_MIN, GOAL_F64, -1, 8 },
	{ "product of matrices", GOAL_COPY, GOAL_NONE, 0, sizeof(struct matrix) },
};

enum { OPERATORS = sizeof operators / sizeof operators[0] };

/* Numbers of elements: none, fewer than processes, more, and more than a few slots hold. */
static const uint64_t lengths[] = { 0, 1, 7, 64, 515 };

/* Not cut; into many that divide or not; by no whole number of elements. */
static inline void each_cut(struct verdict *v, struct goal_task *t, int most)
{
	const uint64_t segments[] = { 0, t->bytes / 4, t->bytes / 16 + 1, most < 33 ? 100 : 1 };

	for (int i = 0; i < (t->algorithm->has_segment ? 4 : 1); i++) {
		t->segment = segments[i];
		each_nprocs(v, t, most);
	}
}

static inline void try_operator(const struct goal_algorithm *a, const struct operator* o,
				bool in_place)
{
	struct goal_task t = task_of(a, in_place);
	struct verdict v = { "", 0 };

	t.function = o->function;
	t.datatype = o->datatype;
	t.call = o->call;
	t.element = o->element;
	for (size_t i = 0; i < 5; i++) {
		t.bytes = lengths[i] * o->element;
		each_cut(&v, &t, lengths[i] > 100 ? 9 : 33);
	}
	report(&v, "%s:%s%s: %s", goal_kind_name(a->kind), a->name, in_place ? " in place" : "",
	       o->name);
}

static inline void try_folds(enum goal_kind kind)
{
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
		for (int j = 0; j < OPERATORS; j++) {
			try_operator(a, &operators[j], false);
			try_operator(a, &operators[j], true);
		}
}

#endif
