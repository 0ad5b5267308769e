# SPDX-License-Identifier: BSD-3-Clause
# static-names.awk - prints each name of a static function in several files, and the files.

# usage: awk -f static-names.awk FILE...
# A function starts in the first column of a line, with the name before its first parenthesis there.
# A name in capitals is made by the preprocessor.

/^static [^=;]*\(/ {
	name = $0
	gsub(/__attribute__\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", name)
	sub(/\(.*/, "", name)
	sub(/.*[^A-Za-z0-9_]/, "", name)
	if (name !~ /[a-z]/ || (FILENAME, name) in seen)
		next
	seen[FILENAME, name] = 1
	count[name]++
	files[name] = files[name] " " FILENAME
}

END {
	for (name in count)
		if (count[name] > 1)
			print name files[name]
}
