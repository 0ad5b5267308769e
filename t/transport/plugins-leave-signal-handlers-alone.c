/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes that a plugin's libraries make to signals when they are loaded are undone. */
#include "../lib/transports.h"

#include <signal.h>

static void mine(int number)
{
	(void)number;
}

/* The flags that a program sets; the C library has one of its own. */
static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
	const int flags = SA_SIGINFO | SA_RESTART | SA_NODEFER | SA_RESETHAND | SA_ONSTACK;

	return a->sa_handler == b->sa_handler && (a->sa_flags & flags) == (b->sa_flags & flags);
}

static void ask(struct sigaction *all)
{
	for (int i = 1; i < NSIG; i++)
		sigaction(i, NULL, &all[i]);
}

static int count_changed(const struct sigaction *before, const struct sigaction *after)
{
	int changed = 0;

	for (int i = 1; i < NSIG; i++) {
		if (is_same(&before[i], &after[i]))
			continue;
		changed++;
		diag("signal %d (%s) has another handler", i, strsignal(i));
	}
	return changed;
}

static void look_at(const char *name, const char *symbol)
{
	struct sigaction before[NSIG] = { 0 }, after[NSIG] = { 0 };
	char why[200] = "";

	ask(before);
	if (!bspt_plugin(name, symbol, why, sizeof why)) {
		not_applicable("%s: %s", name, why);
		return;
	}
	ask(after);
	is_int(0, count_changed(before, after), "%s: loaded, and all signals are as they were",
	       name);
}

int main(void)
{
	signal(SIGTERM, mine);		/* also those that the program has set */
	signal(SIGABRT, SIG_IGN);
	look_at("ofi", "bspt_ofi_ops");
	look_at("mpi", "bspt_mpi_ops");
	look_at("pmix", "bspj_pmix_launch");
	return done_testing();
}
