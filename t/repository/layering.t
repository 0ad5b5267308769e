#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Includes point down: each folder includes only what is its business.

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# includes_of GLOB...: "file: header" for each header of ours that a file includes
includes_of()
{
	for file do
		test -f "$file" || continue
		$SED -n \
			's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]\([^">]*\)[">].*/\1/p' "$file" |
			while read -r header; do
				ours "$file" "$header" && echo "$file: $header"
			done
	done
}

# ours FILE HEADER: is it a header of this project?
ours()
{
	test -f "$2" || test -f "${1%/*}/$2" || test -f "include/$2" || test "$2" = config.h
}

# only DESCRIPTION ALLOWED FILE...: every header matches the regular expression
only()
{
	description=$1 allowed=$2
	shift 2
	none "$(includes_of "$@" | grep -Ev ": ($allowed)\$")" "$description"
}

# included_outside HEADERS FILE...: files that include one of HEADERS
included_outside()
{
	pattern=$1
	shift
	grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]($pattern)" "$@" /dev/null
}

only "include/ includes only itself, and schedules" \
	'bsp(_coll)?(_names|_site)?\.h|mcbsp(-affinity)?\.h|(mc)?bsp\.hpp|source_location|goal\.h|enet\.h' include/*.h include/*.hpp

only "kernel/goal/ includes only itself" 'goal_(env|format|run)\.h' kernel/goal/*.[ch]
only "goal/ includes only kernel/goal/ and itself" \
	'goal(_format|_run|_env)?\.h|goal/([a-z]+/)?goal_[a-z_]+\.h' goal/*.[ch] goal/[!d]*/*.[ch]
only "and its drawings what all pages have" \
	'common/page/(page|picture)\.h|goal(_env)?\.h|goal/([a-z]+/)?goal_[a-z_]+\.h' goal/draw/*.[ch]
only "goal/text/ knows neither generators nor the simulator nor drawings" \
	'goal\.h|goal/(text/)?goal_[a-z_]+\.h' goal/text/*.[ch]
only "goal/gen/ knows neither the text nor the simulator nor drawings" \
	'goal(_env)?\.h|goal/(gen/)?goal_[a-z_]+\.h' goal/gen/*.[ch]

only "kernel/compat/ includes only itself" '(compat|have)\.h' kernel/compat/*.[ch]
only "kernel/enet/ includes only enet.h, interfaces of the kernel and itself" \
	'\.\./\.\./include/enet\.h|\.\./compat/compat\.h|(enet|esp)[a-z_]*\.h|drops\.def' kernel/enet/*.[ch]
only "kernel/espgoal/ includes only espgoal.h, schedules, calls of enet and the kernel, and itself" \
	'\.\./\.\./include/espgoal\.h|\.\./compat/compat\.h|\.\./goal/goal_(run\.h|(check|run|arith|float)\.c)|(\.\./enet/)?esp_kernel\.h|espgoal_job\.h' kernel/espgoal/*.[ch]

only "transport/ includes only its own contract and files" \
	'config\.h|(transport/)?((transport|buffers|built|card|duplicate|hostname|interface|launch_env|limits|poison|ports|siphash)\.h|transports\.def)' \
	transport/*.[ch]

for folder in transport/*/; do
	folder=${folder%/}
	name=${folder##*/}
	case $name in
	esp) also='|enet\.h|espgoal\.h' ;;
	emu) also='|common/emulated\.h' ;;	# the text of BSP_EMULATE, which tools read, too
	*) also= ;;
	esac
	none "$(includes_of "$folder"/*.[ch] |
		grep -Ev \
		": (config\.h|(transport/)?(transport|buffers|card|duplicate|hostname|interface|launch_env|limits|poison|ports|siphash)\.h|($folder/)?$name(_[a-z]*)?\.h$also)\$" |
		while IFS=': ' read -r file header; do
			test -f "$folder/${header##*/}" || echo "$file: $header"
		done)" "$folder/ includes only transport.h and its own files"
done

# shellcheck disable=SC2046
only "job/ includes only transport.h and its own files" \
	'config\.h|enet\.h|transport/(transport|hostname|interface|launch_env|ports)\.h|job/([a-z]+/)?[a-z_]+\.h|[a-z_]+\.h' \
	$(ls job/*.h job/*/*.[ch] | grep -v '/mpi_launch\.c$')
