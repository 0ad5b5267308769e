# SPDX-License-Identifier: BSD-3-Clause
# sources.sh - the files of the tree, for tests of the sources themselves; read after env.sh, in
# $top_srcdir.
# shellcheck shell=sh disable=SC2154

# sources: all files that a person wrote: what git has or would take, else what the archive has and
# no tool made.
sources()
{
	if test -e .git && git ls-files --error-unmatch -co --exclude-standard >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		made='(^|/)(aclocal\.m4|config(ure|\.h\.in|\.h|\.status)|Makefile(\.in)?|libtool)$'
		made="$made|(^|/)stamp-h1?\$|^m4/(l[to][a-z~]*|libtool)\.m4\$"
		made="$made|^build-aux/(ar-lib|compile|config\.(guess|sub)|depcomp|install-sh)\$"
		made="$made|^build-aux/(ltmain\.sh|missing|tap-driver\.sh|test-driver)\$"
		# make distcheck builds inside of the sources, in a folder of its own
		built=$(cd "$top_builddir" && pwd -P)
		built=${built#"$(pwd -P)"}
		find . -path "./${built#/}" -prune -o -name .git -prune -o \
			-name autom4te.cache -prune -o -name .libs -prune -o -name .deps -prune -o \
			-type f -print | $SED 's,^\./,,' | grep -vE "$made"
	fi | grep -vE '~$|\.(o|lo|la|log|trs)$' | sort -u | while read -r file; do
		if test -f "$file"; then echo "$file"; fi
	done
}

# texts: those of the files whose names come in that are text; a .t in the build's own folder
# may be a program
texts()
{
	tr '\n' '\0' | LC_ALL=C xargs -0 grep -lI . /dev/null
}
