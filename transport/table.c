// SPDX-License-Identifier: BSD-3-Clause
/* table.c - the table of transports. */

#include "transport.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define TRANSPORT(name) extern const struct bspt_ops bspt_##name##_ops;
#define PLUGIN(name, summary, caps)
#include "transports.def"
#undef TRANSPORT
#undef PLUGIN

/* One line of the table. */
struct entry {
	const char *name, *summary;
	const struct bspt_ops *ops;	/* NULL: in a plugin, of which @caps are known */
	unsigned int caps;
};

static const struct entry entries[] = {
#define TRANSPORT(name) { #name, NULL, &bspt_##name##_ops, 0 },
#define PLUGIN(name, summary, caps) { #name, summary, NULL, caps },
#include "transports.def"
#undef TRANSPORT
#undef PLUGIN
};

enum { NTRANSPORTS = sizeof(entries) / sizeof(entries[0]), WHY_MOST = 256 };

/*
 * Copies with stubs filled in; complete[i].name is NULL until the first look-up, which
 * @looking_up guards.
 */
static struct bspt_ops complete[NTRANSPORTS];
static pthread_mutex_t looking_up = PTHREAD_MUTEX_INITIALIZER;

/* ---- What stands for a transport that cannot be had -------------------------- */

/*
 * Why it could not be loaded: of the transport that was looked up last, as the caller has just
 * done.
 */
static char why_not[NTRANSPORTS][WHY_MOST];
static _Thread_local const char *why_missing = "";

static int missing_probe(int nprocs, char *why, size_t len)
{
	(void)nprocs;
	snprintf(why, len, "%s", why_missing);
	return -ENOENT;
}

static int missing_prepare(struct bspt_plan *plan)
{
	(void)plan;
	return -ENOENT;
}

static void table_load(unsigned int i)
{
	const struct entry *e = &entries[i];
	/* May a program have this transport, if it has rights that its user has not? */
	bool may_have = !bspt_is_privileged() || (e->ops && e->ops->caps & BSPT_PRIVILEGED);
	const struct bspt_ops *ops = may_have ? e->ops : NULL;
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "bspt_%s_ops", e->name);
	if (!may_have)
		snprintf(why_not[i], WHY_MOST,
			 "it is not for programs with rights of another user (setuid, setgid, "
			 "capabilities)");
	else if (!ops)
		ops = bspt_plugin(e->name, symbol, why_not[i], WHY_MOST);
	if (ops) {
		complete[i] = *ops;
		return;
	}
	/* with empty slots: no object is opened */
	complete[i] = *entries[0].ops;
	complete[i].name = e->name;
	complete[i].summary = e->summary;
	complete[i].caps = BSPT_COMPLETE | e->caps;	/* what else it could do is not known */
	complete[i].probe = missing_probe;
	complete[i].prepare = missing_prepare;
}

const struct bspt_ops *bspt_at(unsigned int i)
{
	static const struct bspt_table table = { bspt_at, bspt_find };
	char why[64];

	if (i >= NTRANSPORTS)
		return NULL;
	pthread_mutex_lock(&looking_up);
	bspt_others = &table;
	if (!complete[i].name) {
		table_load(i);
		if (bspt_check(&complete[i], why, sizeof(why)) == 0)
			bspt_complete(&complete[i]);
	}
	pthread_mutex_unlock(&looking_up);
	why_missing = why_not[i];
	return &complete[i];
}

const struct bspt_ops *bspt_find(const char *name)
{
	for (unsigned int i = 0; i < NTRANSPORTS; i++)
		if (strcmp(entries[i].name, name) == 0)
			return bspt_at(i);
	return NULL;
}

bool bspt_needs_plugin(const char *name)
{
	for (unsigned int i = 0; i < NTRANSPORTS; i++)
		if (strcmp(entries[i].name, name) == 0)
			return !entries[i].ops || entries[i].ops->caps & BSPT_ASKS_PLUGINS;
	return false;
}

const struct bspt_ops *bspt_own(void)
{
	return bspt_find("self");
}
