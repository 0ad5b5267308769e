# SPDX-License-Identifier: BSD-3-Clause
# name-parts.awk - names and sentences that have one of the words in them that are not used.

# usage: awk -f name-parts.awk DESIGN ALLOWED FILE...: DESIGN has a table with "| instead of |" as
# its head, whose first column has words with commas; ALLOWED names with their plain meaning, one a
# line. One line of output for each name: "FILE: NAME: WORD". Comments and texts are not looked at.
# With -v sentences=1 FILE is what comments.awk prints, ALLOWED words that sentences may have, and
# the output "FILE:LINE: WORD".

FNR == 1 {
	reading++
	comment = table = 0
}

reading == 1 {
	if (/^\| instead of \|/)
		table = 1
	else if (!/^\|/)
		table = 0
	if (table && !/^\|---/ && !/^\| instead of/) {
		split($0, column, "|")
		n = split(column[2], word, /[ ,]+/)
		for (i = 1; i <= n; i++)
			if (word[i] != "")
				unwanted[word[i]] = 1
	}
	next
}

reading == 2 {
	if ($1 != "" && $1 !~ /^#/)
		allowed[$1] = 1
	next
}

# The line without texts and comments.
function code(line,    out, from, to, rest)
{
	gsub(/\\./, "", line)
	gsub(/"[^"]*"/, "", line)
	gsub(/'[^']*'/, "", line)
	while (line != "") {
		if (comment) {
			to = index(line, "*/")
			if (!to)
				return out
			line = substr(line, to + 2)
			comment = 0
		}
		from = index(line, "/*")
		rest = index(line, "//")
		if (rest && (!from || rest < from))
			return out substr(line, 1, rest - 1)
		if (!from)
			return out line
		out = out substr(line, 1, from - 1) " "
		line = substr(line, from + 2)
		comment = 1
	}
	return out
}

sentences {
	gsub(/`[^`]*`/, "")		# code
	n = split(tolower($0), part, /[^a-z0-9_]+/)
	for (i = 1; i <= n; i++)
		if (part[i] in unwanted && !(part[i] in allowed))
			print $1 ": " part[i]
	next
}

{
	line = code($0)
	while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (name in allowed || (FILENAME, name) in seen)
			continue
		seen[FILENAME, name] = 1
		n = split(tolower(name), part, "_")
		for (i = 1; i <= n; i++)
			if (part[i] in unwanted)
				print FILENAME ": " name ": " part[i]
	}
}
