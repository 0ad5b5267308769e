#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# setup.sh - installs what the tests of this folder need and is not there (Debian 12).

# usage: setup.sh BUILD; what cannot be installed is left out, and the tests say so.

cd "$(dirname "$0")/../.." || exit
. build-aux/setup.sh
build=$1

packages_of_tests='
cmake           command -v cmake
environment-modules ls /usr/lib/*/modulecmd.tcl || command -v modulecmd
zsh             command -v zsh
reuse           command -v reuse
dpkg-dev        command -v dpkg-buildpackage
debhelper       command -v dh
dh-dkms         command -v dh_dkms
dh-python       command -v dh_python3
fakeroot        command -v fakeroot
lintian         command -v lintian
mmdebstrap      command -v mmdebstrap
debian-archive-keyring test -e /usr/share/keyrings/debian-archive-keyring.gpg
mpich           command -v mpicc.mpich
libmpich-dev    mpicc.mpich -compile_info
gfortran        command -v gfortran
libopen-trace-format2-dev pkg-config --exists "otf2 >= 3.0"
'
install_packages "$packages$example_packages$cluster_packages$packages_of_tests"
