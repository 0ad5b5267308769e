#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every file t/goal/data/bad-*.goal is refused with the place and the words of its first comment.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$top_srcdir/t/goal/data" || bail "no t/goal/data"

for file in bad-*.goal; do
	wanted=$(head -n 1 "$file" | cut -c 4-)
	said=$("$goalc" check "$file" 2>&1 >/dev/null)
	is "1 $file:$wanted" "$? $said" "$file"
done

# Errors of different causes have different messages.
count=$(cut -c 4- bad-*.goal | grep -aE '^[0-9]+:[0-9]+: ' | cut -d ' ' -f 2- | sort -u | wc -l)
test "$count" -gt 50
ok $? "there are $count messages"

done_testing
