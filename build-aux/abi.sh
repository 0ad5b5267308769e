#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abi.sh - prints what programs take from the library and its headers when they are compiled.

# usage: abi.sh LIBRARY SOURCES, both whole names; the lines of bsplib/abi, in order:
#
#	NAME VERSION RESULT (PARAMETERS)	a symbol that the library exports
#	struct NAME: N bytes			and struct NAME.MEMBER: TYPE at OFFSET
#	enum NAME.VALUE: NUMBER
#	NAME: NUMBER				a constant
#
# Types are those that the headers declare, without typedefs; a long line goes on in the next one,
# behind a tab.

library=$1 sources=$2
ABI_FOLDER=$(mktemp -d) && cd "$ABI_FOLDER" || exit
export ABI_FOLDER
trap 'rm -rf "$ABI_FOLDER"' EXIT

# lines INTERFACE: those of all its headers
lines()
{
	case $1 in
	int) headers="bsp.h bsp_coll.h bsp_goal.h bsp_level1.h bsp/binding.h enet.h espgoal.h" ;;
	*) headers="mcbsp-affinity.h mcbsp-profiling.h mcbsp-resiliency.h bsp_coll.h bsp_goal.h" ;;
	esac
	for header in $headers; do
		printf '#include <%s>\n' "$header"
	done
}

# compile OPTION...: from standard input, with types that nothing uses
compile()
{
	${CC:-cc} -g -fno-eliminate-unused-debug-types -I"$sources/include" -I"$sources/goal" \
		-I"$sources/kernel/goal" -x c "$@" -
}

# function_of NAME: the function of C that is this symbol in the present interface
function_of()
{
	case $1 in
	bsp_begin_int) echo bsp_begin ;;
	mcbsp_*) grep -qx "${1#mc} .*" int.symbols && echo "${1#mc}" || echo "$1" ;;
	*) echo "$1" ;;
	esac
}

nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' |
	sed 's/@@*/ /' >symbols && test -s symbols || exit
grep -v '^mcbsp_' symbols >int.symbols
grep '^mcbsp_' symbols >size_t.symbols

for interface in int size_t; do
	lines $interface | compile -E -dD >$interface.text || exit
	# Structures, enums, and constants: these are in capitals and have a value.
	awk -v folder="$sources/" -v types=$interface.types '
		/^# [0-9]+ "/ { ours = index($3, folder); next }
		!ours { next }
		/^(struct|enum) [a-z_]+ \{/ { print $1, $2 >types }
		/^enum \{/ { inside = 1 }
		/^\}/ { inside = 0 }
		inside && $1 ~ /^[A-Z]/ { sub(/,$/, "", $1); print $1 }
		$1 == "#define" && $2 ~ /^[A-Z][A-Z0-9_]*$/ && $2 !~ /^BSP_VERSION_/ &&
			$3 ~ /^([-(0-9]|_IO|[A-Z]+_[A-Z0-9_]+$)/ { print $2 }
		' $interface.text >$interface.names
	test -e $interface.types || : >$interface.types
	{
		lines $interface
		echo 'enum constants {'
		sort -u $interface.names | sed 's/.*/	value_of_& = &,/'
		echo '};'
		while read -r name version; do
			printf '__typeof__(%s) *type_of_%s = %s; /* %s */\n' \
				"$(function_of "$name")" "$name" "$(function_of "$name")" "$version"
		done <$interface.symbols
	} | compile -c -o $interface.o || exit
done

gdb -batch -nx -iex 'set debuginfod enabled off' -x "$sources/build-aux/abi.py" >shown || exit
nm -u int.o size_t.o | sed -n 's/^ *U //p' | sort -u >named
sed 's/ .*//' symbols | sort | comm -23 - named | sed 's/$/: no header names it/' >>shown
LC_ALL=C sort -u shown | awk '{
	line = ""
	n = split($0, part, /, /)
	for (i = 1; i <= n; i++) {
		text = part[i] (i < n ? "," : "")
		if (length(line) + length(text) > 90) {
			print line
			line = "\t" text
		} else
			line = line (i > 1 ? " " : "") text
	}
	print line
}'
