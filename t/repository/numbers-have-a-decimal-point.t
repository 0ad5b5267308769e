#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is linked to programs reads and writes numbers and letters in the same way in every locale.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# The sources that programs are linked with. Commands never call setlocale, so theirs is the locale
# of C; the picture of a schedule, pages and lines of progress are theirs alone.
sources()
{
	find bsplib job transport common goal kernel/goal include -name '*.[ch]' |
		grep -vx 'common/plain.[ch]\|common/page/.*\|goal/draw/goal_draw_svg.c'
}

# Calls whose result is another in another locale; isdigit and isxdigit are the same in all.
calls='strto(d|f|ld)|atof|ato[fd]|to(upper|lower)|is(alpha|alnum|upper|lower|punct|print|graph)'
calls="$calls|isspace|strn?casecmp|strcoll|strxfrm|strfmon|strftime|nl_langinfo|localeconv"

# shellcheck disable=SC2046
none "$(grep -nE "(^|[^a-z_])($calls)\(" $(sources))" "no call depends on the locale"
none "$(grep -rnE '(set|use)locale\(' --include='*.[ch]' bsplib job transport goal kernel tools \
	common/[!p]*.[ch])" "nothing else changes a locale"

# points FILE...: formats with a decimal point in them, or digits in groups, that are not plain_
points()
{
	$AWK '
		/plain_[a-z]+\(/ { plain = 1 }
		{
			line = $0
			gsub(/%%/, "", line)
			if (!plain && line ~ /"[^"]*%[-+ #0]*[0-9*]*(\.[0-9*]+)?[lL]?[aefgAEFG]/ &&
			    line !~ /%[-+ #0]*[0-9*]*\.0f/)
				print FILENAME ":" FNR ": " $0
			if (line ~ /"[^"]*%[-+ #0]*\047/)
				print FILENAME ":" FNR ": " $0
		}
		/;[ \t]*$/ { plain = 0 }' "$@"
}

# shellcheck disable=SC2046
none "$(points $(sources))" "no format depends on the locale: plain_fprintf, plain_snprintf"

# points() must find the formats in a bad file.
cat >"$tap_dir/bad.c" <<'END'
	printf("%d %.2f",
	       1, 2.0);
	plain_printf("%g %s",
		"%f");
	printf("%5.1e %%");
END
is "1 5" "$(points "$tap_dir/bad.c" | sed 's/.*bad.c:\([0-9]*\):.*/\1/' | tr '\n' ' ' |
	sed 's/ $//')" "a format of that kind is found"

done_testing
