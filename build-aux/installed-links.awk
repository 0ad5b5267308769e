# SPDX-License-Identifier: BSD-3-Clause
# installed-links.awk - a document, with those of its links that lead to installed files.

#	awk -f installed-links.awk -v folder=WHERE-IT-IS DOCUMENT
#
# Of a link to a file that is not installed the text stays: it names what is in the sources. A text
# may go over several lines, and has no bracket.

# opening(text): where the last "[" is in it
function opening(text,    at)
{
	for (at = length(text); at > 0; at--)
		if (substr(text, at, 1) == "[")
			return at
	return 0
}

# leads(link): is there what "](LINK)" or "](LINK#PLACE)" is about?
function leads(link)
{
	gsub(/^\]\(|[#)].*$/, "", link)
	return system("test -e '" folder "/" link "'") == 0
}

{ text = text $0 "\n" }

END {
	while (match(text, /\]\([^)#: '\n]+(#[^)\n]*)?\)/)) {
		before = before substr(text, 1, RSTART - 1)
		link = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		at = opening(before)
		if (!at || leads(link)) {
			before = before link
			continue
		}
		mark = at > 1 && substr(before, at - 1, 1) == "!"	# of a picture
		before = substr(before, 1, at - 1 - mark) substr(before, at + 1)
	}
	printf "%s%s", before, text
}
