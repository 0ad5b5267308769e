# SPDX-License-Identifier: BSD-3-Clause
# launched.sh - programs under Open MPI's mpirun on this machine; read after env.sh and before all
# else.
# shellcheck shell=sh disable=SC2034,SC2154

test "$MPIRUN" && "$MPIRUN" --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE\|PRRTE' ||
	skip_all "no mpirun of Open MPI here"
has_plugin pmix || skip_all "no libpmix here"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: libraries that are loaded later have no sanitizers"

cd "$tap_dir" || bail "no $tap_dir"
forget_settings
for variable in $(env |
	sed -n 's/^\(OMPI_[A-Z_]*\|PMIX_[A-Z0-9_]*\|PMI_[A-Z_]*\|SLURM_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
BSP_PLUGINS=$top_builddir/.libs
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_PLUGINS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# compile PROGRAM [OPTION]...: out of PROGRAM.c
compile()
{
	program=$1
	shift
	# shellcheck disable=SC2086
	$CC $CFLAGS -I"$top_srcdir/include" -o "$program" "$program.c" "$@" \
		-L"$top_builddir/.libs" \
		-Wl,-rpath,"$top_builddir/.libs" -lbsp >built 2>&1 ||
		bail "$program does not compile: $(cat built)"
}

# launched N COMMAND...: by mpirun, bounded; what it prints comes sorted, what it complains of goes
# to the file err
launched()
{
	n=$1
	shift
	timeout -k 5 "$(limit)" "$MPIRUN" --oversubscribe -n "$n" "$@" >out 2>err </dev/null
	echo $? >status
	sort out
}
