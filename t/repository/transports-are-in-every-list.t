#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each folder of transport/ is in the table, in the build, among the settings and in the documents.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# words VARIABLE: those that a setting may have, one on a line
words()
{
	$SED -n "/^SETTING([a-z_]*, \"$1\", WORD/s/.*, \"\(auto|[^\"]*\)\", \"auto\".*/\1/p" \
		common/env.def | tr '|' '\n' | grep -vx auto | sort
}

# same FILE DESCRIPTION LIST: it has the transports of the table; the words say what to do if not
same()
{
	printf '%s\n' "$3" | sort >"$tap_dir/list"
	none "$(comm -23 "$tap_dir/table" "$tap_dir/list" | $SED "s|.*|& is missing in $1|"
	comm -13 "$tap_dir/table" "$tap_dir/list" |
		$SED "s|..*|& of $1 is not in transport/transports.def|")" "$2"
}

# named FILE NAMES TEXT: each of the names is a word of this text of the file
named()
{
	none "$(for name in $2; do
		printf '%s\n' "$3" | grep -qw -e "$name" || echo "$name is missing in $1"
	done)" "$1 names each: $2"
}

# The names are words of settings, parts of C's and of plugins' files (BSP_PLUGIN_LDFLAGS).
none "$(grep -E '^[A-Z]+\(' transport/transports.def |
	grep -vE '^(TRANSPORT\([a-z]{1,15}\)$|PLUGIN\([a-z]{1,15}, )')" \
	"transport/transports.def: a name has at most 15 letters, all of them small"
$SED -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' transport/transports.def |
	sort >"$tap_dir/table"
test "$(wc -l <"$tap_dir/table")" -ge 7
ok $? "there are $(wc -l <"$tap_dir/table") transports"

same "the folders of transport/" "each has its folder" \
	"$(ls -d transport/*/ | $SED 's|^transport/||; s|/$||')"
same "common/env.def, the words of BSP_TRANSPORT" "BSP_TRANSPORT knows each" \
	"$(words BSP_TRANSPORT)"
same "transport/Makefile.include (include %D%/NAME/Makefile.include)" "the build includes each" \
	"$($SED -n 's|^include %D%/\([a-z]*\)/Makefile.include$|\1|p' transport/Makefile.include)"
same "configure.ac (m4_include of transport/NAME/configure.m4)" \
	"configure includes what each needs" \
	"$($SED -n 's|^m4_include(\[transport/\([a-z]*\)/configure.m4\])$|\1|p' configure.ac)"
same "configure.ac (BSP_TRANSPORT_NAME)" "looks for it" \
	"$($SED -n 's/^BSP_TRANSPORT_\([A-Z]*\)$/\1/p' configure.ac | tr A-Z a-z)"
same "configure.ac, the summary at its end" "and says what it found" \
	"$(grep -o '[a-z]* (\$bsp_transport_[a-z]*)' configure.ac | $SED 's/ .*//')"
same "transport/*/README" "each has a README" \
	"$(ls transport/*/README | $SED 's|^transport/||; s|/README$||')"
same "transport/README, before the steps" "transport/README says what each is for" \
	"$($SED '/^To add one/,$d' transport/README | grep -o '\<[a-z]*/' | tr -d / | sort -u)"
same "doc/design.md, the plan of transport/" "so does doc/design.md" \
	"$($SED -n '/^  transport\/ /,/^  ---/p' doc/design.md |
		$SED -n 's/^    \([a-z/ ]*\/\)  .*/\1/p' | tr -d / | tr ' ' '\n')"
same "SECURITY.md, the table of jobs on one machine" "SECURITY.md says what each opens" \
	"$($SED -n '/^## A job on one machine/,/^## A job on several/s/^| \(`[^|]*\) |.*/\1/p' \
		SECURITY.md | grep -o '`[a-z]*`' | tr -d '`')"

plugins=$($SED -n 's/^PLUGIN(\([a-z]*\),.*/bsp-\1/p' transport/transports.def | paste -s -d ' ' -)
test "$plugins"
ok $? "there are plugins"
for file in common/env.def man/bsp.7.in doc/cluster.md; do
	named $file "$plugins" "$(cat $file)"
done
named "debian/*.install" "$plugins" "$(cat debian/*.install)"

far=$(words BSP_FAR | paste -s -d ' ' -)
named "doc/cluster.md, Which transport" "$far" "$(grep '^| of different nodes |' doc/cluster.md)"
named "man/bsp.7.in, Transports" "$far" \
	"$($SED -n '/^\.Ss Transports/,/^\.S[hs] [^T]/p' man/bsp.7.in)"
none "$(for name in $far; do
	grep -qw BSPT_FAR "transport/$name/"*.c ||
		echo "$name is a word of BSP_FAR in common/env.def, and has no BSPT_FAR in .caps"
done)" "what BSP_FAR has reaches other nodes"
none "$(for name in $far; do
	grep "^PLUGIN($name," transport/transports.def | grep -vw BSPT_FAR
done)" "transport/transports.def: so say the caps of those that are plugins"
none "$(for name in $(cat "$tap_dir/table"); do
	! $SED -n '/^[[:space:]]*\.caps = /,/,$/p' "transport/$name/"*.c | grep -qw BSPT_FAR ||
		echo "$far" | grep -qw "$name" ||
		echo "$name has BSPT_FAR in .caps, and is no word of BSP_FAR in common/env.def"
done)" "and has each that does"

done_testing