only "its launcher of the plugin for MPI includes what that plugin says of MPI, too" \
	'job/job\.h|transport/mpi/mpi\.h' job/launch/mpi_launch.c
none "$(grep -nE '\<bsp_[a-z]|\<[Ss]uperstep' job/*.h job/*/*.[ch] | grep -v 'include/bsp_site\.h')" \
	"job/ knows no call of the library and no superstep"
none "$(includes_of bsplib/*/*.[ch] goal/*/*.[ch] common/*.[ch] transport/*.[ch] transport/*/*.[ch] \
	tools/*/*.[ch] tools/*/*/*.[ch] bench/*/*.[ch] examples/*.[ch] |
	grep -E ': job/' | grep -v ': job/job\.h$')" "other folders include nothing of job/ but job.h"
none "$(includes_of job/lifeline/*.[ch] job/launch/*.[ch] |
	grep -E '/lifeline/[a-z_]+\.c: .*discover/|/launch/[a-z_]+\.c: .*lifeline/')" \
	"launch/ starts lifelines only by job.h, and these know nothing of discovery"

only "common/ includes only itself" 'config\.h|[a-z]+\.(h|def)' common/*.[ch] common/page/*.[ch]
none "$(grep -nE '"[^"]*<.?(svg|rect|path|circle|table|t[rdh]|div|span|section|style)[ >"]' \
	tools/*/*.c tools/*/*/*.c goal/*.c goal/*/*.c bsplib/*/*.c common/*.c bench/*/*.c)" \
	"only common/page/ writes HTML and SVG, where each text is escaped"

only \
	"bsplib/ includes only bsp.h, common/, transports' contract, the start of processes and itself" \
	'config\.h|bsp(_goal|_coll|/binding)?\.h|mcbsp-(affinity|profiling|resiliency)\.h|transport/(transport|poison)\.h|job/job\.h|(goal|kernel/goal)/([a-z]+/)?goal(_gen|_run|_format)?\.h|bsplib/api/api\.c|common/[a-z]+\.(h|def)|bsplib/([a-z]+/)?[a-z_]+\.h' \
	bsplib/*.[ch] bsplib/*/*.[ch]

names=$($SED -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' transport/transports.def | paste -s -d '|' -)
none "$(grep -nwE "bspt_[a-z]+_ops|bspt_($names)[a-z_]*" bsplib/*.[ch] bsplib/*/*.[ch])" \
	"bsplib/ names no transport"

only "fortran/ includes only the headers of programs and its own" \
	'bsp(_coll|/binding)?\.h|fortran/bspf\.h' fortran/*.[ch]

only "examples/ include only bsp.h and their own headers" 'bsp(_goal|_coll)?\.h|[a-z]+\.h' \
	examples/*.[ch]
none "$(includes_of examples/*.[ch] | grep -E ': .*/')" "examples/ reach into no other folder"

none "$(includes_of tools/*/*.[ch] tools/*/*/*.[ch] |
	grep -vE '^tools/([a-z]+)/[^:]*: tools/(\1|compare|measure)/' | grep ': tools/' |
	grep -vE '^tools/(bsprun/record\.c: tools/bspprof/prof|bspinfo/bspinfo\.c: tools/bsprun/launcher)\.h$')" \
	"programs in tools/ share what shows recordings and what finds launchers, else nothing"
none "$(includes_of tools/measure/*.[ch] | grep ': tools/' | grep -v ': tools/measure/')" \
	"tools/measure includes nothing of other tools"

measuring='tools/measure/(batch|clock|fabric|sample|stream|work)'
none \
	"$(includes_of bench/*/*.[ch] |
	grep -Ev \
	": (bsp(_goal|_coll)?\.h|goal\.h|(goal|kernel/goal)/([a-z]+/)?goal[a-z_]*\.h|config\.h|(bench/[a-z]+/)?[a-z]+\.h|$measuring\.h)\$")" \
	"bench/ includes only bsp.h, what tools/measure has for programs without the library, and its own headers"
