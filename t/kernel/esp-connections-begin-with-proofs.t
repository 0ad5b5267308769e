#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Transport esp sends its keys in no frame, and believes only processes that prove to have them.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

program=$(bsp_program hellos -D_GNU_SOURCE -I"$top_srcdir/t/kernel/guest" -Wall -Wextra -Werror \
	<"$top_srcdir/t/kernel/guest/hellos.c") || bail "cannot build the program"

cat >"$tap_dir/script" <<'END'
export BSP_TRANSPORT=esp
tests "recorded" hellos record bsprun -n 3 hellos

rm -f /tmp/report
quiet bsprun -n 3 hellos imitate
ok $? "a job whose processes get the hellos of others ends well"
refused() { grep -c "$1: refused" /tmp/report; }
is "$(refused 'hello of another connection')" 2 "a hello repeated on another connection is refused"
is "$(refused 'hello with another bit')" 18 "and one in which a bit differs"
is "$(refused 'hello of no process')" 2 "and one of no process"
is "$(grep -vc 'refused$' /tmp/report)" 0 "and all others" || sed 's/^/# /' /tmp/report

rm -f /tmp/report
hellos impostor &
until test -s /tmp/port; do usleep 100000; done
bsprun -n 2 hellos divert >/tmp/out 2>&1
test $? -ne 0
ok $? "a job fails if another process accepts a connection"
grep -q 'it has not proved to be of the job' /tmp/out
ok $? "and says why" || sed 's/^/# /' /tmp/out
wait
is "$(cat /tmp/report)" "impostor: nothing came" "to that process nothing is sent"
done_testing
END
# shellcheck disable=SC2086
run_guest $virtual -m 512 -t 240 "$stock" "$tap_dir/script" "$program" \
	"$top_builddir/tools/bsprun/bsprun"
