#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Completion in bash offers each option of each command that --help lists, and the values of options
# that have some.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

command -v bash >/dev/null || skip_all "no bash here"
commands="bsprun bspprof goalc bspgauge bspprobe bspinfo"
for command in $commands; do
	PATH=$top_builddir/tools/$command:$PATH
done
cd "$tap_dir" || bail "no $tap_dir"
mkdir empty

# Words are separated by blanks and by "=", as readline does it.
cat >ask.bash <<'END'
. "$1/share/bsp.bash"
while IFS= read -r line; do
	words=()
	for word in $line; do
		while [[ $word == *=* ]]; do
			words+=("${word%%=*}" "=")
			word=${word#*=}
		done
		[[ ! $word ]] || words+=("$word")
	done
	[[ $line != *' ' ]] || words+=("")
	COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
	_bsp "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
	printf '%s:' "$line" "${COMPREPLY[@]}"
	echo
done
END

# offered LINE: what there is to complete it, one a line
offered()
{
	printf '%s\n' "$1" | bash ask.bash "$top_srcdir" 2>errors | sed "s|^$1:||" | tr ':' '\n' |
		grep .
	cat errors
}

# completes LINE WANTED...: in all exactly that
completes()
{
	line=$1
	shift
	is "$(printf '%s\n' "$@" | sort)" "$(offered "$line" | sort)" "$line"
}

# options COMMAND: long ones in the column of --help
options()
{
	"$1" --help | sed -n 's/^ *\(-.*\)/\1/p' | sed 's/   *.*//' | grep -oE -e '--[a-z][a-z-]*' |
		sort -u
}

for command in $commands; do
	options "$command" >wanted
	test -s wanted
	ok $? "$command has options"
	offered "$command --" | sort -u >seen
	none "$(comm -23 wanted seen)" "$command: all of --help are offered"
	for option in $(comm -13 wanted seen); do
		grep -qe "Fl .*${option#--}" "$top_srcdir/man/$command.1" ||
			"$command" --help | grep -qe "$option"
		ok $? "$command: $option, which is offered, is documented"
	done
done

completes "bsprun --sync " program classic
completes "bsprun --sync=" program classic
completes "bsprun --sync=c" classic
completes "bsprun --stat --tr" --trace --transport
completes "bsprun --transport m" mix mpi
completes "bsprun --bind=n" none numa
completes "bspinfo --" --json --settings --help --version
completes "goalc co" compile
completes "goalc sim --ins" --inside
completes "goalc list --" --rank --help --version
completes "bspprof t" table trace
completes "bspgauge c" compare
completes "bsprun -n 4 ./prog --sync " ""
completes "bsprun -n 4 -- ./prog --sy" ""
cd empty || bail "no empty"
mv ../ask.bash .
like '^bspinfo$' "$(offered "bsprun -n 4 bspi")" "bsprun is followed by a program"
completes "bsprun --report " ""

# The list has one line for each row of the table of options, but other names with one dash.
rows=$(grep -cE '^	\{ "--|NPROCS\("--' "$top_srcdir/tools/bsprun/bsprun.c")
more=$(grep -oE 'NPROCS\("--' "$top_srcdir/tools/bsprun/bsprun.c" | wc -l)
lines=$(grep -cE 'NPROCS\("--' "$top_srcdir/tools/bsprun/bsprun.c")
is $((rows - lines + more + 2)) "$(bsprun --list-options | grep -c '^--')" \
	"bsprun --list-options has all rows of the table"

done_testing
