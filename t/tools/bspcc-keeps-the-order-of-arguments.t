#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The compiler runs once and gets the arguments as they were given, ours after them.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# A compiler that writes down how it was called.
cat >"$tap_dir/my cc" <<'END'
#!/bin/sh
echo "call"
for arg do
	echo "[$arg]"
done
END
chmod +x "$tap_dir/my cc"
BSP_CC="$tap_dir/my cc"
BSP_INCLUDEDIR="/in c"
mkdir "l b" && : >"l b/libbsp.so"
BSP_LIBDIR="$PWD/l b"
compile="[-I/in c]"
link="[-Wl,--no-as-needed]
[-L$PWD/l b]
[-Wl,-rpath,$PWD/l b]
[-lbsp]"

# words ARGUMENT...: one a line, in brackets
words()
{
	for word do
		echo "[$word]"
	done
}

# passes compile|link|nothing DESCRIPTION ARGUMENT...: all of them, and what is added
passes()
{
	added=$1 description=$2
	shift 2
	wanted="call
$(words "$@")"
	case $added in
	compile) wanted="$wanted
$compile" ;;
	link) wanted="$wanted
$compile
$link" ;;
	esac
	is "$wanted" "$(bspcc "$@")" "$description"
}

passes link "order of sources, objects and libraries" a.c -lm b.o -L. -lx c.a -o prog
passes link "unknown flags" -fnew-flag --strange=1 -Wl,-z,now a.c -@
passes link "blanks, quotes, stars and empty arguments" "a b.c" "-DX=\"y z\"" '*' "it's" '$HOME' \
	'' -o "out put"
passes link "-MD links" -MD -MF deps.d a.c
passes link "arguments after --" -- a.c
passes link "standard input" -x c -
passes compile "-c does not link" -c a.c
passes compile "-E does not link" a.c -E
passes compile "-S does not link" -S a.c
passes compile "-M does not link" -M a.c
passes compile "-fsyntax-only does not link" -fsyntax-only a.c
passes compile "a header is not linked" all.hpp
passes link "-c as the value of another option" -o -c a.c
passes link "a wrapper's option as the value of another" -o --show a.c -Xlinker --help
is "call" "$(bspcc)" "no arguments: the compiler without arguments"
passes nothing "-v alone" -v
passes nothing "-dumpversion" -dumpversion
passes nothing "no file, only values" -v -I inc -o x
passes nothing "an option without its value gets none of ours" a.c -o

is "call
[a.c]
[b.o]
[-DBSP_MCBSP]
$compile
$link" "$(bspcc a.c --mcbsp b.o)" "--mcbsp is taken out and defines BSP_MCBSP"

BSP_CC="$CC -DFIRST"
is "$CC -DFIRST -c a.c '-I/in c'" "$(bspcc -show -c a.c)" "BSP_CC may hold arguments"
BSP_CC="no-such-compiler -x"
seen=$(bspcc a.c 2>&1)
is 127 $? "a compiler that is not there: status 127"
like "bspcc: .*no-such-compiler.*BSP_CC" "$seen" "and a message that names it"
BSP_CC=false
bspcc a.c
is 1 $? "the status is the compiler's"

done_testing
