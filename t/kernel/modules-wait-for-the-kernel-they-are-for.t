#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make -j2 stock-kernel kernel-modules` in a new folder compiles the modules when the kernel is
# there; with headers in KDIR they need no such kernel.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

# The rules alone, with sources whose kernel comes late and whose modules need its headers.
tree=$tap_dir/tree
mkdir -p "$tree/kernel/testbed" "$tree/include"
sed 's,%D%,kernel,g' "$top_srcdir/kernel/Makefile.include" >"$tap_dir/rules"
cat >"$tap_dir/Makefile" <<END
top_srcdir = $tree
abs_builddir = $tap_dir
SHELL = /bin/sh
all: stock-kernel
include_HEADERS =
EXTRA_DIST =
PHONY =
include $tap_dir/rules
.PHONY: \$(PHONY)
END
cat >"$tree/kernel/testbed/stock.sh" <<'END'
sleep 1
mkdir -p "$1/build"
END
cat >"$tree/kernel/Makefile" <<'END'
modules:
	ls -d '$(KDIR)' >of
END
for name in compat enet espgoal goal; do
	mkdir -p "$tree/kernel/$name"
done
: >"$tree/kernel/Kbuild"
: >"$tree/include/enet.h"
: >"$tree/include/espgoal.h"

cd "$tap_dir" || bail "no $tap_dir"
unset MAKEFLAGS MFLAGS MAKELEVEL
make -j2 stock-kernel kernel-modules >log 2>&1
ok $? "both in one call, at the same time"
is "$tap_dir/stock/build" "$(cat kernel-modules/compiled-for)" "the modules are for that kernel"

rm -rf stock kernel-modules
make kernel-modules >log 2>&1
ok $? "the modules alone"
is "$tap_dir/stock/build" "$(cat kernel-modules/kernel/of)" "have the kernel made first"

rm -rf stock kernel-modules
mkdir headers
make kernel-modules KDIR="$tap_dir/headers" >log 2>&1
ok $? "with other headers"
is "$tap_dir/headers" "$(cat kernel-modules/compiled-for)" "they are for these"
test ! -e stock
ok $? "and no kernel is made"

done_testing
