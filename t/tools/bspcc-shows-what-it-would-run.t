#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every show option of other BSP and MPI compilers works, and does nothing else.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

BSP_CC=some-cc
BSP_CXX=some-cxx
BSP_INCLUDEDIR=/i
BSP_LIBDIR=/l
compile="-I/i"
# Where there is no shared library the libraries that it needs follow.
mkdir l && : >l/libbsp.so && BSP_LIBDIR=$PWD/l
link="-Wl,--no-as-needed -L$PWD/l -Wl,-rpath,$PWD/l -lbsp"

for option in -show --show -showme --showme; do
	is "some-cc a.c -o a $compile $link" "$(bspcc a.c $option -o a)" \
		"$option prints the command"
done
is "some-cc $compile $link" "$(bspcc -show)" "-show alone prints compiler and all flags"
is "some-cc -c a.c $compile" "$(bspcc -show -c a.c)" "-show -c prints no flags for linking"
is "some-cc 'a b.c' 'it'\\''s' '\$x' $compile $link" "$(bspcc -show 'a b.c' "it's" '$x')" \
	"-show quotes where a shell needs it"
is "'some-cc' 'a.c' '-c' '-I/i'" "$(bspcc -show=quoted a.c -c)" "-show=quoted quotes every word"
is "some-cxx a.cc $compile $link" "$(bspcxx -show a.cc)" "bspcxx shows the C++ compiler"
for file in a.cc a.cp a.cxx a.cpp a.CPP a.c++ a.C a.ii; do
	is "some-cxx -O2 b.c $file $compile $link" "$(bspcc -show -O2 b.c $file)" \
		"bspcc takes $file for C++"
done
is "some-cxx -x c++ a $compile $link" "$(bspcc -show -x c++ a)" "and what -x says"
is "some-cxx -xc++ a $compile $link" "$(bspcc -show -xc++ a)" "also in one word"
is "some-cc -x c a.cc $compile $link" "$(bspcc -show -x c a.cc)" "which comes before the name"
is "some-cc a.c -o a.cc $compile $link" "$(bspcc -show a.c -o a.cc)" \
	"but not the value of an option"
is "some-cxx -x c a -x none a.cc $compile $link" "$(bspcc -show -x c a -x none a.cc)" \
	"-x none is the name again"
is "$(bspcxx -show a.cc)" "$(bspc++ -show a.cc)" "bspc++ is bspcxx"

for dash in - --; do
	is "$compile" "$(bspcc ${dash}showme:compile)" "${dash}showme:compile"
	is "$link" "$(bspcc ${dash}showme:link)" "${dash}showme:link"
	is "/i" "$(bspcc ${dash}showme:incdirs)" "${dash}showme:incdirs"
	is "$PWD/l" "$(bspcc ${dash}showme:libdirs)" "${dash}showme:libdirs"
	is "bsp" "$(bspcc ${dash}showme:libs)" "${dash}showme:libs"
	like '^bspcc: .*[0-9]\.[0-9].*language: C\)' "$(bspcc ${dash}showme:version)" \
		"${dash}showme:version"
done
is "-DBSP_MCBSP $compile" "$(bspcc --mcbsp -showme:compile)" "--mcbsp before a show option"
is "-DBSP_MCBSP $compile" "$(bspcc -showme:compile --mcbsp)" "--mcbsp after a show option"
is "$compile" "$(bspcc -showme:compile -c a.c)" "-showme:compile prints the added flags alone"

for option in -compile_info -compile-info; do
	is "some-cc $compile" "$(bspcc $option)" "$option"
done
for option in -link_info -link-info -link_exe_info -link_lib_info; do
	is "some-cc $link" "$(bspcc $option)" "$option"
done
is "some-cc $link" "$(bspcc -compile_info -link_lib_info -link_exe_info)" "the last one counts"

seen=$(bspcc -showme:nonsense 2>&1)
is 2 $? "an unknown part to show is an error"
like "^bspcc: -showme:nonsense: " "$seen" "and named"
like "^usage: bspcc " "$(bspcc --help)" "--help"
BSP_CC=$CC
like "^bspcc .*[0-9]\.[0-9]" "$(bspcc --version)" "--version names bspcc"
is "$($CC --version | head -n 1)" "$(bspcc --version | sed -n 2p)" "--version names the compiler"

# Nothing was compiled for all that.
is "l" "$(ls)" "showing leaves no files"
unset BSP_CC BSP_CXX
like "^$(echo "$CC" | sed 's/[.+]/\\&/g') " "$(bspcc -show a.c)" \
	"the default is the compiler of configure"
BSP_LIBDIR=/nowhere
like "^-L/nowhere -lbsp .*-lm" "$(bspcc -showme:link)" \
	"without a shared library, what the static one needs is linked"
BSP_LIBDIR=$PWD/l
like "^-L$PWD/l -lbsp .*-lm" "$(bspcc -showme:link -static)" "and with -static as well"

done_testing
