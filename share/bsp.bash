# SPDX-License-Identifier: BSD-3-Clause
# bsp.bash - completion for bsprun, bspprof, goalc, bspgauge, bspprobe and bspinfo in bash.
# shellcheck shell=bash

# The programs list their options themselves: PROGRAM --list-options, for goalc also of each
# command, has a line for each option, with a tab if an argument follows.

# _bsp_list: the list of the program, and behind a command of goalc that of the command
_bsp_list()
{
	local program=${COMP_WORDS[0]}

	"$program" --list-options 2>/dev/null
	[[ ${program##*/} != goalc || $COMP_CWORD -lt 2 ]] ||
		"$program" "${COMP_WORDS[1]}" --list-options 2>/dev/null
}

# _bsp_takes LIST OPTION: is there an argument? Then prints the words that it may be.
_bsp_takes()
{
	local line

	while IFS= read -r line; do
		[[ ${line%%$'\t'*} = "$2" && $line = *$'\t'* ]] || continue
		printf '%s\n' "${line#*$'\t'}"
		return
	done <<<"$1"
	return 1
}

# _bsp_program LIST: the number of the word that is the program of bsprun, if it has been written
_bsp_program()
{
	local at=1 word

	while [[ $at -lt $COMP_CWORD ]]; do
		word=${COMP_WORDS[at]}
		case $word in
		--)
			at=$((at + 1))
			[[ $at -ge $COMP_CWORD ]] || printf '%s\n' "$at"
			return ;;
		-*)
			[[ ${COMP_WORDS[at + 1]} != '=' ]] || at=$((at + 2))
			[[ ${COMP_WORDS[at]} != "$word" ]] || ! _bsp_takes "$1" "$word" >/dev/null ||
				at=$((at + 1)) ;;
		*)
			printf '%s\n' "$at"
			return ;;
		esac
		at=$((at + 1))
	done
}

_bsp()
{
	local list word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words

	list=$(_bsp_list)
	COMPREPLY=()
	# --option=argument is three words here
	[[ $word != '=' ]] || word=
	[[ $before != '=' ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
	if [[ ${1##*/} = bsprun && $(_bsp_program "$list") ]]; then
		return		# files, for the program
	elif words=$(_bsp_takes "$list" "$before"); then
		:
	elif [[ $word = -* ]]; then
		words=$(cut -f 1 <<<"$list" | grep '^-')
	elif [[ ${1##*/} = bsprun ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
		return
	elif [[ $COMP_CWORD -eq 1 ]]; then
		words=$(grep -v '^-' <<<"$list")
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _bsp bsprun bspprof goalc bspgauge bspprobe bspinfo
