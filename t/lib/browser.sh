# SPDX-License-Identifier: BSD-3-Clause
# browser.sh - pages in a real browser; read after env.sh, in the folder of the test. It skips all
# where there is none.
# shellcheck shell=sh disable=SC2154

browser=
for name in chromium chromium-browser google-chrome chrome headless_shell; do
	test "$browser" || browser=$(command -v $name)
done
test "$browser" || skip_all "no browser here"

cp "$top_srcdir/t/lib/fit.js" .

# look PAGE...: what fit.js says of them, in a window of 1200 pixels and one of 390
look()
{
	{
		echo '<!DOCTYPE html><html><head><meta charset="utf-8"/>'
		echo '<script src="fit.js"></script></head><body>'
		for page do
			for width in 1200 390; do
				echo "<iframe title='$page' src='$page' width='$width'" \
					"height='900' style='border: 0'></iframe>"
			done
		done
		echo '<pre id="faults"></pre></body></html>'
	} >look.html
	"$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--disable-background-networking --no-first-run --allow-file-access-from-files \
		--user-data-dir="$PWD/browser" --enable-logging=stderr --dump-dom \
		"file://$PWD/look.html" 2>log |
		sed -n 's/.*\(<pre id="faults">\)\{0,1\}\(fault: .*\|seen: .*\)/\2/p' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}
