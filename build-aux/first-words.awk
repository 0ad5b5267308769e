# SPDX-License-Identifier: BSD-3-Clause
# first-words.awk - sentences of comments that begin with who, what, whatever, that, those or of.

# usage: awk -f comments.awk FILE... | awk -f first-words.awk
# A comment begins a sentence, and so do a capital behind a full stop and a line behind one or
# behind an empty line. A line that goes on begins with * in C and is the next one of its file
# elsewhere.

function is_bad(text)
{
	return text ~ /^(Who|Whoever|What|Whatever|That|Those|Of)([ ,:]|$)/
}

{
	text = $0
	sub(/^[^\t]*\t/, "", text)
	where = $1
	file = line = where
	sub(/:[0-9]+$/, "", file)
	sub(/.*:/, "", line)
	goes_on = text ~ /^[ \t]*\*/ || text ~ /^[ \t]*#/ && file == last_file && line == last + 1
	skips = line != last + 1
	gsub(/^[ \t]*[*#]*[ \t]*|[ \t]+$/, "", text)
	last_file = file
	last = line
	if ((!goes_on || skips || ended) && is_bad(text))
		print where ": " text
	ended = text ~ /[.!?]$/
	rest = text
	while (match(rest, /[.!?] +[A-Z]/)) {
		rest = substr(rest, RSTART + RLENGTH - 1)
		if (is_bad(rest))
			print where ": " rest
	}
}
