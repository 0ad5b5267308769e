#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# find_package(BSP) of CMake has targets for C, C++, the size_t interface and Fortran, also after
# the installation was moved.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v cmake >/dev/null || skip_all "no cmake here"
unset BSP_INCLUDEDIR BSP_LIBDIR
fortran=
test ! -x "$bindir/bspfc" || fortran=Fortran
prefix=$(sed -n 's/^prefix=//p' "$bindir/bspcc")

mkdir project
cd project || bail "no project"
write_ring ring.c
cp ring.c ring8.c
cp ring.c ring.cc
write_ring_f90 ring.f90
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.13)
project(ring C CXX $fortran)
find_package(BSP 0.1 REQUIRED COMPONENTS C CXX $fortran)
foreach(name IN ITEMS ring.c ring8.c ring.cc ${fortran:+ring.f90})
  string(REPLACE . _ target \${name})
  add_executable(\${target} \${name})
  target_link_libraries(\${target} PRIVATE BSP::bsp)
endforeach()
target_link_libraries(ring8_c PRIVATE BSP::mcbsp)
if(TARGET BSP::fortran)
  target_link_libraries(ring_f90 PRIVATE BSP::fortran)
endif()
END
cd .. || bail "no work"

# built WHERE: by CMake with the installation below that prefix
built()
{
	rm -rf build
	# shellcheck disable=SC2086
	cmake -S project -B build -DCMAKE_PREFIX_PATH="$1" -DCMAKE_C_COMPILER="${CC%% *}" \
		-DCMAKE_CXX_COMPILER="${CXX%% *}" -DCMAKE_C_FLAGS="$BSP_SANITIZE" \
		-DCMAKE_CXX_FLAGS="$BSP_SANITIZE" -DCMAKE_Fortran_FLAGS="$BSP_SANITIZE" \
		>configured 2>&1
	ok $? "find_package(BSP) finds it in $2" || diag "$(cat configured)"
	cmake --build build >made 2>&1
	ok $? "programs are built" || diag "$(cat made)"
	PATH=$1/bin:$PATH
	for program in ring_c:4 ring8_c:8 ring_cc:4; do
		is "0 after 1, size ${program#*:}
1 after 0, size ${program#*:}" "$(runs -n 2 "build/${program%:*}")" "${program%:*} runs"
	done
	test -z "$fortran" ||
		is "processes 2" "$(runs -n 2 build/ring_f90)" "the program in Fortran runs"
}

built "$stage$prefix" "a staging folder"
mv "$stage$prefix" "$tap_dir/moved"
built "$tap_dir/moved" "another place, after it was moved"

# finds ARGUMENT...: the status of a project that only asks for the package
finds()
{
	mkdir -p ask
	printf '%s\n' "cmake_minimum_required(VERSION 3.13)" "project(ask C)" \
		"find_package(BSP $*)" >ask/CMakeLists.txt
	rm -rf asked
	cmake -S ask -B asked -DCMAKE_PREFIX_PATH="$tap_dir/moved" >asked.log 2>&1
}

finds "9.0 REQUIRED"
ok $((! $?)) "a version that is not there is not found"
finds "REQUIRED COMPONENTS Ada"
ok $((! $?)) "nor is a component that is not there"
like "component Ada is not in $tap_dir/moved" "$(cat asked.log)" "which is said"

done_testing
