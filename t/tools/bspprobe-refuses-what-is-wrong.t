#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspprobe refuses wrong command lines before anything is measured.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

each_is_refused bspprobe <<'END'
--nonsense
more
-n
-n 0
-n 1
-n x
-n 16385
--transport nonsense
--seconds 0
--seconds -1
--seconds nan
--seconds long
--bytes 0
--bytes 2G
--bytes 99999999999999999999
--bytes 1kk
--bytes -1
--verify --only fence
--verify --only bcast,
--only bcast
--svg picture.svg
--estimate
--chosen
--verify --estimate --save
--verify --svg
END
like "^bspprobe: -n '1': expected a number from 2 to 16384\$" "$(bspprobe -n 1 2>&1)" \
	"for a wrong value, the message says what was expected"
like "^usage: bspprobe " "$(bspprobe --help)" "--help"
like "^bspprobe .*[0-9]\.[0-9]" "$(bspprobe --version)" "--version"
seen=$(bspprobe -n 2 --emulate nonsense 2>&1)
is 1 $? "a network that is none: status 1"
like "^bsp_begin: transport [a-z]+ cannot be used: " "$seen" "is named"
seen=$(bspprobe --transport self --seconds 1 2>&1)
is 1 $? "one process: status 1"
like "one process sends no messages; ask for more with -n" "$seen" "is told what to do"
bspprobe -n 2 --emulate sp2,cpu=0 --seconds 1 --bytes 16 >/dev/full 2>/dev/null
is 1 $? "a full disk is an error"
bspprobe -n 2 --emulate sp2,cpu=0 --seconds 1 --bytes 16 --verify --only barrier --svg \
	/nowhere/x.svg >out 2>errors
is 1 $? "a picture that cannot be written is an error"
like "^bspprobe: cannot write /nowhere/x.svg: " "$(cat errors)" "that is named"

done_testing
