#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Completion in zsh has options, values and commands of the programs.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"

command -v zsh >/dev/null || skip_all "no zsh here"
for program in bsprun bspprof goalc bspgauge bspprobe bspinfo; do
	PATH=$top_builddir/tools/$program:$PATH
done
HOME=$tap_dir
export PATH HOME
cd "$tap_dir" || bail "no $tap_dir"

# A shell in a terminal of zsh's own; completions are listed, one a line, and end with a mark.
cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell "PS1=; PROMPT_EOL_MARK=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell 'setopt no_list_beep list_packed no_always_last_prompt; LISTMAX=10000'
zpty -w shell "zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' insert-tab no"
# compadd is asked for what it would offer
zpty -w shell ". $3"
zpty -w shell "print -r -- re''ady"
zpty -r -m shell text '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -w -n shell $'\C-u'"print -r -- do''ne"$'\n'
zpty -r -m shell text '*done*'
print -r -- "$text"
zpty -d shell
END

cat >compadd.zsh <<'END'
compadd() {
	if [[ $@[1,(i)(-|--)] != *-[ADO](|\ *) ]]; then
		builtin compadd -O found "$@"
		print -rl -- "<"$^found">"
	fi
	builtin compadd "$@"
}
END

# completes WORDS WANTED...: that are among what zsh offers behind them
completes()
{
	line=$1
	shift
	timeout "$(limit)" zsh -f ask.zsh "$top_srcdir/share" "$line" "$tap_dir/compadd.zsh" \
		2>errors </dev/null | tr -d '\r' | grep -o '<[^<>]*>' | sort -u >offered
	for wanted do
		grep -qxFe "<$wanted>" offered
		ok $? "$line: $wanted" || diag "$(cat offered errors)"
	done
}

completes "bsprun --" --transport --check --help
completes "bsprun --transport " shm mix emu
completes "bsprun --sync=" program classic
completes "bspinfo --" --json --version
completes "goalc " compile sim
completes "goalc sim --" --inside --batchmode
completes "bspprof " html trace

done_testing
