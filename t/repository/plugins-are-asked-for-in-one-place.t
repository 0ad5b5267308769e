#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Scripts ask t/lib/built.sh whether a transport is built, and never by the name of a file.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

# A test of a file, or a search for one, that is a plugin. In patterns of messages the name may
# stand, and where a test makes or removes such a file.
asks='(^|[[:space:]({])(test|\[)( !)? +(! +)?-[defhLrsx] +[^ ]*bsp-[^ ]*\.so'
asks="$asks|"'\bfind\b.*name [^ ]*bsp-[a-z$"]+[^* ]*\.so|\bls\b[^|]*bsp-[^ *]*\.so'

# questions: of the files whose names are on standard input, the lines that ask
questions()
{
	tr '\n' '\0' | xargs -0 grep -nE "$asks" /dev/null
}

cd "$tap_dir" || bail "no $tap_dir"
cat >with.sh <<'END2'
test -f "$BSP_LIBDIR/bsp/bsp-$part.so" || continue
if [ ! -e "$BSP_PLUGINS/bsp-mpi.so" ]; then
	test "$(find "$libdir" -name 'bsp-pmix.so')" || skip_all "no libpmix here"
	{ test -r .libs/bsp-"$1"-openmpi.so; }
ls "$top_builddir"/.libs/bsp-ofi.so >/dev/null 2>&1 || continue
END2
cat >without.sh <<'END2'
like "bsp-$name.so is not installed" "$told" "a part is missing"
rm -f without/bsp-mpi-mpich.so
find "$stage" -name 'bsp-*.so'
has_transport mpi || skip_all "no bsp-$(plugin_of mpi).so here"
END2
is "1 2 3 4 5" "$(echo with.sh | questions | cut -d: -f2 | paste -sd ' ')" "each kind is found"
none "$(echo without.sh | questions)" "and nothing that only names a file"

cd "$top_srcdir" || bail "no $top_srcdir"
find t fuzz bench examples python check.sh demo.sh -type f \
	\( -name '*.sh' -o -name '*.t' -o -name '*.py' -o -name '*.in' \) \
	! -path t/lib/built.sh ! -path t/repository/plugins-are-asked-for-in-one-place.t |
	sort >"$tap_dir/files"
test "$(wc -l <"$tap_dir/files")" -gt 200
ok $? "there are $(($(wc -l <"$tap_dir/files"))) scripts to look at"
# Programs of tests are in the same folders if the build is in that of the sources.
none "$(tr '\n' '\0' <"$tap_dir/files" | xargs -0 grep -lI . | questions)" \
	"no script asks for the file of a plugin"

# Each transport of the library is known there; one that is not has no answer.
unknown=$(sed -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' "$top_srcdir/transport/transports.def" |
	while read -r transport; do
		(plugin_of "$transport") >/dev/null ||
			echo "$transport has no line in plugin_of() of t/lib/built.sh"
	done)
none "$unknown" "each transport has an answer"
(has_transport no-such-transport) >/dev/null
is 99 $? "another name ends the test"

# The answer is what the build has.
for transport in mpi ofi; do
	has_transport $transport
	built=$?
	BSP_PLUGINS=$top_builddir/.libs "$top_builddir/tools/bspinfo/bspinfo" -n 2 |
		sed -n "/^  $transport /,/^  [a-z]/p" | grep -q 'is not installed'
	is $((!$?)) $built "$transport is what bspinfo says it is"
done

done_testing
