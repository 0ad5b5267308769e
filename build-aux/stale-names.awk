# SPDX-License-Identifier: BSD-3-Clause
# stale-names.awk - names in comments and documents of things that are not in the tree.

# usage: awk -f stale-names.awk ALLOWED FILES CODE TEXT
# ALLOWED: names of other projects, and of examples; one a line, * for any end. FILES: all files of
# the tree. CODE, TEXT: of them, as comments.awk prints both. A word with _ in it is taken for a
# name, a word before () or behind struct, and a path or file with one of the usual ends.

function begin_small(name)
{
	return tolower(substr(name, 1, 1)) substr(name, 2)
}

# Also one of mathematics, with one letter before or behind a _; one that is to be filled in, as
# NAME.c; one that begins a sentence; and a constant that is not of this project.
function known(name,    i)
{
	if (name in names || name in allowed || name in bases || begin_small(name) in names)
		return 1
	if (name ~ /^[A-Za-z]_|_[A-Za-z0-9]$|NAME|FOLDER|PROGRAM|FILE|foo/)
		return 1
	if (name ~ /^[A-Z0-9_]+$/ && name !~ /^(BSP[IT]?|GOAL|E[GDS]P?|ENET|GAUGE|RECORDING)_/)
		return 1
	for (i = 1; i <= nstems; i++)
		if (index(name, stems[i]) == 1)
			return 1
	return 0
}

# A name that ends with _ or * is one with which others begin.
function is_beginning(stem,    name)
{
	if (!(stem in begins)) {
		begins[stem] = 0
		for (name in names)
			if (index(name, stem) == 1) {
				begins[stem] = 1
				break
			}
	}
	return begins[stem]
}

# Some file fits @path, which has a * in it.
function is_pattern(path,    name)
{
	gsub(/\./, "\\.", path)
	gsub(/\*/, "[^/]*", path)
	for (name in ends)
		if (name ~ "^" path "$")
			return 1
	return 0
}

function is_file(path,    name)
{
	if (index(path, "*"))
		return path ~ /^\// || is_pattern(path)
	name = path
	sub(/.*\//, "", name)
	if (path ~ /^\// || known(path) || known(name))
		return 1
	if (index(path, "/") == 0)
		return name in bases || begin_small(name) in bases
	while (!(path in ends) && sub(/^\.\.?\//, "", path))
		;
	return path in ends
}

# A program that the build makes is named in the file it is made from.
function is_program(path,    name)
{
	name = path
	sub(/.*\//, "", name)
	return known(path) || known(name)
}

function report(name)
{
	if (!((where, name) in reported))
		print where ": " name
	reported[where, name] = 1
}

BEGIN {
	file = "[A-Za-z0-9_.*/-]*[A-Za-z0-9_*-][.](c|h|sh|t|def|awk|md|include|m4|in)" \
		"([^A-Za-z0-9_]|$)"
	path_of_tree = "(^|[^A-Za-z0-9_./-])(bsplib|transport|tools|goal|kernel|common|bench|man|" \
		"include|examples|doc|fuzz|build-aux|t)/[a-z0-9_/-]*[a-z0-9_]"
}

FNR == 1 { part++ }

part == 1 {
	if (/^#/ || /^$/)
		next
	if (sub(/\*$/, ""))
		stems[++nstems] = $0
	else
		allowed[$0] = 1
	next
}

# A path is also known by its ends, and a test by the name of its program.
part == 2 {
	for (path = $0; ; sub(/[^\/]*\//, "", path)) {
		ends[path] = 1
		if (!index(path, "/"))
			break
	}
	bases[path] = 1
	if (sub(/\.c$/, ".t", path))
		bases[path] = 1
	path = $0
	if (sub(/\.in$/, "", path)) {
		sub(/.*\//, "", path)
		bases[path] = 1
	}
	path = $0
	while (sub(/\/[^\/]*$/, "", path) && path != "")
		ends[path] = 1
	path = $0
	if (path ~ /^t\// && sub(/\.c$/, ".t", path))
		ends[path] = 1
	next
}

part == 3 && /^# *include </ {
	sub(/^[^<]*</, "")
	sub(/>.*/, "")
	bases[$0] = ends[$0] = 1
	next
}

part == 3 {
	gsub(/[^A-Za-z0-9_]+/, " ")
	n = split($0, word, " ")
	for (i = 1; i <= n; i++)
		names[word[i]] = 1
	next
}

{
	where = $1
	sub(/^[^\t]*\t/, "")
	gsub(/[a-z]+:\/\/[^ )>]*/, " ")
	# paths first: what they are made of is no name of its own
	while (match($0, file)) {
		name = substr($0, RSTART, RLENGTH)
		sub(/[^a-z0-9]$/, "", name)
		$0 = substr($0, 1, RSTART - 1) " " substr($0, RSTART + length(name))
		if (!is_file(name))
			report(name)
	}
	while (match($0, path_of_tree)) {
		name = substr($0, RSTART, RLENGTH)
		rest = substr($0, RSTART + RLENGTH)
		$0 = substr($0, 1, RSTART - 1) " " rest
		sub(/^[^a-z]/, "", name)
		if (rest !~ /^([*[-]|\.[a-z0-9[])/ && !(name in ends) && !is_program(name))
			report(name)
	}
	while (match($0, /(struct|enum|union) +[a-z_][a-z0-9_]*/)) {
		name = substr($0, RSTART, RLENGTH)
		$0 = substr($0, 1, RSTART - 1) " " substr($0, RSTART + RLENGTH)
		sub(/^[a-z]+ +/, "", name)
		if (name ~ /_/ && !known(name))
			report("struct " name)
	}
	while (match($0, /[A-Za-z_][A-Za-z0-9_]*(\(\)|\*)?/)) {
		name = substr($0, RSTART, RLENGTH)
		$0 = substr($0, RSTART + RLENGTH)
		if (name ~ /\(\)$/) {
			sub(/\(\)$/, "", name)
			if (length(name) > 2 && !known(name))
				report(name "()")
		} else if (name ~ /[A-Za-z0-9]_.*[A-Za-z0-9]$/) {
			if (!known(name))
				report(name)
		} else if (name ~ /[A-Za-z0-9]_\*?$/) {
			sub(/\*$/, "", name)
			if (!known(name) && !is_beginning(name))
				report(name "*")
		}
	}
}
