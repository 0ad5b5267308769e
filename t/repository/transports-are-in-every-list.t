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

# same DESCRIPTION LIST: it has the transports of the table
same()
{
	printf '%s\n' "$2" | sort | comm -3 "$tap_dir/table" - >"$tap_dir/differs"
	none "$(cat "$tap_dir/differs")" "$1"
}

$SED -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' transport/transports.def |
	sort >"$tap_dir/table"
test "$(wc -l <"$tap_dir/table")" -ge 7
ok $? "there are $(wc -l <"$tap_dir/table") transports"

same "each has its folder" "$(ls -d transport/*/ | $SED 's|^transport/||; s|/$||')"
same "BSP_TRANSPORT knows each" "$(words BSP_TRANSPORT)"
same "the build includes each" \
	"$($SED -n 's|^include %D%/\([a-z]*\)/Makefile.include$|\1|p' transport/Makefile.include)"
same "configure includes what each needs" \
	"$($SED -n 's|^m4_include(\[transport/\([a-z]*\)/configure.m4\])$|\1|p' configure.ac)"
same "looks for it" "$($SED -n 's/^BSP_TRANSPORT_\([A-Z]*\)$/\1/p' configure.ac | tr A-Z a-z)"
same "and says what it found" \
	"$(grep -o '[a-z]* (\$bsp_transport_[a-z]*)' configure.ac | $SED 's/ .*//')"
same "each has a README" "$(ls transport/*/README | $SED 's|^transport/||; s|/README$||')"
same "transport/README says what each is for" \
	"$($SED '/^To add one/,$d' transport/README | grep -o '\<[a-z]*/' | tr -d / | sort -u)"
same "so does doc/design.md" "$($SED -n '/^  transport\/ /,/^  ---/p' doc/design.md |
	$SED -n 's/^    \([a-z/ ]*\/\)  .*/\1/p' | tr -d / | tr ' ' '\n')"

none "$(for name in $(words BSP_FAR); do
	grep -qw BSPT_FAR "transport/$name/"*.c || echo "$name"
done)" "what BSP_FAR has reaches other nodes"
none "$(for name in $(cat "$tap_dir/table"); do
	! grep -qE '^[[:space:]]*\.caps = .*\<BSPT_FAR\>' "transport/$name/"*.c ||
		words BSP_FAR | grep -qx "$name" || echo "$name"
done)" "and has each that does"

done_testing
