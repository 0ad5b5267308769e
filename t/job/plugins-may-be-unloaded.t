#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that is not of BSP may load one that is, run it, and unload it, again and again; exit()
# is clean after that, and a plugin that is unloaded in its SPMD part is an error with a message.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >plug.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
static void part(void)
{
	int x, y = -1;

	bsp_begin(2);
	x = bsp_pid();
	bsp_push_reg(&y, sizeof y);
	bsp_sync();
	bsp_put(1 - x, &x, &y, 0, sizeof x);
	bsp_sync();
	printf("%d has %d\n", x, y);
	if (!getenv("LEAVE"))
		bsp_end();
}
void run(void) { bsp_init(part, 0, NULL); part(); }
END
cat >host.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static void at_end(void) { printf("end\n"); }
int main(int argc, char **argv)
{
	atexit(at_end);
	for (int i = 0; i < atoi(argv[1]); i++) {
		void *plug = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
		void (*run)(void) = plug ? (void (*)(void))dlsym(plug, "run") : NULL;
		if (!run) {
			fprintf(stderr, "%s\n", dlerror());
			return 2;
		}
		run();
		dlclose(plug);
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
END
bspcc -shared -fPIC -o plug.so plug.c && $CC $BSP_SANITIZE -o host host.c -ldl
ok $? "a plugin and a program that loads it are linked"
once="0 has 1
1 has 0
end
end"
is "$once" "$(runs -n 2 ./host 1)" "after it exit() is clean"
is "0 has 1
0 has 1
0 has 1
1 has 0
1 has 0
1 has 0
end
end
end
end" "$(runs -n 2 ./host 3)" "three times"
is "$once
status 3" "$(runs -n 2 ./host 1 3)" "the exit status is kept"
like '^bsp_end: was not called before the end of the program \(exit status 0\)' \
	"$(LEAVE=1 runs -n 2 ./host 1)" "unloaded in its SPMD part it is an error with a message"

done_testing