# shellcheck disable=SC2046
only "what tools/measure has for programs without the library includes only itself" \
	'(batch|clock|fabric|sample|stream|work)\.h' \
	$(ls tools/measure/*.[ch] | grep -E "^$measuring\.[ch]$")

only "API tests see the library only through bsp.h" \
	'bsp(_goal|_coll)?\.h|goal\.h|(\.\./lib/)?(tap|job|spmd|relaxed|checked|collective|requests|runs|growth|random)\.h|(\.\./[a-z]+/)?[a-z0-9_-]+\.c|\.\./soak/soak\.h|other-half\.h' \
	t/transfer/*.c t/message/*.c t/job/*.c t/interface/*.c t/collective/*.c t/schedule/*.c \
	t/barrier/*.c t/relaxed/*.c \
	t/checker/*.c t/lib/spmd.h t/lib/tap.[ch] t/lib/job.[ch]
only "the soak sees it only through bsp.h, too" \
	'bsp(_goal|_coll)?\.h|(\.\./lib/)?(collective|random|runs)\.h|soak(_collective)?\.h' t/soak/*.[ch]

for file in t/unit/*.c t/goal/*.c t/simulator/*.c t/transport/*.c; do
	test -f "$file" || continue
	layers=$(includes_of "$file" | $SED 's/.*: //' |
		grep -E '^(\.\./)*(bsplib|transport|kernel)/' |
		$SED 's,^\(\.\./\)*\([a-z]*\)/.*,\2,' | sort -u | wc -l)
	test "$layers" -le 1 || echo "$file"
done >"$tap_dir/layers"
none "$(cat "$tap_dir/layers")" "no unit test sees two layers at once"

# outside FOLDER...: the sources but for those of these folders, bench/ and what unit tests include
outside()
{
	for file in include/*.h bsplib/*.[ch] bsplib/*/*.[ch] transport/*.[ch] transport/*/*.[ch] \
		job/*.h job/*/*.[ch] goal/*.[ch] goal/*/*.[ch] kernel/*/*.[ch] \
		common/*.[ch] common/*/*.[ch] tools/*/*.[ch] tools/*/*/*.[ch] \
		examples/*.[ch] t/*/*.[ch]; do
		case " $* " in
		*" ${file%/*} "*) ;;
		*) echo "$file" ;;
		esac
	done
}

# shellcheck disable=SC2046
none "$(included_outside 'mpi\.h' $(outside transport/mpi) |
	grep -vxF tools/bspgauge/module/gauge_mpi.c)" \
	"MPI appears only in transport/mpi/, bench/ and the plugin of bspgauge"
only "the plugins of bspgauge know only what a module is" \
	'gauge_module\.h|tools/measure/fabric\.h' tools/bspgauge/module/gauge_mpi.c \
	tools/bspgauge/module/gauge_ofi.c
# shellcheck disable=SC2046
none "$(included_outside 'rdma/' $(outside transport/ofi) |
	grep -vxE 'tools/(bspgauge/module/gauge_ofi|measure/fabric)\.[ch]')" \
	"libfabric appears only in transport/ofi/, bench/, tools/measure/fabric.c and the plugin of bspgauge"
none "$(included_outside 'otf2/' tools/*/*.[ch] tools/*/*/*.[ch] common/*.[ch] bsplib/*/*.[ch] |
	grep -vxF tools/bspprof/prof_otf2.c)" "OTF2 appears only in the plugin of bspprof"
only "which knows only what an archive is" 'prof_archive\.h' tools/bspprof/prof_otf2.c
# shellcheck disable=SC2046
none "$(included_outside 'pmix' $(outside job/launch transport/mpi))" \
	"PMIx appears only in job/launch/ and transport/mpi/"
none \
	"$(included_outside 'hwloc' include/*.h bsplib/*.[ch] bsplib/*/*.[ch] transport/*.[ch] \
	transport/s*/*.[ch] job/discover/*.[ch] job/lifeline/*.[ch] \
	examples/*.[ch] common/*.[ch] common/*/*.[ch] tools/*/*.[ch] tools/*/*/*.[ch])" \
	"hwloc appears only in job/launch/ and bench/"

done_testing
