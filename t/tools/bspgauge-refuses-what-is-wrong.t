#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge refuses wrong command lines before anything is measured, and puts several modules into
# one report.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

each_is_refused bspgauge <<'END'
--nonsense
more
-n
-n 0
-n 1
-n x
-n 16385
--module nonsense
--module shm,nonsense
--module shm,
--pattern nonsense
--pattern one_one,
--interface nowhere0
--option
--option nonsense
--option nonsense:x=1
--option tcp:x=1
--option eth:interface
--option eth:interface=
--option eth:interface=nowhere0
--option ofi-rma:registration=x
--option mpi-rma:epoch=mess
--option mpi-rma:epoch=job|message
--option ofi-rma:registration=send|copy
--samples 0
--samples 193
--samples 1x
--samples -1
--seed 0
--seed 4294967296
--seed x
--seed -1
--seconds 0
--seconds -1
--seconds nan
--seconds long
--sizes 0:4
--sizes 4
--sizes 4:1
--sizes 1:2G
--sizes 1:99999999999999999999
--sizes 1:16:1
--sizes 1:16:0
--sizes 1:16:x
--sizes 1k:16kk
--sizes -1:4
--json
END
like "^bspgauge: --sizes '4': expected FROM:TO or " "$(bspgauge --sizes 4 2>&1)" \
	"for a wrong value, the message says what was expected"
like "^bspgauge: --option 'x:y=z': expected eth:interface=NAME, edp:interface=NAME, esp:" \
	"$(bspgauge --option x:y=z 2>&1)" "for an unknown option of a module: all that there are"
like "^bspgauge: --option 'eth:x=lo': expected eth:interface=NAME\$" \
	"$(bspgauge --option eth:x=lo 2>&1)" "of a known one: its own"
like "^bspgauge: --option 'tcp:x=1': expected none, as module tcp has no options\$" \
	"$(bspgauge --option tcp:x=1 2>&1)" "if there are any"
like "^usage: bspgauge " "$(bspgauge --help)" "--help"
like "^bspgauge .*[0-9]\.[0-9]" "$(bspgauge --version)" "--version"
seen=$(bspgauge -n 2 --module emu --emulate nonsense 2>&1)
is 1 $? "a network that is none: status 1"
like "^bspgauge: module emu cannot run here: .*nonsense" "$seen" "and says so"
bspgauge -n 2 --module shm --pattern one_one --sizes 1:1 --seconds 0.1 --json nowhere/file \
	>/dev/null 2>errors
is 1 $? "a file that cannot be written: status 1"
like "^bspgauge: cannot write nowhere/file: No such file" "$(cat errors)" "and says so"

# Several modules are several jobs, of which one may be impossible.
bspgauge -n 2 --module shm,tcp,esp --pattern one_one --sizes 1:64 --seconds 1 --json many.json \
	>table 2>errors
ok $? "several modules"
for module in shm tcp; do
	like "one_one over $module, 2 processes" "$(cat table)" "$module is in one report"
done
like "over esp" "$(cat table)" "so is one that may not run here"

bspgauge -n 2 --module emu,shm,tcp --emulate gigabit,cpu=0 --pattern one_one,noise --sizes 1:1 \
	--samples 1 --csv csv >table 2>errors
ok $? "an emulated network and others" || diag "$(cat errors)"
is "emu shm tcp" "$(awk -F, '$3 == "one_one" && $5 == "us" { print $2 }' csv | sort |
	paste -sd ' ')" "each has its values"
is "noise over emu" "$(grep -o '.*: not measured: time is virtual' table | sed 's/:.*//')" \
	"and only the emulated one is in virtual time"

done_testing
