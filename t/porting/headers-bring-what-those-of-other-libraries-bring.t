#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Headers bring what those of the same names bring in the Oxford toolset and in MulticoreBSP: other
# headers, calls that count in elements, names about checkpoints and profiles.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >print.c <<'END'
int main(void)
{
	bsp_begin(bsp_nprocs());
	if (bsp_pid() == 0)
		fprintf(stdout, "printed\n");
	bsp_end();
	return 0;
}
END
for language in c c++; do
	bspcc -Werror -include bsp.h -x $language -o print print.c
	is printed "$(runs -n 2 ./print)" "bsp.h brings stdio.h in $language"
done
echo 'uint64_t wide = 1; int main(void) { return (int)(INT32_MAX & !wide); }' >int.c
for how in "--mcbsp -include bsp.h" "-include mcbsp.h" \
	"-DMCBSP_COMPATIBILITY_MODE -include mcbsp.h"; do
	# shellcheck disable=SC2086
	bspcc $how -o int int.c && ./int
	ok $? "$how brings stdint.h"
done

cat >elements.cc <<'END'
#include <mcbsp.hpp>
#include <mcbsp-templates.hpp>
#include <cstdio>
class Elements : public mcbsp::BSP_program {
	void spmd();
	BSP_program *newInstance() { return new Elements; }
};
void Elements::spmd()
{
	double all[4] = { 0 }, x, y[2] = { 0 }, direct;
	unsigned int me, p;
	int tag;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	p = bsp_nprocs();
	x = me + 0.5;
	bsp_push_reg(all, 4);
	bsp_push_reg(&x);
	tag = (int)bsp_set_tagsize<int>();
	bsp_sync();
	for (unsigned int k = 0; k < p; k++)
		bsp_put(k, &x, all, me);
	bsp_hpput(me, &x, static_cast<void *>(all), 3 * sizeof x, sizeof x);
	bsp_get((me + 1) % p, &x, 0, y);
	bsp_hpget(me, &x, 0, y + 1);
	bsp_send((me + 1) % p, &tag, &x);
	bsp_hpsend((me + 1) % p, &tag, static_cast<void *>(&x), sizeof x);
	bsp_sync();
	bsp_direct_get((me + 1) % p, all, 1, &direct);
	bsp_move(&x);
	printf("%u: %g %g %g, %g %g, %g, direct %g, tags had %d\n", (unsigned)me, all[0],
	       all[1], all[3], y[0], y[1], x, direct, tag);
	bsp_sync();
#ifdef WRONG
	bsp_put(p, &x, all, me);
#endif
	bsp_end();
}
int main()
{
	Elements elements;
	elements.begin(2);
}
END
sed '/void spmd/d; s/Elements::spmd/spmd/; /^class/,/^};/d; /Elements elements/d
	s/elements.begin(2)/bsp_init(spmd, 0, NULL);spmd()/' elements.cc >functions.cc
wanted='0: 0.5 1.5 0.5, 1.5 0.5, 1.5, direct 1.5, tags had 0
1: 0.5 1.5 1.5, 0.5 1.5, 0.5, direct 1.5, tags had 0'
for options in "" -std=c++98 -std=c++20 -DBSP_NO_CALL_SITES "-DMCBSP_COMPATIBILITY_MODE"; do
	# shellcheck disable=SC2086
	bspcxx -Wall -Werror $options -o elements functions.cc
	ok $? "mcbsp-templates.hpp compiles${options:+ with $options}"
	is "$wanted" "$(runs -n 2 ./elements)" "and counts in elements"
done
bspcxx -DWRONG -o elements functions.cc
like "^bsp_put: process 2 does not exist, there are 2 \(process [01], superstep 3, functions.cc:$(
	sed -n '/bsp_put(p/=' functions.cc)\)" "$(runs -n 2 ./elements)" "messages have call sites"
sed '/bsp_begin/d; /bsp_end/d' elements.cc >classes.cc
bspcxx -o elements classes.cc
is "$wanted" "$(runs -n 2 ./elements)" "with the class of MulticoreBSP"

cat >names.c <<'END'
#include <mcbsp.h>
#include <mcbsp-profiling.h>
#include <mcbsp-resiliency.h>
int main(int argc, char **argv)
{
	mcbsp_disable_checkpoints();
	printf("%d ", (int)MCBSP_DEFAULT_CHECKPOINT_FREQUENCY);
	printf("%d", (int)mcbsp_get_checkpoint_frequency());
	mcbsp_set_checkpoint_frequency(7);
	printf(" %d", (int)mcbsp_get_safe_checkpoint_frequency());
	mcbsp_set_safe_checkpoint_frequency(5);
	printf(" %d %d\n", (int)mcbsp_get_checkpoint_frequency(),
	       (int)mcbsp_get_safe_checkpoint_frequency());
	fflush(stdout);
	mcbsp_profiling_set_description("first");
	bsp_begin(bsp_nprocs());
	if (argc > 1)
		argv[1][0] == 'e' ? mcbsp_enable_checkpoints() : mcbsp_checkpoint();
	bsp_end();
	return 0;
}
END
bspcc -Wall -Werror -o names names.c
is "0 0 7 7 5" "$(runs -n 2 ./names)" "names about checkpoints and profiles"
like '^mcbsp_checkpoint: this library makes no checkpoints; write what ' "$(runs -n 2 ./names c)" \
	"a checkpoint is an error"
like '^mcbsp_enable_checkpoints: this library makes no checkpoints' "$(runs -n 2 ./names e)" \
	"and so are those from time to time"

done_testing
