#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make soak runs random programs over random transports, and ends at a failure.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

forget_settings BSP_PLUGINS

# soak: the script, with whatever is set
soak()
{
	timeout "$(limit 900)" sh "$top_srcdir/t/soak/soak.sh" "$top_builddir" \
		>"$tap_dir/out" 2>&1 </dev/null
}

SOAK_MINUTES=$(($(limit 240) / 60)) SOAK_RUNS=4 SOAK_SEED=3 SOAK_ONLY="under=none" soak
is 0 $? "four runs end well" || diag "$(tail -n 20 "$tap_dir/out")"
like '^soak: 4 runs, [0-9]+ supersteps: all as in the model$' "$(cat "$tap_dir/out")" \
	"they are counted"

# A program that differs, in place of the real one.
mkdir -p "$tap_dir/build/t/soak" "$tap_dir/build/t/lib"
$SED "s,^top_builddir=.*,top_builddir=$tap_dir/build," "$top_builddir/t/lib/env.sh" \
	>"$tap_dir/build/t/lib/env.sh"
ln -s "$top_builddir/t/lib/random-numbers" "$tap_dir/build/t/lib/random-numbers"
for program in soak soak-size_t; do
	cat >"$tap_dir/build/t/soak/$program" <<END
#!/bin/sh
case " \$* " in
*" steps=2 "*) exec "$top_builddir/t/soak/$program" "\$@" ;;
esac
exec "$top_builddir/t/soak/$program" spoil=40 "\$@"
END
	chmod +x "$tap_dir/build/t/soak/$program"
done
BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
export BSP_PLUGINS
top_builddir_before=$top_builddir top_builddir=$tap_dir/build
SOAK_MINUTES=1 SOAK_SEED=1 SOAK_ONLY="under=none transport=shm" soak
is 1 $? "the status when a run fails"
top_builddir=$top_builddir_before
like '^soak: run [0-9]+ failed: transport=shm ' "$(cat "$tap_dir/out")" "the run is told"
like '^soak: seed [0-9]+, superstep 40 of [0-9]+ ' "$(cat "$tap_dir/out")" "so is what differs"
like '^soak: repeat: env .* seed=[0-9]+ ' "$(cat "$tap_dir/out")" "and the command"
like '^soak: smaller: env .* without=[^ ]*collective.* steps=41$' "$(cat "$tap_dir/out")" \
	"it has looked for a smaller program"

done_testing
