# SPDX-License-Identifier: BSD-3-Clause
# python.sh - programs in Python with package bsp of the sources; read after env.sh.
# shellcheck shell=sh disable=SC2034,SC2154

test "$PYTHON" || skip_all "not applicable: built without python3"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: python3 cannot load a library with sanitizers"
test -e "$top_builddir/.libs/libbsp.so.0" || skip_all "not applicable: only a static library"
"$PYTHON" -c "import numpy" 2>/dev/null || skip_all "no numpy here"

forget_settings
unset PYTHONUNBUFFERED
PYTHONPATH=$top_srcdir/python
PYTHONDONTWRITEBYTECODE=yes
BSP_LIBDIR=$top_builddir/.libs
BSP_PLUGINS=$top_builddir/.libs
PATH=$top_builddir/tools/bsprun:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE BSP_LIBDIR BSP_PLUGINS PATH
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# The transports over networks that can run here.
networks=$("$top_builddir/tools/bspinfo/bspinfo" | awk '
	/^  (mix|ofi|mpi) / { name = $1 }
	/can run here/ && name { print name }
	/can run here|cannot/ { name = "" }')

cd "$tap_dir" || bail "no $tap_dir"

test "$MPIRUN" && has_plugin pmix ||
	networks=$(echo "$networks" | grep -vx mpi)

# started N TRANSPORT COMMAND...: on N processes, over mpi by mpirun, over mix on two nodes
started()
{
	n=$1 transport=$2
	shift 2
	case $transport in
	mpi)	set -- env BSP_TRANSPORT=mpi timeout -k 5 "$(limit)" "$MPIRUN" --oversubscribe \
			-n "$n" "$@" ;;
	mix)	set -- env BSP_NODE_SIZE=2 timeout -k 5 "$(limit)" bsprun -n "$n" \
			--transport mix "$@" ;;
	*)	set -- timeout -k 5 "$(limit)" bsprun -n "$n" --transport "$transport" "$@" ;;
	esac
	"$@" </dev/null
}

# python N TRANSPORT PROGRAM [ARGUMENT]: what it says, in order, and its status if that is not 0
python()
{
	n=$1 transport=$2
	shift 2
	started "$n" "$transport" "$PYTHON" "$@" >"$tap_dir/said" 2>&1 ||
		echo "status $?" >>"$tap_dir/said"
	sort "$tap_dir/said"
}

# runs_well N TRANSPORT PROGRAM: it ends well, and says of each part that it was right
runs_well()
{
	wanted=$($SED -n -e 's/^.*passed("\([^"]*\)".*/ok \1/p' "$3" | sort)
	is "$wanted" "$(python "$@")" "${3##*/} on $1 processes over $2"
}
