/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that describes no network is refused; the message names the piece that is wrong. */
#include "../lib/emulated.h"

/* Each with the part of the text that the message must quote, and a word that says why. */
static const struct {
	const char *text, *piece, *reason;
} bad[] = {
	{ "L=50", "'L=50'", "unit" },
	{ "o=5us,L=50", "'L=50'", "unit" },
	{ "L=50us,o=5xs", "'o=5xs'", "unit" },
	{ "L=50us,o=5 us", "'o=5 us'", "unit" },
	{ "L=50us, o=5us", "' o=5us'", "not known" },
	{ "L=50US", "'L=50US'", "unit" },
	{ "L=-50us", "'L=-50us'", "number" },
	{ "L=+5us", "'L=+5us'", "number" },
	{ "L=us", "'L=us'", "number" },
	{ "L=", "'L='", "number" },
	{ "L=.us", "'L=.us'", "number" },
	{ "L=1.2.3us", "'L=1.2.3us'", "unit" },
	{ "L=1e3us", "'L=1e3us'", "unit" },
	{ "L=0x10us", "'L=0x10us'", "unit" },
	{ "L=infs", "'L=infs'", "number" },
	{ "L=nan", "'L=nan'", "number" },
	{ "L=1001s", "'L=1001s'", "more than 1000s" },
	{ "G=2ms", "'G=2ms'", "more than 1ms" },
	{ "G=0.0001ns", "'G=0.0001ns'", "picosecond" },
	{ "L=1234567890123456us", "'L=1234567890123456us'", "number" },
	{ "L=5us,G=10ns,L=6us", "'L=6us'", "second time" },
	{ "sp2,cpu=1,cpu=2", "'cpu=2'", "second time" },
	{ "cpu=fast", "'cpu=fast'", "number" },
	{ "cpu=1x", "'cpu=1x'", "behind" },
	{ "cpu=-1", "'cpu=-1'", "number" },
	{ "cpu=10001", "'cpu=10001'", "more than 10000" },
	{ "seed=1.5", "'seed=1.5'", "behind" },
	{ "seed=", "'seed='", "number" },
	{ "reorder=2", "'reorder=2'", "more than 1" },
	{ "reorder=yes", "'reorder=yes'", "number" },
	{ "order=2", "'order=2'", "more than 1" },
	{ "sp2,order=1,reorder=1", "order=1", "reorder=1" },
	{ "jitter=5", "'jitter=5'", "unit" },
	{ "switch=5", "'switch=5'", "unit" },
	{ "bisection=2ms", "'bisection=2ms'", "more than 1ms" },
	{ "Q=5us", "'Q=5us'", "not known" },
	{ "l=5us", "'l=5us'", "not known" },
	{ "LL=5us", "'LL=5us'", "not known" },
	{ "=5us", "'=5us'", "not known" },
	{ "L", "'L'", "no network" },
	{ "sp3", "'sp3'", "no network" },
	{ "sp", "'sp'", "no network" },
	{ "SP2", "'SP2'", "no network" },
	{ "L=5us,sp2", "'sp2'", "first" },
	{ "sp2,gigabit", "'gigabit'", "first" },
	{ "L=5us,,o=5us", "''", "no network" },
	{ ",L=5us", "''", "no network" },
	{ "L=5us,", "''", "no network" },
	{ ",", "''", "no network" },
	{ " ", "' '", "no network" },
	{ "L=5us;o=5us", "'L=5us;o=5us'", "unit" },
};

static const char *const good[] = {
	"sp2", "gigabit", "rdma100", "sp2,cpu=1", "sp2,switch=5ns,bisection=0.5us", "switch=0",
	"sp2,cpu=0,order=1", "order=1,reorder=0", "order=0,reorder=1",
	"rdma100,cpu=0,jitter=1us,seed=7,reorder=1",
	"L=50us,o=5us,g=5us,G=10ns,cpu=1,jitter=0,seed=1,reorder=0", "L=50us", "G=0.08ns",
	"L=0,o=0,g=0,G=0", "L=.5us", "L=5.s", "L=1000s,G=1ms", "cpu=0.25", "seed=999999999999999",
};

static void check_bad(const struct bspt_ops *ops)
{
	char why[200];

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		why[0] = '\0';
		is_int(-EINVAL, ops->accepts(bad[i].text, why, sizeof why), "%s: refused",
		       bad[i].text);
		ok(strstr(why, bad[i].piece), "%s: the piece is named", bad[i].text);
		ok(strstr(why, bad[i].reason), "%s: and why", bad[i].text);
		if (!strstr(why, bad[i].piece) || !strstr(why, bad[i].reason))
			diag("%s", why);
	}
}

static void check_good(const struct bspt_ops *ops)
{
	char why[200];

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		snprintf(why, sizeof why, "untouched");
		is_int(0, ops->accepts(good[i], why, sizeof why), "%s: accepted", good[i]);
		is_str("untouched", why, "%s: without a word", good[i]);
	}
}

/* The first transport that accepts @network. */
static const struct bspt_ops *first_for(const char *network)
{
	const struct bspt_ops *ops;
	char why[200];

	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		if (ops->accepts(network, why, sizeof why) == 0)
			return ops;
	return NULL;
}

static void check_choice(const struct bspt_ops *emu)
{
	const struct bspt_ops *ops;
	char why[200] = "";

	is_int(-EINVAL, emu->accepts("", why, sizeof why), "no network: refused");
	ok(strstr(why, "BSP_EMULATE"), "and the message says how to give one");
	ok(first_for("sp2") == emu, "the first transport that takes a network is this");
	ok(first_for("") && first_for("") != emu, "the first that takes none is another");
	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		if (ops != emu)
			ok(ops->accepts("sp2", why, sizeof why) < 0 && *why,
			   "%s refuses a network and says why", ops->name);
}

static void check_length(const struct bspt_ops *ops)
{
	char why[200], text[5000];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	memset(why, 'y', sizeof why);
	is_int(-EINVAL, ops->accepts(text, why, 8), "a long text is refused");
	is_int(7, (long)strnlen(why, sizeof why), "a message that does not fit is cut");
	is_int('y', why[8], "and nothing is written behind it");
	is_int(-EINVAL, ops->accepts(text, why, sizeof why), "with room for the message");
	ok(strlen(why) < 150, "it does not quote all of the text");
}

static void check_prepare(const struct bspt_ops *ops)
{
	static const char *const texts[] = { "", "L=50", "sp3" };
	struct bspt_plan plan = plan_for(NULL, 2);

	plan.shared = &plan;
	for (int i = 0; i < 4; i++) {
		plan.network = i < 3 ? texts[i] : NULL;
		is_int(-EINVAL, ops->prepare(&plan), "prepare refuses %s",
		       plan.network ? plan.network : "NULL");
		ok(plan.shared == &plan, "the plan is as it was");
	}
}

int main(void)
{
	check_bad(emulator());
	check_good(emulator());
	check_choice(emulator());
	check_length(emulator());
	check_prepare(emulator());
	return done_testing();
}
