# SPDX-License-Identifier: BSD-3-Clause
# built.sh - which plugins and transports the build has; tap.sh and check.sh read it.
# shellcheck shell=sh disable=SC2154

# Only this file knows the names of plugins' files: a test that asks for one by itself leaves a
# transport out without a word once its plugin is named otherwise.

# has_plugin NAME...: all of them are built
has_plugin()
{
	for built_plugin in "$@"; do
		test -f "$top_builddir/.libs/bsp-$built_plugin.so" || return 1
	done
}

# plugin_of TRANSPORT: prints the plugin without which it cannot run on one machine, nothing if it
# needs none. The plugin of mpi for MPICH is for processes that MPICH's launcher starts.
plugin_of()
{
	case $1 in
	mpi) echo mpi-openmpi ;;
	ofi | mix) echo ofi ;;
	auto | self | shm | emu | esp) ;;
	*) bail "t/lib/built.sh: plugin_of() has no line for transport '$1'" ;;
	esac
}

# has_transport NAME: it is built
has_transport()
{
	built_part=$(plugin_of "$1") || bail "$built_part"
	test -z "$built_part" || has_plugin "$built_part"
}

# need_transport NAME: else the test is skipped
need_transport()
{
	has_transport "$1" || skip_all "no bsp-$(plugin_of "$1").so here"
}
