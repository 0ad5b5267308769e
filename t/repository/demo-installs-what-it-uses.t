#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh says which packages it installs before it does so: those that it uses, and none for
# several machines, which check.sh installs.

. "${0%/*}/../lib/env.sh"

# Here pkg-config finds nothing, so that all packages which it is asked about are missing.
cd "$tap_dir" || bail "no $tap_dir"
mkdir -p build-aux bin
cp "$top_srcdir/demo.sh" .
cp "$top_srcdir/build-aux/setup.sh" build-aux/
printf '#!/bin/sh\nexit 1\n' >bin/pkg-config
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
printf '#!/bin/sh\necho "$*" >>asked\ntest "$1" != install\n' >bin/apt-get
chmod +x bin/*
: >asked
PATH=$tap_dir/bin:$PATH sh demo.sh >said 2>&1 </dev/null
is 1 $? "it ends where a package is missing that it needs"
is "install libhwloc-dev libfftw3-dev" "$($SED -n '1s/ *[0-9]* s  .*//p' said)" \
	"it says what it installs" || diag "$(cat said)"
is "libhwloc-dev libfftw3-dev" "$($SED -n '/^install /s/.*recommends //p' asked | head -n 1)" \
	"that is what it asks for" || diag "$(cat asked)"
is "missing: libhwloc-dev libfftw3-dev" "$(grep '^missing: ' said)" "and what it names at the end"
like 'cluster_packages' "$(grep '^install_packages ' "$top_srcdir/check.sh")" \
	"check.sh installs those for several machines"

done_testing
