// SPDX-License-Identifier: BSD-3-Clause
/* prof_beside.c - what the kernel ran beside processes: schedules, and their operations. */

#include "prof.h"

#include <stdlib.h>
#include <string.h>

/* False: no memory. */
static bool find_name(struct prof *p, const struct recording_event *e, uint32_t *number)
{
	char name[2 * RECORDING_SITE_MOST + 2];
	char **more;

	snprintf(name, sizeof(name), "%s %s", e->name, e->site);
	for (size_t i = p->nrun_names; i-- > 0;)
		if (strcmp(p->run_names[i], name) == 0) {
			*number = (uint32_t)i;
			return true;
		}
	more = prof_more(p->run_names, p->nrun_names, sizeof(*more), &p->run_names_room);
	if (!more)
		return false;
	p->run_names = more;
	*number = (uint32_t)p->nrun_names;
	more[p->nrun_names] = strdup(name);
	return more[p->nrun_names++];
}

static bool beside_add_run(struct prof *p, int pid, const struct recording_event *e,
			   uint64_t offset)
{
	struct prof_runs *r = &p->runs[pid];
	struct prof_run *at;
	uint32_t number;

	if (p->nruns >= PROF_CALLS_MOST)
		return true;
	at = prof_more(r->at, r->n, sizeof(*at), &r->room);
	if (!at)
		return false;
	r->at = at;
	if (!find_name(p, e, &number))
		return false;
	at[r->n++] = (struct prof_run){ offset + e->begin, offset + e->finish, number };
	p->nruns++;
	return true;
}

static bool beside_add_operation(struct prof *p, int pid, const struct recording_event *e,
				 uint64_t offset)
{
	struct prof_operations *o = &p->operations[pid];
	struct prof_operation *more;

	if (p->noperations >= PROF_CALLS_MOST || strlen(e->name) >= PROF_OPERATION_NAME)
		return true;
	more = prof_more(o->at, o->n, sizeof(*more), &o->room);
	if (!more)
		return false;
	o->at = more;
	more += o->n++;
	*more = (struct prof_operation){ .begin = offset + e->begin, .finish = offset + e->finish,
					 .bytes = e->bytes, .peer = (int32_t)e->peer };
	strcpy(more->name, e->name);
	p->noperations++;
	return true;
}

bool prof_beside_add(struct prof *p, int pid, const struct recording_event *e, uint64_t offset)
{
	return e->kind == RECORDING_OFFLOADED ? beside_add_run(p, pid, e, offset) :
						beside_add_operation(p, pid, e, offset);
}

static int run_begins_first(const void *a, const void *b)
{
	const struct prof_run *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* If they are ready at the same time: what ended first. */
static int operation_begins_first(const void *a, const void *b)
{
	const struct prof_operation *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->finish < y->finish ? -1 : x->finish > y->finish;
}

void prof_beside_sort(struct prof *p, int pid)
{
	struct prof_operations *o = &p->operations[pid];
	struct prof_runs *r = &p->runs[pid];

	if (r->n)
		qsort(r->at, r->n, sizeof(*r->at), run_begins_first);
	if (o->n)
		qsort(o->at, o->n, sizeof(*o->at), operation_begins_first);
}

void prof_beside_free(struct prof *p)
{
	for (int q = 0; p->runs && q < p->nprocs; q++)
		free(p->runs[q].at);
	for (int q = 0; p->operations && q < p->nprocs; q++)
		free(p->operations[q].at);
	for (size_t i = 0; i < p->nrun_names; i++)
		free(p->run_names[i]);
	free(p->runs);
	free(p->operations);
	free(p->run_names);
}
