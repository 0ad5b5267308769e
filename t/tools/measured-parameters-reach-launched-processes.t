#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a launcher has started the processes all get the parameters that process 0 has read, also if
# there are too many of them.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >tell.c <<'END'
#include <bsp.h>
#include <stdio.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	printf("%d: %g %g %g %d\n", (int)bsp_pid(), bsp_s(), bsp_l(), bsp_g(), bsp_nhalf());
	bsp_end();
	return 0;
}
END
compile tell
cat >params.json <<END
{ "version": 1, "entries": [
  { "host": "of no account", "transport": "shm", "network": "", "nprocs": 4,
    "L": 100, "gamma": 0.5, "combine": 0.25, "copy": 0.125, "s": 1234, "l": 3456, "g": 7.5, "nhalf": 89,
    "sizes": [ { "bytes": 1, "os": 10, "or": 20, "g": 30 } ] }
] }
END

# tell OPTION...: what the processes say, in order
tell()
{
	"$MPIRUN" --oversubscribe -x BSP_TRANSPORT=shm "$@" ./tell 2>errors | sort
}

values="1234 3456 7.5 89"
is "0: $values
1: $values
2: $values" "$(tell -n 3 -x BSP_PARAMS="$PWD/params.json")" "all have those of process 0" ||
	diag "$(cat errors)"
is "0: $values
1: $values" "$(tell -n 3 -x BSP_NPROCS=2 -x BSP_PARAMS="$PWD/params.json")" \
	"with a process that is not wanted, too" ||
	diag "$(cat errors)"
seen=$(tell -n 2 -x BSP_PARAMS=none)
is "$(echo "$seen" | sed -n '1s/^0: //p')" "$(echo "$seen" | sed -n '2s/^1: //p')" \
	"where nothing was measured all estimate the same"

echo '{ "version": 1,' >broken.json
tell -n 3 -x BSP_PARAMS="$PWD/broken.json" >seen
like "^bsp_begin: BSP_PARAMS: .*/broken.json:2: expected a string" "$(cat errors)" \
	"a broken file ends them all"
is 1 "$(grep -c '^bsp_begin: ' errors)" "with one message"

done_testing
