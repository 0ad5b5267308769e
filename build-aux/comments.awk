# SPDX-License-Identifier: BSD-3-Clause
# comments.awk - the comments of sources, and all text of documents, as "file:line<tab>text"; with
# -v code=1 what is no comment instead, without where it is.

function comment(text)
{
	if (!code && text ~ /[^ \t*]/)
		print FILENAME ":" FNR "\t" text
}

function source(text)
{
	if (code && text ~ /[A-Za-z]/)
		print text
}

# The length of the string or character at the beginning of @text.
function quoted_length(text, quote)
{
	if (match(text, quote == "\"" ? "^\"([^\"\\\\]|\\\\.)*\"" : "^'([^'\\\\]|\\\\.)*'"))
		return RLENGTH
	return 1
}

# A line of C: @inside a comment from one before.
function split_c(text,    at, end, kept, said)
{
	while (text != "") {
		if (inside) {
			end = index(text, "*/")
			said = said (end ? substr(text, 1, end - 1) : text) " "
			text = end ? substr(text, end + 2) : ""
			inside = !end
		} else if (!match(text, /["']|\/\*|\/\//)) {
			kept = kept text
			text = ""
		} else {
			at = RSTART
			kept = kept substr(text, 1, at - 1)
			text = substr(text, at)
			if (substr(text, 1, 2) == "//") {
				said = said substr(text, 3)
				text = ""
			} else if (substr(text, 1, 1) == "/") {
				inside = 1
				text = substr(text, 3)
			} else {
				end = quoted_length(text, substr(text, 1, 1))
				kept = kept substr(text, 1, end)
				text = substr(text, end + 1)
			}
		}
	}
	comment(said)
	source(kept)
}

FNR == 1 {
	inside = 0
	is_c = FILENAME ~ /\.(c|h|cc|cpp|hpp|def|pml)$/
	is_text = FILENAME ~ /(\.md|README)$/
	here = ""
}

is_text { comment($0); next }
is_c { split_c($0); next }

/^# *(include|define|if|ifdef|ifndef|endif|pragma)/ { source($0); next }
/^[ \t]*(#|dnl |\.\\")/ { comment($0); next }
{ source($0) }
