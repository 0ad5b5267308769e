# SPDX-License-Identifier: BSD-3-Clause
# envdoc.awk - makes the list of settings in bsp(7) from common/env.def.
#
# One setting is
#	SETTING(field, "VARIABLE", TYPE, least, most, "words", "default",
#		"help")
# over any number of lines, and a string in any number of parts; the quotes cut it into pieces of
# which the even ones are the strings. SECTION("title") begins a part of the list.

function roff(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	return text ~ /^[.']/ ? "\\&" text : text
}

function values(type, least, most, words,	text)
{
	if (type == "WORD")
		return "one of " words
	text = kind[type]
	if (type == "TIMES")
		return "a list of NAME:TIME, where NAME is one of " words ", and TIME in seconds " \
			"(or with ms or us) from " least " to " most
	if (type == "RANGE")
		return "LOW-HIGH, two numbers from " least " to " most
	if (type == "TEXT")
		return text " of at most " most " bytes"
	return most > 0 ? text " from " least " to " most : text
}

function describe(setting,	piece, part, text, has_default)
{
	gsub(/"[ \t]+"/, "", setting)
	if (split(setting, piece, "\"") != 9) {
		print FILENAME ": not understood: " setting > "/dev/stderr"
		exit failed = 1
	}
	split(piece[3], part, /[ ,]+/)
	print ".It Ev " piece[2]
	print roff(toupper(substr(piece[8], 1, 1)) substr(piece[8], 2)) "."
	text = values(part[2], part[3], part[4], piece[4])
	if (piece[6] == "auto" && part[2] != "WORD")
		text = "auto, or " text
	has_default = piece[6] == "auto" || piece[6] + 0 >= part[3]
	if (part[2] == "WORD" || part[2] == "TIMES" || (part[2] !~ /^(TEXT|RANGE)$/ && has_default))
		text = text "; by default " piece[6]
	print "Takes " roff(text) "."
	count++
}

BEGIN {
	kind["COUNT"] = "a number"
	kind["BYTES"] = "a number of bytes (or with k, M or G)"
	kind["TEXT"] = "a text"
	kind["SECONDS"] = "a time in seconds (or with ms or us)"
	print ".Bl -tag -width Ds"
}

/^SECTION\(/ {
	split($0, title, "\"")
	print ".El\n.Ss " roff(title[2]) "\n.Bl -tag -width Ds"
}
/^SETTING\(/ { setting = "" ; reading = 1 }
reading { setting = setting $0 }
reading && /"\)[ \t]*$/ { describe(setting) ; reading = 0 }

END {
	print ".El"
	if (count == 0)
		failed = 1
	exit failed
}
